/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  unmanaged.c - jobs outside all cluster queues preempt each other as before
 *
 *	unmanaged: {preemption: none}		# or qos, partition_prio
 *
 *  Slurm has room for one preempt plugin, and that is ours. So that a site
 *  keeps what it has for the jobs that no queue matches, Slurm's own plugin is
 *  opened beside it and asked about pairs of such jobs. One that a queue
 *  matches is never asked about; but with enforcement: observe none is managed
 *  in fact, and all are.
\*****************************************************************************/
#include "placement/place.h"

#include "match/match.h"
#include "jobs/jobs.h"

static struct {
	enum conf_unmanaged which;	/* NONE: no plugin is asked (ctld.asks_slurms) */
	struct compat_preempt_ops ops;
} other;

/* ---- opening it ---- */

static const char *const plugin_names[] = {
	[CONF_UNMANAGED_NONE] = "none",
	[CONF_UNMANAGED_QOS] = "qos",
	[CONF_UNMANAGED_PARTITION_PRIO] = "partition_prio",
};

/* The first one that PluginDir has, as Slurm looks for plugins; xmalloc'd */
static char *_path_of(const char *name)
{
	char *dirs = xstrdup(slurm_conf.plugindir), *rest = NULL, *path = NULL;

	for (char *dir = strtok_r(dirs, ":", &rest); dir && !path;
	     dir = strtok_r(NULL, ":", &rest)) {
		xstrfmtcat(path, "%s/preempt_%s.so", dir, name);
		if (access(path, R_OK))
			xfree(path);
	}
	xfree(dirs);
	return path;
}

/* NULL, or a message about what is wrong with it */
static const char *_wrong(void *lib, const char *name)
{
	const uint32_t *version = dlsym(lib, "plugin_version");
	const char *type = dlsym(lib, "plugin_type");
	int (*init)(void) = (int (*)(void)) dlsym(lib, "init");

	if (!version || (*version != SLURM_VERSION_NUMBER))
		return "it was not built for Slurm " SLURM_VERSION_STRING;
	if (!type || xstrncmp(type, "preempt/", 8) || xstrcmp(type + 8, name))
		return "it is another plugin";
	if (!compat_preempt_find(lib, &other.ops))
		return "it lacks functions of a preempt plugin";
	if (init && (init() != SLURM_SUCCESS))
		return "it does not start";
	return NULL;
}

static bool _open(const char *name)
{
	char *path = _path_of(name);
	const char *wrong = NULL;
	void *lib = NULL;

	if (!path)
		wrong = "PluginDir has no such file";
	else if (!(lib = dlopen(path, RTLD_LAZY | RTLD_LOCAL)))
		wrong = dlerror();
	else
		wrong = _wrong(lib, name);
	if (wrong) {
		error(PREFIX "cohort.yaml: unmanaged.preemption: %s needs Slurm's preempt_%s.so (PluginDir=%s): %s; jobs outside all cluster queues do not preempt each other",
		      name, name, slurm_conf.plugindir, wrong);
		if (lib)
			dlclose(lib);
	}
	xfree(path);
	return !wrong;
}

extern void unmanaged_init(enum conf_unmanaged which)
{
	const char *name = plugin_names[which];

	if (which == other.which)
		return;
	/* The plugin that was opened before stays open: it may be asked for
	 * again, and does nothing by itself. */
	other.which = CONF_UNMANAGED_NONE;
	ctld.asks_slurms = false;
	if ((which == CONF_UNMANAGED_NONE) || !_open(name))
		return;
	other.which = which;
	ctld.asks_slurms = true;
	info(PREFIX "jobs outside all cluster queues preempt each other by preempt/%s", name);
	if ((which == CONF_UNMANAGED_QOS) && !slurm_with_slurmdbd())
		info(PREFIX "cohort.yaml: warning: unmanaged.preemption: qos: there are no QOS without slurmdbd, so no job is preempted by QOS");
}

/* ---- asking it ---- */

/* In this partition: a waiting job may name others, too */
static bool _is_outside(job_record_t *job_ptr, part_record_t *part_ptr)
{
	struct job *job;

	if (!ctld_enforces())
		return true;
	job = jobs_find(job_ptr->job_id);
	if (job && job->first.work)
		return !job_entry_by_partition(job, part_ptr);
	return queue_of_job_seen(job_ptr, part_ptr) == SPEC_NONE;
}

extern bool unmanaged_preemptable(job_record_t *preemptee, job_record_t *preemptor)
{
	return other.ops.preemptable(preemptee, preemptor) &&
		_is_outside(preemptee, preemptee->part_ptr) &&
		_is_outside(preemptor, preemptor->part_ptr);
}

extern bool unmanaged_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2)
{
	return unmanaged_asks() && other.ops.before(rec1, rec2) &&
		_is_outside(rec1->job_ptr, rec1->part_ptr) &&
		_is_outside(rec2->job_ptr, rec2->part_ptr);
}

extern bool unmanaged_get(job_record_t *job_ptr, slurm_preempt_data_type_t type, void *value)
{
	if (!unmanaged_asks() || !_is_outside(job_ptr, job_ptr->part_ptr))
		return false;
	compat_preempt_get(&other.ops, job_ptr, type, value);
	return true;
}
