/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ctld.c - what slurmctld calls, but for its sort (pass.c) and job_test (job_test/gate.c)
\*****************************************************************************/
#include "hooks/ctld.h"

#include "slurm/worker.h"
#include "slurm/passes.h"
#include "match/match.h"
#include "events/events.h"
#include "request/request.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "tally/tally.h"
#include "books/books.h"
#include "placement/place.h"
#include "tell/tell.h"
#include "statefile/store.h"
#include "estimate/estimate.h"
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
	jobs_clear();
	count_clear();
	pass_reset();
}

static void _replace(struct conf *conf)
{
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
		conf = config_choose();
		conf_due = false;
	}
	if (conf && !first)
		content_carry();
	if (conf)
		_replace(conf);
	if (read)
		ctld.topology_file = compat_has_topology_file();
	if (first)
		store_load();
	ctld.ready = true;
	books_scan(true);
	if (conf)
		running_keep_settled();
	content_restore();
	pass_reset();
	waker_start(pass_follow);
	store_start();
	worker_start(&publisher);
	events_start();
	if (read) {
		worker_wake(&publisher);
		saver_save();
	}
	worker_start(&estimator);
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

/* ---- single jobs ---- */

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

/* ---- what preemption is about ---- */

extern uint16_t ctld_preempt_mode(job_record_t *job_ptr)
{
	uint16_t mode = PREEMPT_MODE_OFF;

	if (ctld.broken || unmanaged_get(job_ptr, PREEMPT_DATA_MODE, &mode))
		return mode;
	return evict_mode(job_ptr);
}

extern bool ctld_preempts(void)
{
	return !ctld.broken && slurm_conf.preempt_mode &&
		(!ctld_observes() || unmanaged_asks());
}

/* Where none of our jobs is known, and Slurm's own plugin is not asked, no job
 * can be a victim: Slurm need not go through all records for each attempt. But
 * its sort asks as well, once for each slurm.conf that it reads, and calls
 * job_preempt_check() after a yes only: that one it must have. */
extern bool ctld_seeks_victims(void)
{
	return ctld_preempts() && (ctld.njobs || unmanaged_asks() || !pass_sorts_by_us());
}

/* Slurm sorts its own candidates by this; our victims come in the engine's order. */
extern uint32_t ctld_preempt_prio(job_record_t *job_ptr)
{
	uint32_t tier, prio = 0;

	if (ctld.broken || unmanaged_get(job_ptr, PREEMPT_DATA_PRIO, &prio))
		return prio;
	tier = job_ptr->part_ptr ? job_ptr->part_ptr->priority_tier : 0;
	return (tier << 16) + MIN(job_ptr->node_cnt, 0xffff);
}

extern uint32_t ctld_grace_time(job_record_t *job_ptr)
{
	return ctld.broken ? 0 : evict_grace_time(job_ptr);
}

/* Both jobs are ours and under one quota; or neither is ours, and Slurm's plugin decides.
 *
 * job_test finds the victims of managed jobs itself, where quota and nodes are
 * known. Of the candidates that slurmctld finds it uses only the nodes that
 * they do not share: those are not offered to job_test but for a candidate
 * (_bit_or_cond() of node_scheduler.c). It lists and sorts all candidates in
 * each attempt, so others are not named. */
static __attribute__((noinline)) bool _is_candidate(job_record_t *preemptee,
						    job_record_t *preemptor)
{
	struct job *victim, *waiting;
	struct entry *entry;

	if (ctld.broken)
		return false;
	if (unmanaged_asks() && unmanaged_preemptable(preemptee, preemptor))
		return true;
	if (!ctld.nalone || !ctld_enforces() || !(waiting = jobs_find(preemptor->job_id)))
		return false;
	/* by the partition that is tried */
	entry = job_entry_by_partition(waiting, preemptor->part_ptr);
	if (!entry || !entry->work || evict_shares_nodes(preemptee))
		return false;
	victim = jobs_find(preemptee->job_id);
	return victim && job_runs(victim);
}

/* slurmctld asks about all records at each submission: few instructions count here. Most are
 * of jobs that wait. */
extern bool ctld_preemptable(job_record_t *preemptee, job_record_t *preemptor)
{
	count_work(WORK_CANDIDATE);
	return (ctld.nalone || ctld.asks_slurms) && !IS_JOB_PENDING(preemptee) &&
		_is_candidate(preemptee, preemptor);
}
