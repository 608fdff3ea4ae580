/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  setup.c - start, configuration, reconfigure
 *
 *  cohort.yaml stands beside slurm.conf. One with errors never takes a running
 *  cluster down: a reconfigure keeps what is in force, a restart takes the
 *  last good one from StateSaveLocation, and both say so; only a first start
 *  without any good one is fatal.
\*****************************************************************************/
#include <fnmatch.h>

#include "ctld_priv.h"

#define LAST_GOOD "cohort.yaml.good"

struct ctld ctld;

/* slurm.conf has been read: cohort.yaml is to be read, too */
static bool conf_due;

/* ---- start ---- */

extern int ctld_select_init(void)
{
	if (xstrcmp(slurm_conf.preempt_type, "preempt/cohort")) {
		/* After a mere error Slurm would go on with its own plugin of
		 * the same name, and nobody would know. */
		fatal(PREFIX "PluginDir names our folder, but PreemptType is %s: set PreemptType=preempt/cohort, or take the folder out of PluginDir",
		      slurm_conf.preempt_type);
	}
	ctld.select_loaded = true;
	verbose(PREFIX "stacked on select/cons_tres");
	return SLURM_SUCCESS;
}

static bool _mode_works(void)
{
	uint16_t mode = slurm_conf.preempt_mode & ~PREEMPT_MODE_WITHIN;

	if ((mode == PREEMPT_MODE_REQUEUE) || (mode == PREEMPT_MODE_CANCEL))
		return true;
	error(PREFIX "PreemptMode=%s can't work with quota (a suspended job comes back without asking): set PreemptMode=REQUEUE or CANCEL",
	      preempt_mode_string(slurm_conf.preempt_mode));
	return false;
}

extern int ctld_preempt_init(void)
{
	/* Slurm may load plugins of other types than the one it uses */
	if (!ctld.select_loaded ||
	    xstrcmp(slurm_conf.select_type, "select/cons_tres")) {
		error(PREFIX "preempt/cohort needs its own select_cons_tres.so: PluginDir must name our folder before Slurm's, and SelectType must be select/cons_tres");
		return SLURM_ERROR;
	}
	return _mode_works() ? SLURM_SUCCESS : SLURM_ERROR;
}

/* ---- names that only Slurm knows ---- */

static bool _partition_known(void *arg UNUSED, const char *name)
{
	return find_part_record((char *) name) != NULL;
}

static bool _nodes_known(void *arg UNUSED, const char *nodes, char *bad, size_t size)
{
	hostlist_t list = hostlist_create(nodes);
	bool known = list != NULL;
	char *name;

	while (known && (name = hostlist_shift(list))) {
		if (!find_node_record(name)) {
			snprintf(bad, size, "%s", name);
			known = false;
		}
		free(name);
	}
	if (list)
		hostlist_destroy(list);
	return known;
}

static int _find_feature(void *x, void *key)
{
	return !xstrcmp(((node_feature_t *) x)->name, key);
}

static bool _feature_known(void *arg UNUSED, const char *name)
{
	return list_find_first(avail_feature_list, _find_feature,
			       (void *) name) != NULL;
}

static bool _qos_known(void *arg UNUSED, const char *name)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	slurmdb_qos_rec_t *qos;
	bool known = !assoc_mgr_qos_list;	/* no database: can't tell */
	compat_itr_t iter;

	assoc_mgr_lock(&locks);
	if (assoc_mgr_qos_list) {
		iter = list_iterator_create(assoc_mgr_qos_list);
		while (!known && (qos = list_next(iter)))
			known = !xstrcmp(qos->name, name);
		list_iterator_destroy(iter);
	}
	assoc_mgr_unlock(&locks);
	return known;
}

static bool _in_comma_list(const char *list, const char *name, size_t len)
{
	for (const char *p = list; p && *p; p = strchr(p, ',') ?
		     strchr(p, ',') + 1 : NULL) {
		if (!xstrncasecmp(p, name, len) &&
		    (!p[len] || (p[len] == ',')))
			return true;
	}
	return false;
}

static int _find_license(void *x, void *key)
{
	return !xstrcmp(((licenses_t *) x)->name, key);
}

static bool _resource_known(void *arg UNUSED, const char *tres)
{
	slurmdb_tres_rec_t rec = { 0 };
	char *copy, *slash;
	bool known;

	if (!xstrcmp(tres, "cpu") || !xstrcmp(tres, "mem") ||
	    !xstrcmp(tres, "node"))
		return true;
	if (!xstrncmp(tres, "gres/", 5))
		return _in_comma_list(slurm_conf.gres_plugins, tres + 5,
				      strcspn(tres + 5, ":"));
	if (!xstrncmp(tres, "license/", 8))
		return license_list &&
			list_find_first(license_list, _find_license,
					(void *) (tres + 8));
	copy = xstrdup(tres);
	if ((slash = strchr(copy, '/')))
		*slash = '\0';
	rec.type = copy;
	rec.name = slash ? slash + 1 : NULL;
	known = assoc_mgr_find_tres_pos(&rec, false) >= 0;
	xfree(copy);
	return known;
}

