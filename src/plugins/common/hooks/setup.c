/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  setup.c - start, configuration, reconfigure
\*****************************************************************************/
#include <sys/stat.h>

#include "state/state.h"
#include "slurm/control.h"
#include "slurm/file.h"
#include "slurm/layout.h"
#include "slurm/waker.h"
#include "match/evict_terms.h"
#include "match/known_names.h"
#include "match/queue_of_job.h"
#include "events/events.h"
#include "request/demand.h"
#include "request/floor.h"
#include "record/count.h"
#include "jobs/jobs.h"
#include "jobs/planned.h"
#include "tally/accounts.h"
#include "tally/slurm_usage.h"
#include "books/books.h"
#include "books/history.h"
#include "books/running.h"
#include "placement/place.h"
#include "placement/unmanaged.h"
#include "tell/config_told.h"
#include "tell/observe.h"
#include "tell/publish.h"
#include "statefile/store.h"
#include "estimate/estimate.h"
#include "hooks/ctld.h"
#include "hooks/pass.h"

/* slurm.conf has been read: cohort.yaml is to be read, too */
static bool conf_due;

static void _drop(void);

/* ---- start ---- */

extern int ctld_select_init(void)
{
	layout_check_start();
	control_init(_drop, count_hold);
	ctld.select_loaded = true;
	if (ctld.broken)
		return SLURM_SUCCESS;
	if (xstrcmp(slurm_conf.preempt_type, "preempt/cohort")) {
		/* After a mere error Slurm would go on with its own plugin of
		 * the same name, and the site would not notice. */
		fatal(PREFIX "PluginDir names the folder of slurm-cohort, but PreemptType is %s: set PreemptType=preempt/cohort, or remove the folder from PluginDir",
		      slurm_conf.preempt_type ? slurm_conf.preempt_type :
		      "preempt/none");
	}
	verbose(PREFIX "stacked on select/cons_tres");
	return SLURM_SUCCESS;
}

static bool _mode_works(void)
{
	uint16_t mode = slurm_conf.preempt_mode & ~COMPAT_PREEMPT_FLAGS;

	if ((mode == PREEMPT_MODE_REQUEUE) || (mode == PREEMPT_MODE_CANCEL))
		return true;
	error(PREFIX "PreemptMode=%s can't work with quota (a suspended job resumes without asking for quota): set PreemptMode=REQUEUE or CANCEL",
	      preempt_mode_string(slurm_conf.preempt_mode));
	return false;
}

extern int ctld_preempt_init(void)
{
	if (ctld.broken)
		return SLURM_SUCCESS;
	/* Slurm may load plugins of other types than the one it uses */
	if (!ctld.select_loaded ||
	    xstrcmp(slurm_conf.select_type, "select/cons_tres")) {
		error(PREFIX "preempt/cohort needs its own select_cons_tres.so: PluginDir must name the folder of slurm-cohort before Slurm's, and SelectType must be select/cons_tres");
		return SLURM_ERROR;
	}
	return _mode_works() ? SLURM_SUCCESS : SLURM_ERROR;
}

/* ---- which cohort.yaml is in force ---- */

/* The errors of one file */
struct errors {
	char *first;
	int n;
};

static void _report(void *arg, bool warning, const char *message)
{
	struct errors *errors = arg;

	if (warning) {
		info(PREFIX "%s", message);
		return;
	}
	error(PREFIX "%s", message);
	if (!errors->n++)
		errors->first = xstrdup(message);
}

/* Names that Slurm does not know are errors. They are accepted only in a file that was good
 * once: a QOS or a node may go while cohort.yaml still names it. */
static struct conf *_read(const char *path, bool was_good, struct errors *errors)
{
	struct conf *conf = conf_load_trusted(path, slurm_conf.slurm_user_id, _report, errors);

