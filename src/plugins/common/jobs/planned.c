/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  planned.c - waiting jobs that backfill plans although they have no quota yet
 *
 *  Of each cohort tree the first jobs that wait for quota, and of which the
 *  estimate knows when they will have it. Only backfill sees them: in its pass one
 *  of them is not marked, in turn. What it has planned for them is in their records
 *  (sched_nodes). The main scheduler does not know of that, so jobs behind them are
 *  kept from these nodes here, unless they are done in time.
 *
 *  An estimate may be wrong. A job that does not start by the time that was
 *  planned first is not planned for a while, longer and longer (chance.c).
\*****************************************************************************/
#include "jobs/jobs.h"

#include "match/match.h"
#include "query.h"

/* In all trees together: each of them costs backfill something */
#define MOST 16
/* Minutes, where bf_window is not set */
#define DEFAULT_WINDOW (24 * 60)
/* It may take a pass or two until a job starts that has quota and nodes. */
#define GRACE 60
/* A plan is made anew after so many cycles; until then it is put back. */
#define RENEWED 8
/* So often backfill may not come to a component: it leaves one out until it knows
 * when the others start. */
#define MOST_MISSED 3

static struct list {			/* in Slurm's order */
	struct planned all[MOST];
	size_t n;
} list;
static uint64_t cycle;			/* of backfill */

#define for_each_planned(one_) \
	for (struct planned *one_ = list.all; one_ < list.all + list.n; one_++)

extern void planned_clear(struct planned *one)
{
	struct job *job = jobs_find(one->job_id);

	FREE_NULL_BITMAP(one->nodes);
	one->start = 0;
	if (job)
		job->planned = 0;
}

static void _remove(size_t i)
{
	planned_clear(&list.all[i]);
	list.n--;
	memmove(&list.all[i], &list.all[i + 1],
		(list.n - i) * sizeof(list.all[0]));
}

extern void planned_flush(void)
{
	while (list.n)
		_remove(list.n - 1);
}

extern bool planned_any(void)
{
	return list.n;
}

static struct planned *_find(uint32_t job_id)
{
	for_each_planned(one) {
		if (one->job_id == job_id)
			return one;
	}
	return NULL;
}

extern struct planned *planned_find(const struct entry *entry)
{
	const struct job *job = entry->job;

	/* the estimate is of the queue in which it starts first */
	if (job->first.next && (entry->queue != job->estimate_queue))
		return NULL;
	return _find(job->job_id);
}

extern void planned_end_wait_of_task(const struct job *array)
{
	struct planned *one = _find(array->job_id);

	if (one)
		planned_clear(one);
}

/* ---- a job of ours, and Slurm ---- */

/* Slurm's order: by PriorityTier and priority, then first come first served */
static bool _is_before(const job_record_t *a, uint16_t tier_a,
		       const job_record_t *b, uint16_t tier_b)
{
	if (tier_a != tier_b)
		return tier_a > tier_b;
	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (a->details->submit_time != b->details->submit_time)
		return a->details->submit_time < b->details->submit_time;
	return a->job_id < b->job_id;
}

static uint16_t _tier_of(const job_record_t *job_ptr)
{
	return job_ptr->part_ptr ? job_ptr->part_ptr->priority_tier : 0;
}

extern time_t planned_window(void)
{
	const char *set = xstrcasestr(slurm_conf.sched_params, "bf_window=");
	long minutes = set ? atol(set + strlen("bf_window=")) : 0;

	return (minutes > 0 ? minutes : DEFAULT_WINDOW) * 60;
}

/* Does the job still wait for its start? */
static bool _waits(const struct job *job)
{
	return job_waits(job) && jobs_record(job) && IS_JOB_PENDING(job->job_ptr) &&
		job->job_ptr->details;
}

/* The job, if it does; else NULL */
static struct job *_waiting(const struct planned *one)
{
	struct job *job = jobs_find(one->job_id);

	return job && _waits(job) ? job : NULL;
}

/* ---- its plan ---- */

/* Our record of this component of the same job as `one`, if backfill has nodes for it */
static struct job *_fellow(const struct planned *one, const struct planned *fellow)
{
	return (fellow->unit == one->unit) && fellow->nodes ? jobs_find(fellow->job_id) : NULL;
}

/* It starts when it has both quota and nodes, and so have the other components. */
static void _set_start(struct planned *one, time_t quota_at)
{
	time_t start = quota_at;
	struct job *job;

	for_each_planned(fellow) {
		if ((job = _fellow(one, fellow)))
			start = MAX(start, MAX(fellow->nodes_at, job->estimate));
	}
	for_each_planned(fellow) {
		if ((job = _fellow(one, fellow)))
			fellow->start = job->planned = job_time(start);
	}
}

/* The start that was planned first has passed. */
static bool _is_late(const struct job *job, time_t now)
{
	time_t promised = job->offer.promised;

	return promised && (now > promised + GRACE);
}

