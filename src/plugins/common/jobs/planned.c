/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  planned.c - waiting jobs that backfill plans although they have no quota yet
 *
 *  Of each cohort tree the first jobs that wait for quota, and of which the
 *  estimate knows when they will have it. Only backfill sees them: in its pass
 *  one of them is not marked, in turn, and only as often as backfill has the time.
 *  What it has planned for them is in their records (sched_nodes); the main
 *  scheduler does not know of that, so jobs behind them are kept from these nodes
 *  here, unless they are done in time.
 *
 *  An estimate may be wrong. A job that does not start by the time that was
 *  planned first is not planned for a while, longer and longer (chance.c).
\*****************************************************************************/
#include "jobs/planned.h"

#include "lib/budget.h"
#include "state/job.h"
#include "slurm/clock.h"
#include "match/job_standing.h"
#include "match/queue_of_job.h"
#include "jobs/chance.h"
#include "jobs/hold.h"
#include "jobs/jobs.h"

/* In all trees together: each of them costs backfill something */
#define MOST 16
/* Minutes, where bf_window is not set */
#define DEFAULT_WINDOW (24 * 60)
/* One part in so many of the CPU time that backfill takes is for these jobs; and so
 * much may be saved, ns */
#define PARTS 100
#define COMPARED 8		/* one cycle in so many is without */
#define SAVED (5 * SPEC_SEC / 1000)
/* Most that is overspent, whatever one cycle took: ns */
#define OVERSPENT (20 * SAVED)
/* It may take a pass or two until a job starts that has quota and nodes. */
#define GRACE 60

static struct {
	struct planned list[MOST + 1];	/* in Slurm's order */
	size_t n;
	struct planned old[MOST];	/* before the choice */
	size_t nold;
} planned;

/* A cycle of backfill in which it plans such a job */
static struct {
	struct budget budget;		/* of the CPU time of its thread */
	int64_t begun;			/* CPU time then */
	int64_t usual;			/* of the last cycle without */
	bool offers;
	uint64_t number;
} cycle = {
	.budget = { .parts = PARTS, .most = SAVED, .left = SAVED },
};

extern void planned_clear(struct planned *one)
{
	struct job *job = jobs_find(one->job_id);

	FREE_NULL_BITMAP(one->nodes);
	one->start = 0;
	one->declined = false;
	if (job)
		job->planned = 0;
}

static void _remove(size_t i)
{
	planned_clear(&planned.list[i]);
	planned.n--;
	memmove(&planned.list[i], &planned.list[i + 1],
		(planned.n - i) * sizeof(planned.list[0]));
}

extern void planned_flush(void)
{
	while (planned.n)
		_remove(planned.n - 1);
	cycle.begun = 0;
}

extern struct planned *planned_find(const struct job *job)
{
	for (size_t i = 0; i < planned.n; i++) {
		if (planned.list[i].job_id == job->job_id)
			return &planned.list[i];
	}
	return NULL;
}

/* ---- which jobs ---- */

/* Slurm's order within one partition: by priority, then first come first
 * served */
static bool _goes_before(const job_record_t *a, const job_record_t *b)
{
	uint16_t tier_a = a->part_ptr ? a->part_ptr->priority_tier : 0;
	uint16_t tier_b = b->part_ptr ? b->part_ptr->priority_tier : 0;

	if (tier_a != tier_b)
		return tier_a > tier_b;
	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (a->details->submit_time != b->details->submit_time)
		return a->details->submit_time < b->details->submit_time;
	return a->job_id < b->job_id;
}

/* One task, one partition, one component */
static bool _is_single(const struct job *job)
{
	const job_record_t *job_ptr = job->job_ptr;

	return !job->first.next && !job->nvias && !job_ptr->het_job_id &&
		!job_ptr->array_recs && !job_ptr->part_ptr_list;
}

extern time_t planned_window(void)
{
	const char *set = xstrcasestr(slurm_conf.sched_params, "bf_window=");
	long minutes = set ? atol(set + strlen("bf_window=")) : 0;

	return (minutes > 0 ? minutes : DEFAULT_WINDOW) * 60;
}

/* Jobs that others have to leave for get the nodes of these. */
static bool _waits_for_quota(const struct job *job, time_t now)
{
	const struct verdict *v = engine_verdict(ctld.engine, job->first.work);

	return (v->kind == VERDICT_WAIT) && job->marked && job->estimate &&
		(job->estimate <= now + planned_window()) &&
		!job->estimate_evicts && !job->first.own_until &&
		!job->first.cleared && (v->reason != WAIT_IS_HELD) &&
		(v->reason != WAIT_IS_NEVER) &&
		(v->reason != WAIT_IS_PREEMPTING);
}