	if (conf && conf_check_names(conf, &known_names, _report, errors) &&
	    !was_good) {
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

static time_t _written(const char *path)
{
	struct stat st;

	return stat(path, &st) ? time(NULL) : st.st_mtime;
}

/* cohort.yaml stands beside slurm.conf. A file with errors never takes a running cluster down:
 * a reconfigure keeps the configuration in force (NULL), a restart takes the last good file
 * from StateSaveLocation, and both log it. A first start without any good file has no queues:
 * Slurm schedules all jobs as it does without quota, until a reconfigure finds a good file. A
 * good file is saved for a start that finds none. */
static struct conf *_choose(void)
{
	char *path = _conf_path(), *good = file_state_path(STORE_LAST_GOOD);
	struct errors errors = { .n = 0 }, ignored = { .n = 0 };
	struct conf *conf;

	config_told_reading(path);
	conf = _read(path, false, &errors);
	if (conf) {
		config_told_taken(conf->source);
		info(PREFIX "%s: %zu cohorts, %zu cluster queues, %zu flavors%s",
		     path, conf->spec->ncohorts, conf->spec->nqueues,
		     conf->spec->nflavors,
		     conf->observe ? " (observe: nothing is enforced)" : "");
		store_keep(conf->source);
	} else if (ctld.conf) {
		config_told_rejected(errors.first, errors.n, 0);
		error(PREFIX "%s has errors: the configuration in force does not change", path);
	} else if ((conf = _read(good, true, &ignored))) {
		config_told_rejected(errors.first, errors.n, _written(good));
		error(PREFIX "%s has errors: %s, %s", path,
		      compat_reexecuted() ?
		      "the configuration in force does not change" :
		      "starting with the last valid one", good);
	} else {
		conf = conf_read_text(path, CONF_OF_NO_QUEUES,
				      strlen(CONF_OF_NO_QUEUES), NULL, NULL);
		if (!conf)
			fatal(PREFIX "%s: %m", path);
		config_told_rejected(errors.first, errors.n, 0);
		error(PREFIX "%s has errors, and there is no earlier valid one in %s: all jobs are scheduled without quota until scontrol reconfigure finds a valid file",
		      path, slurm_conf.state_save_location);
	}
	xfree(errors.first);
	xfree(ignored.first);
	xfree(path);
	xfree(good);
	return conf;
}

/* ---- books from scratch ---- */

/* What is known of nodes */
static void _forget_nodes(void)
{
	floor_flush();
	planned_flush();
}

static void _close(void)
{
	running_note_settled();
	_forget_nodes();
	demand_fini();
	engine_destroy(ctld.engine);
	ctld.engine = NULL;
	jobs_unbook();
	queue_forget_matches();
	slurm_usage_forget();
	conf_destroy(ctld.conf);
	ctld.conf = NULL;
}

/* Forget configuration, books and counters; under the job lock. */
static void _drop(void)
{
	ctld.ready = false;
	if (!ctld.conf)
		return;
	_close();
	history_keep(NULL);
	account_keep(NULL);
	jobs_clear();
	count_clear();
	store_keep(NULL);
	pass_reset();
}

static void _replace(struct conf *conf)
{
	struct json_object *history = history_dump();

	history_keep(history);
	json_object_put(history);
	account_carry();
	_close();
	ctld.conf = conf;
	unmanaged_init(conf->unmanaged);
	demand_init();
	slurm_usage_take_half_life(conf);
	ctld.engine = engine_create(conf->spec);
	if (!ctld.engine)
		fatal(PREFIX "books: %m");
	engine_set_plan_budget(ctld.engine, (uint64_t) conf->plan_budget);
	history_advance_now();
	history_weigh_locals();
	account_begin();
}

extern void ctld_reconfigure(void)
{
	bool first = !ctld.conf, read = first || conf_due;
	struct kept_owners *owners = NULL;
	struct conf *conf = NULL;

	layout_check_tables();
	if (ctld.broken)
		return;
	/* Also called when a partition or node is updated: the file is read
	 * only when slurm.conf is. */
	if (read) {
		/* Slurm takes another PreemptMode without asking its plugins:
		 * we can only log it. */
		(void) _mode_works();
		evict_warn_of_settings();
		conf = _choose();
		conf_due = false;
	}
	if (conf && !first)
		owners = owners_keep();
	if (conf)
		_replace(conf);
	if (read)
		packing_find_topology();
	if (first)
		store_load();
	ctld.ready = true;
	books_request_scan();
	books_scan();
	if (conf)
		running_keep_settled();
	owners_restore(owners);
	history_restore();
	account_restore();
	pass_reset();
	waker_start(pass_follow);
	store_start();
	publish_start();
	events_start();
	if (read)
		publish_soon();
	estimate_start();
}

extern void ctld_nodes_changed(void)
{
	if (!ctld.broken)
		control_begins();
	/* Slurm builds the node table whenever it reads slurm.conf, and only then. Its time of
	 * the last reading counts in seconds, too few for two reconfigures in one second. */
	conf_due = true;
	/* bitmaps may have another length now */
	hold_flush();
	_forget_nodes();
	pass_reset();
}

extern void ctld_save_state(void)
{
	(void) control_follow();	/* slurmctld may save as control goes */
	(void) store_save(true);
}

/* It may be the first record that we see. */
static bool _can_read(job_record_t *job_ptr)
{
	layout_check_job(job_ptr);
	return ctld_works();
}

/* It starts whatever the plan says. */
static void _observe_start(const job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job && job_ptr->array_job_id)
		job = jobs_find(job_ptr->array_job_id);
	if (job && job_waits(job) && job->first.work)
		observe_judge(&job->first, false);
}

extern void ctld_job_begin(job_record_t *job_ptr)
{
	if (!_can_read(job_ptr))
		return;
	if (ctld_observes())
		_observe_start(job_ptr);
	books_started(job_ptr);
}

extern void ctld_job_fini(job_record_t *job_ptr)
{
	if (_can_read(job_ptr))
		books_ended(job_ptr);
}

extern void ctld_job_resized(job_record_t *job_ptr)
{
	if (_can_read(job_ptr))
		books_resized(job_ptr);
}

/* The job may be evicted again, at once or when its protection is over, and jobs that wait for
 * that have to learn it. Its record shows it only when this function has returned. */
extern void ctld_job_resumed(void)
{
	if (ctld_works())
		waker_at(time(NULL));
}