extern void planned_give_up(struct planned *one, time_t now)
{
	chance_miss_plan(jobs_find(one->job_id), now);
	_remove(one - list.all);
}

extern void planned_note(struct planned *one, const job_record_t *job_ptr,
			 const bitstr_t *nodes, time_t quota_at)
{
	FREE_NULL_BITMAP(one->nodes);
	one->nodes = bit_copy((bitstr_t *) nodes);
	one->nodes_at = job_ptr->start_time;
	one->part_ptr = job_ptr->part_ptr;
	one->tier = _tier_of(job_ptr);
	_set_start(one, quota_at);
	chance_promise(jobs_find(one->job_id), one->start);
}

/* ---- which jobs ---- */

/* It will have quota at a time that is known, perhaps by an eviction. */
static bool _waits_for_quota(const struct job *job, time_t last)
{
	const struct verdict *v = engine_verdict(ctld.engine, job->first.work);

	return (v->kind == VERDICT_WAIT) && job->marked && job->estimate &&
		(job->estimate <= last) &&
		(v->reason != WAIT_IS_HELD) && (v->reason != WAIT_IS_NEVER);
}

/* It was planned, and has quota by now: it keeps its nodes until it starts. */
static bool _keeps_nodes(const struct job *job)
{
	const struct planned *one = _find(job->job_id);

	return one && one->nodes &&
		(engine_verdict_kind(ctld.engine, job->first.work) == VERDICT_START);
}

struct choice {
	struct job **jobs;
	size_t n;
	time_t now;
	time_t last;			/* at which backfill plans a start */
};

static void _consider(struct job *job, void *arg)
{
	struct choice *choice = arg;

	if (_waits(job) && (choice->now >= job->offer.planned_from) &&
	    (_waits_for_quota(job, choice->last) || _keeps_nodes(job)))
		choice->jobs[choice->n++] = job;
}

/* The highest PriorityTier by which it may start */
static uint16_t _tier(const struct job *job)
{
	uint16_t tier = _tier_of(job->job_ptr);

	for (int i = 0; i < job_nvias(job); i++)
		tier = MAX(tier, job->vias->all[i].part_ptr->priority_tier);
	return tier;
}

static int _by_order(const void *x, const void *y)
{
	const struct job *a = *(struct job *const *) x, *b = *(struct job *const *) y;

	return _is_before(a->job_ptr, _tier(a), b->job_ptr, _tier(b)) ? -1 : 1;
}

/* Neither its tree has too many jobs, nor all trees together. Components of one job stand
 * together, and count as one in the tree. */
static bool _has_room_for(const struct planned *new)
{
	int64_t same_tree = 0;

	if (list.n == MOST)
		return false;
	if (list.n && (list.all[list.n - 1].unit == new->unit))
		return true;
	for_each_planned(one)
		same_tree += (one->root == new->root) &&
			((one == list.all) || (one[-1].unit != one->unit));
	return same_tree < ctld.conf->planned_jobs;
}

/* What was planned before for the same job is still planned. The job may have left the line
 * since its estimate was made. */
static void _choose(const struct job *job, time_t now, struct list *old)
{
	struct planned new = {
		.job_id = job->job_id,
		.unit = job->job_ptr->het_job_id ? job->job_ptr->het_job_id : job->job_id,
		.root = queue_root(workload_queue(job->first.work)),
	};

	if (!_has_room_for(&new) || !job_is_in_line(job->job_ptr, now, false))
		return;
	for (size_t i = 0; i < old->n; i++) {
		if (old->all[i].job_id != job->job_id)
			continue;
		new = old->all[i];
		old->all[i] = old->all[--old->n];
	}
	list.all[list.n++] = new;
}

/* Are all components planned? */
static bool _is_whole(const struct planned *one)
{
	const struct job *job = _waiting(one);
	size_t components = 0, chosen = 0;

	if (!job || !job->job_ptr->het_job_id)
		return true;
	for_each_het_record(c, job->job_ptr)
		components += c != NULL;
	for_each_planned(other)
		chosen += other->unit == one->unit;
	return chosen == components;
}

extern void planned_choose(time_t now)
{
	struct choice choice = {
		.jobs = xcalloc(ctld.njobs + 1, sizeof(*choice.jobs)),
		.now = now, .last = now + planned_window(),
	};
	struct list old;

	if (ctld.conf->planned_jobs)
		jobs_each(_consider, &choice);
	qsort(choice.jobs, choice.n, sizeof(*choice.jobs), _by_order);
	old = list;
	list.n = 0;
	for (size_t i = 0; i < choice.n; i++)
		_choose(choice.jobs[i], now, &old);
	xfree(choice.jobs);
	while (old.n)
		planned_clear(&old.all[--old.n]);
	for (size_t i = list.n; i-- > 0;) {
		if (!_is_whole(&list.all[i]))
			_remove(i);
	}
}