/* The job, as long as it waits for its start; else NULL */
static struct job *_waiting(const struct planned *one)
{
	struct job *job = jobs_find(one->job_id);

	return job && job_waits(job) && jobs_record(job) &&
		IS_JOB_PENDING(job->job_ptr) && job->job_ptr->details ?
		job : NULL;
}

extern void planned_choose_begin(void)
{
	memcpy(planned.old, planned.list, planned.n * sizeof(planned.old[0]));
	planned.nold = planned.n;
	planned.n = 0;
}

/* What was planned before for the same job is still planned. */
static struct planned _take_old(const struct job *job, bool *known)
{
	*known = false;
	for (size_t i = 0; i < planned.nold; i++) {
		struct planned one = planned.old[i];

		if (one.job_id != job->job_id)
			continue;
		planned.old[i] = planned.old[--planned.nold];
		*known = true;
		return one;
	}
	return (struct planned) {
		.job_id = job->job_id,
		.root = queue_root(workload_queue(job->first.work)),
	};
}

static size_t _place(const struct job *job, int root, size_t *same_tree)
{
	size_t at = 0;

	*same_tree = 0;
	for (; at < planned.n; at++) {
		const struct job *other = _waiting(&planned.list[at]);

		if (other && !_goes_before(other->job_ptr, job->job_ptr))
			break;
		*same_tree += planned.list[at].root == root;
	}
	return at;
}

/* The last one of a tree that has too many */
static void _drop_excess(int root)
{
	size_t same_tree = 0;

	for (size_t i = 0; i < planned.n; i++) {
		same_tree += planned.list[i].root == root;
		if ((planned.list[i].root == root) &&
		    (same_tree > (size_t) ctld.conf->planned_jobs)) {
			_remove(i);
			return;
		}
	}
	if (planned.n > MOST)
		_remove(MOST);
}

extern void planned_consider(struct job *job, time_t now)
{
	struct planned one;
	size_t at, same_tree;
	bool known;

	if (!ctld.conf->planned_jobs || !job->job_ptr->details ||
	    !_is_single(job) || !chance_may_be_planned(job, now))
		return;
	one = _take_old(job, &known);
	at = _place(job, one.root, &same_tree);
	/* one that has quota by now keeps its nodes until it starts */
	if ((!_waits_for_quota(job, now) &&
	     !(known && one.nodes && (engine_verdict(ctld.engine,
		job->first.work)->kind == VERDICT_START))) ||
	    (same_tree >= (size_t) ctld.conf->planned_jobs) || (at == MOST)) {
		planned_clear(&one);
		return;
	}
	memmove(&planned.list[at + 1], &planned.list[at],
		(planned.n - at) * sizeof(planned.list[0]));
	planned.list[at] = one;
	planned.n++;
	_drop_excess(one.root);
}

extern void planned_choose_end(void)
{
	for (size_t i = 0; i < planned.nold; i++)
		planned_clear(&planned.old[i]);
	planned.nold = 0;
}

/* ---- a cycle of backfill ---- */

static void _show_to_backfill(struct job *job)
{
	if (!job->marked)
		return;
	job->job_ptr->preempt_in_progress = false;
	/* of two partitions it takes the earlier start, and this was none */
	job->job_ptr->start_time = 0;
}

static void _set_start(struct planned *one, struct job *job, time_t quota_at)
{
	one->start = MAX(quota_at, one->nodes_at);
	job->planned = one->start;
}

/* The start that was planned first has passed. */
static bool _is_late(const struct job *job, time_t now)
{
	return job->chance.promised && (now > job->chance.promised + GRACE);
}

extern void planned_give_up(struct planned *one, time_t now)
{
	struct job *job = jobs_find(one->job_id);

	if (job)
		chance_miss_plan(job, now);
	_remove(one - planned.list);
}

/* What was planned before still holds: backfill has taken it off the record, and
 * the estimate may have moved. */
static void _put_back(struct planned *one, struct job *job)
{
	if (!one->nodes)
		return;
	_set_start(one, job, job->estimate);
	if (!job->job_ptr->sched_nodes)
		job->job_ptr->sched_nodes = bitmap2node_name(one->nodes);
}