/* ---- reading cohort.yaml ---- */

static void _report(void *arg UNUSED, bool warning, const char *message)
{
	if (warning)
		info(PREFIX "%s", message);
	else
		error(PREFIX "%s", message);
}

static struct conf *_read(const char *path)
{
	static const struct conf_names names = {
		.partition = _partition_known,
		.nodes = _nodes_known,
		.feature = _feature_known,
		.qos = _qos_known,
		.resource = _resource_known,
	};
	struct conf *conf = conf_load(path, _report, NULL);

	if (conf && conf_check_names(conf, &names, _report, NULL)) {
		conf_destroy(conf);
		return NULL;
	}
	return conf;
}

static char *_conf_path(void)
{
	char *path = xstrdup(slurm_conf.slurm_conf), *slash;

	if (path && (slash = strrchr(path, '/')))
		*slash = '\0';
	else
		xfree(path);
	xstrfmtcat(path, path ? "/cohort.yaml" : "./cohort.yaml");
	return path;
}

/* The configuration to use from now on; NULL: go on with what is in force */
static struct conf *_choose(void)
{
	char *path = _conf_path(), *good = store_path(LAST_GOOD);
	struct conf *conf = _read(path);

	if (conf) {
		info(PREFIX "%s: %zu cohorts, %zu cluster queues, %zu flavors%s",
		     path, conf->spec->ncohorts, conf->spec->nqueues,
		     conf->spec->nflavors,
		     conf->observe ? " (observe: nothing is enforced)" : "");
		(void) store_write(LAST_GOOD, conf->source);
	} else if (ctld.conf) {
		error(PREFIX "%s has errors: the configuration in force stays in force",
		      path);
	} else if ((conf = _read(good))) {
		error(PREFIX "%s has errors: starting with the last good one, %s",
		      path, good);
	} else {
		fatal(PREFIX "%s has errors (see above; scohort check shows them too) and there is no earlier good one in %s",
		      path, slurm_conf.state_save_location);
	}
	xfree(path);
	xfree(good);
	return conf;
}

/* ---- books from scratch ---- */

static void _replace(struct conf *conf)
{
	flavor_free();
	demand_fini();
	engine_destroy(ctld.engine);
	ctld.engine = NULL;
	jobs_unbook();
	conf_destroy(ctld.conf);
	ctld.conf = conf;
	demand_init();
	ctld.engine = engine_create(conf->spec);
	if (!ctld.engine)
		fatal(PREFIX "books: %m");
}

extern void ctld_reconfigure(void)
{
	bool first = !ctld.conf;
	struct conf *conf = NULL;

	/* Also called when a partition or node is updated: the file is read
	 * when slurm.conf is. */
	if (first || conf_due) {
		/* Slurm takes another PreemptMode without asking its plugins:
		 * all that is left is to say so. */
		if (!first)
			(void) _mode_works();
		conf = _choose();
		conf_due = false;
	}
	if (conf)
		_replace(conf);
	(void) flavor_refresh();
	if (first)
		store_load();
	ctld.ready = true;
	books_stale();
	(void) books_scan();
	pass_reset();
	waker_start();
}

extern void ctld_nodes_changed(void)
{
	/* Slurm builds the node table whenever it reads slurm.conf, and only
	 * then. Its time of the last reading counts in seconds, too few for two
	 * reconfigures in one. */
	conf_due = true;
	/* bitmaps may have another length now */
	flavor_free();
	pass_reset();
}

extern void ctld_job_begin(job_record_t *job_ptr)
{
	if (ctld_works())
		books_started(job_ptr);
}

extern void ctld_job_fini(job_record_t *job_ptr)
{
	if (ctld_works())
		books_ended(job_ptr);
}

extern void ctld_job_resized(job_record_t *job_ptr)
{
	if (ctld_works())
		books_resized(job_ptr);
}

/* It may be evicted again, at once or when its protection is over, and who
 * waits for that has to know. Its record says so only when this has returned. */
extern void ctld_job_resumed(void)
{
	if (ctld_works())
		waker_at(time(NULL));
}

/* ---- do our headers fit? ---- */

static int _same_pointer(void *x, void *key)
{
	return x == key;
}

/* part_ptr lies behind details in the record: where it is a partition, so is
 * the other what it should be, and may be followed. */
static bool _layout_fits(job_record_t *job_ptr)
{
	return (job_ptr->magic == JOB_MAGIC) && job_ptr->job_id &&
		(find_job_record(job_ptr->job_id) == job_ptr) &&
		list_find_first(part_list, _same_pointer, job_ptr->part_ptr) &&
		(!job_ptr->details || job_ptr->details->magic == DETAILS_MAGIC);
}

extern void setup_check_layout(job_record_t *job_ptr)
{
	static bool checked = false;

	if (checked || !job_ptr->part_ptr)
		return;
	checked = true;
	if (_layout_fits(job_ptr))
		return;
	ctld.broken = true;
	error(PREFIX "job records of this slurmctld are not laid out as in the headers this plugin was built with (%s): quota is NOT enforced and nobody is preempted; install the package built for this very version",
	      SLURM_VERSION_STRING);
}