/* ---- a cycle of backfill ---- */

static void _show_to_backfill(struct job *job)
{
	if (!job->marked || !job->job_ptr->preempt_in_progress)
		return;
	job->job_ptr->preempt_in_progress = false;
	/* of two partitions it takes the earlier start, and this was none */
	job->job_ptr->start_time = 0;
}

/* What was planned before still holds: backfill has taken it off the record, and
 * the estimate may have moved. */
static void _put_back(struct planned *one, struct job *job)
{
	if (!one->nodes)
		return;
	_set_start(one, job->estimate);
	if (!job->job_ptr->sched_nodes)
		job->job_ptr->sched_nodes = bitmap2node_name(one->nodes);
}

/* Backfill did not come to it, though it was its turn. */
static bool _is_missed(struct planned *one, const struct job *job)
{
	if (!one->offered || !job->marked)
		return false;
	one->missed = one->reached ? 0 : one->missed + 1;
	return one->missed > (job->job_ptr->het_job_id ? MOST_MISSED : 0);
}

/* Who waits no longer, or waits in vain, is not planned. */
static void _look(time_t now)
{
	for (size_t i = list.n; i-- > 0;) {
		struct planned *one = &list.all[i];
		const struct job *job = _waiting(one);

		if (!job)
			_remove(i);
		else if (_is_late(job, now))
			planned_give_up(one, now);
		else if (_is_missed(one, job))
			planned_clear(one);
	}
}

static bool _is_due(const struct planned *one, const struct job *job)
{
	return job && job->marked &&
		(!one->nodes || (cycle >= one->turn + RENEWED));
}

/* The one whose turn is the longest ago; of several, the first. A job that has
 * quota needs no turn: backfill sees it anyway. */
static const struct planned *_next(void)
{
	const struct planned *next = NULL;

	for_each_planned(one) {
		if (_is_due(one, _waiting(one)) &&
		    (!next || (one->turn < next->turn)))
			next = one;
	}
	return next;
}

extern void planned_offer(time_t now)
{
	const struct planned *next;
	uint32_t unit;

	_look(now);
	cycle++;
	next = _next();
	unit = next ? next->unit : 0;
	for_each_planned(one) {
		one->offered = one->unit == unit;
		if (!one->offered) {
			_put_back(one, _waiting(one));
			continue;
		}
		one->turn = cycle;
		one->reached = false;
		_show_to_backfill(_waiting(one));
	}
}

extern void planned_follow(uint32_t job_id)
{
	for_each_planned(one) {
		struct job *job = one->offered ? _waiting(one) : NULL;

		if (!job || !job->marked)
			continue;
		if (!one->reached)
			_show_to_backfill(job);
		else if (one->nodes && (one->job_id != job_id) && !job->job_ptr->sched_nodes)
			planned_clear(one);
	}
}

/* ---- the other jobs ---- */

/* Backfill forgets its plans as its cycle begins, and makes them anew when it
 * comes to the job. */
static bool _holds(const struct planned *one, const struct job *job)
{
	return one->nodes && !_is_late(job, time(NULL)) &&
		(job->job_ptr->sched_nodes || !one->reached || !job->marked);
}

static bool _is_done_by(const job_record_t *job_ptr, time_t from, time_t at)
{
	int64_t longest = job_longest_run(job_ptr);

	return (longest != INT64_MAX) && (longest <= at - from);
}

/* A job that was promised what others leave goes there, and so does a job that
 * makes them leave. */
static bool _goes_anyway(const struct entry *entry)
{
	return entry->cleared || entry->own_until ||
		(engine_verdict_kind(ctld.engine, entry->work) == VERDICT_PREEMPT);
}

/* Components start together: none is kept from what was planned for another one. */
static bool _goes_before(const struct planned *one, const struct job *job,
			 const struct job *other)
{
	return (job != other) && (other->marked || (one->unit != other->job_ptr->het_job_id)) &&
		_is_before(job->job_ptr, one->tier, other->job_ptr, _tier_of(other->job_ptr));
}

/* Of this planned job, is an entry that would start at `from`, or 0, kept from the nodes? */
static bool _keeps(const struct planned *one, const struct job *job, const struct entry *entry,
		   time_t from)
{
	if (!_goes_before(one, job, entry->job) || !_holds(one, job))
		return false;
	return from ? !_is_done_by(entry->job->job_ptr, from, one->start) :
		job->job_ptr->het_job_id && !job->marked;
}

extern void planned_keep_out(const struct entry *entry, bitstr_t *nodes,
			     time_t from)
{
	if (!list.n || !entry->job->job_ptr->details || _goes_anyway(entry))
		return;
	for_each_planned(one) {
		const struct job *job = _waiting(one);

		if (job && _keeps(one, job, entry, from) &&
		    (bit_size(one->nodes) == bit_size(nodes)))
			bit_and_not(nodes, one->nodes);
	}
}