/* Who waits no longer, or waits in vain, is not planned. */
static void _look(time_t now)
{
	for (size_t i = planned.n; i-- > 0;) {
		struct planned *one = &planned.list[i];
		const struct job *job = _waiting(one);

		if (!job)
			_remove(i);
		else if (_is_late(job, now))
			planned_give_up(one, now);
		else if (one->declined ||
			 (one->offered && !one->reached && job->marked))
			planned_clear(one);
	}
}

/* The one whose turn is the longest ago; of several, the first. A job that has
 * quota needs no turn: backfill sees it anyway. */
static struct planned *_next(void)
{
	struct planned *next = NULL;

	for (size_t i = 0; i < planned.n; i++) {
		const struct job *job = _waiting(&planned.list[i]);

		if (!job || !job->marked)
			continue;
		if (!next || (planned.list[i].turn < next->turn))
			next = &planned.list[i];
	}
	return next;
}

/* What a cycle costs in which a job is planned, beyond the last one without, is
 * taken off the budget. Now and then there is one without, to compare with. */
static bool _may_offer(void)
{
	int64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int64_t cost = cpu - cycle.begun;
	bool known = cycle.begun && (cost >= 0);	/* else a new thread */

	cycle.begun = cpu;
	cycle.budget.at = MIN(cycle.budget.at, cpu);
	if (known && !cycle.offers)
		cycle.usual = cost;
	else if (known && (cost > cycle.usual))
		budget_spend(&cycle.budget, cost - cycle.usual);
	cycle.budget.left = MAX(cycle.budget.left, -OVERSPENT);
	cycle.number++;
	return budget_has(&cycle.budget, cpu) && known &&
		(cycle.number % COMPARED);
}

extern void planned_offer(time_t now)
{
	struct planned *next;

	_look(now);
	next = _may_offer() ? _next() : NULL;
	cycle.offers = next != NULL;
	for (size_t i = 0; i < planned.n; i++) {
		struct planned *one = &planned.list[i];

		one->offered = one == next;
		if (one != next)
			_put_back(one, _waiting(one));
	}
	if (!next)
		return;
	next->turn = cycle.number;
	next->reached = false;
	_show_to_backfill(_waiting(next));
}

extern void planned_offer_again(void)
{
	for (size_t i = 0; i < planned.n; i++) {
		struct planned *one = &planned.list[i];
		struct job *job = one->offered && !one->reached ?
			_waiting(one) : NULL;

		if (job && job->job_ptr->preempt_in_progress)
			_show_to_backfill(job);
	}
}

extern void planned_look_if_taken(uint32_t job_id)
{
	for (size_t i = 0; i < planned.n; i++) {
		struct planned *one = &planned.list[i];
		const struct job *job = one->offered && one->reached &&
			one->nodes && (one->job_id != job_id) ?
			_waiting(one) : NULL;

		if (job && job->marked)
			one->declined = !job->job_ptr->sched_nodes;
	}
}

extern void planned_note(struct planned *one, const bitstr_t *nodes,
			 time_t nodes_at, time_t quota_at)
{
	struct job *job = jobs_find(one->job_id);

	FREE_NULL_BITMAP(one->nodes);
	one->nodes = bit_copy((bitstr_t *) nodes);
	one->nodes_at = nodes_at;
	one->declined = false;
	if (!job)
		return;
	_set_start(one, job, quota_at);
	chance_promise(job, one->start);
}

/* ---- the other jobs ---- */

extern bool planned_any(void)
{
	return planned.n;
}

/* Backfill forgets its plans as its cycle begins, and makes them anew when it
 * comes to the job. */
static bool _holds(const struct planned *one, const struct job *job, time_t now)
{
	return one->nodes && !_is_late(job, now) &&
		(job->job_ptr->sched_nodes || !one->reached ||
		 !job->marked);
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
		(engine_verdict(ctld.engine, entry->work)->kind ==
		 VERDICT_PREEMPT);
}

extern void planned_keep_out(const struct entry *entry, bitstr_t *nodes,
			     time_t from)
{
	const job_record_t *job_ptr = entry->job->job_ptr;
	time_t now = time(NULL);

	if (!planned.n || !job_ptr->details || _goes_anyway(entry))
		return;
	for (size_t i = 0; i < planned.n; i++) {
		const struct planned *one = &planned.list[i];
		struct job *job = _waiting(one);

		if (job && (job != entry->job) && _holds(one, job, now) &&
		    (bit_size(one->nodes) == bit_size(nodes)) &&
		    _goes_before(job->job_ptr, job_ptr) &&
		    !_is_done_by(job_ptr, from, one->start))
			bit_and_not(nodes, one->nodes);
	}
}
