/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  seats.c - slurmctld's records, in its order, and which are to be looked at
 *
 *  doc/architecture.md, "Which records a pass looks at", says why nothing is
 *  missed.
\*****************************************************************************/
#include "record/seats.h"

#include "slurm/passes.h"
#include "match/het_records.h"
#include "match/job_standing.h"
#include "match/preemptibility.h"
#include "match/queue_of_job.h"
#include "record/due.h"
#include "record/shown.h"

static struct {
	struct seat *seats;
	size_t n, size;
	size_t nlist;			/* how many slurmctld has, */
	size_t same;			/* and how many of them at the beginning are
					 * where they were */
	bool moved;			/* another one behind these is so, too */
	uint32_t *awaited;		/* ids of jobs that were not in the list yet */
	size_t nawaited, awaited_size;
	size_t noutside;		/* seats that wait outside */
} all;

extern size_t seats_count(void)
{
	return all.n;
}

extern bool seats_wait_outside(void)
{
	return all.noutside;
}

extern struct seat *seat_at(size_t i)
{
	return &all.seats[i];
}

/* ---- slurmctld's list ---- */

/* Hundreds of thousands are no reason to have twice as much memory. */
static void _make_room(size_t n)
{
	if (n <= all.size)
		return;
	all.size = n + MAX(n / 8, 256);
	xrecalloc(all.seats, all.size, sizeof(*all.seats));
}

static void _take(size_t i, job_record_t *job_ptr)
{
	_make_room(i + 1);
	all.seats[i] = (struct seat) {
		.job_ptr = job_ptr, .job_id = job_ptr->job_id,
		.look = LOOK_ALWAYS,
	};
}

/* Compares the next record of the list with who was there, and takes it if it is behind
 * all of them. */
static int _compare(void *x, void *arg UNUSED)
{
	size_t i = all.nlist++;

	if (i >= all.n)
		_take(i, x);
	else if (all.seats[i].job_ptr != x)
		all.same = MIN(all.same, i);
	else
		all.moved |= all.same < i;
	return 0;
}

/* The last record of a question goes at once, and a task that leaves its array takes
 * another id: so a few of the last ones are compared. */
#define COMPARED 16

/* A record may be made where another was; ids are given once. */
static bool _is_same(size_t i)
{
	return all.seats[i].job_ptr->job_id == all.seats[i].job_id;
}

/* What is before one that is the same can only be as it was. But a record that is gone must
 * never be touched: should a Slurm come that puts its list in another order, all are looked
 * at. */
static size_t _count_kept(void)
{
	size_t n = MIN(all.n, all.nlist);

	for (size_t i = MIN(all.same, n); !all.moved && i && (i + COMPARED > n); i--) {
		if (_is_same(i - 1))
			return i;
	}
	return 0;
}

/* The next record of the list: those from *from on are taken anew. */
static int _take_again(void *x, void *from)
{
	size_t i = all.nlist++;

	if (i >= *(size_t *) from)
		_take(i, x);
	return 0;
}

extern void seats_await(uint32_t job_id)
{
	if (all.nawaited == all.awaited_size) {
		all.awaited_size = MAX(2 * all.awaited_size, 64);
		xrecalloc(all.awaited, all.awaited_size, sizeof(*all.awaited));
	}
	all.awaited[all.nawaited++] = job_id;
}

/* After a start they were many. */
static void _forget_awaited(void)
{
	all.nawaited = 0;
	if (all.awaited_size <= 1024)
		return;
	xfree(all.awaited);
	all.awaited_size = 0;
}

extern size_t seats_refresh(void (*gone)(uint32_t job_id))
{
	size_t kept, n = all.n;

	/* slurmctld's iterator locks the list for each; and nothing of the list may
	 * be asked for while it is gone through */
	all.nlist = 0;
	all.same = n;
	all.moved = false;
	(void) list_for_each(job_list, _compare, NULL);
	kept = _count_kept();
	for (size_t i = kept; kept && (i < n); i++)
		gone(all.seats[i].job_id);
	for (size_t i = kept; i < n; i++)
		all.noutside -= all.seats[i].waits_outside;
	for (size_t i = 0; i < all.nawaited; i++)
		gone(all.awaited[i]);
	_forget_awaited();
	if (kept < n) {
		all.nlist = 0;
		(void) list_for_each(job_list, _take_again, &kept);
	}
	all.n = all.nlist;
	return kept;
}

/* ---- one record ---- */

static bool _is_outside(job_record_t *job_ptr, time_t now UNUSED)
{
	return job_is_outside(job_ptr);
}

/* Its array, its reservation, its licenses or its burst buffer may change without it; and
 * slurmctld itself changes the QOS of one that names several. Components are looked at
 * together, but no glance is at one that is of no queue. */
static bool _stands_alone(const job_record_t *job_ptr)
{
	return !job_ptr->array_job_id && !het_any(job_ptr, _is_outside, 0) &&
		!job_ptr->array_recs && !job_ptr->resv_name &&
		!job_ptr->resv_id && !job_ptr->license_list &&
		!job_ptr->burst_buffer && !compat_names_several_qos(job_ptr);
}

/* Nothing was learned of it, or given to it, that may end by itself. */
static bool _has_no_history(const struct job *job)
{
	for_each_entry(e, job) {
		if (entry_has_amounts(e) || entry_has_taken(e) || parts_of(e)->owned)
			return false;
	}
	return !offer_of(job)->tries.missing;
}

static bool _was_missed(const struct job *job)
{
	for_each_entry(e, job) {
		if (e->chance.no_nodes)
			return true;
	}
	return offer_of(job)->chance.passed_over;
}

/* It waits by the plan: slurmctld does not try it. Or it may start by it, and each try shows
 * (gate.c): what was missed stays until then, or until the plan does not let it go any more
 * (chance.c). With several partitions slurmctld goes on from one to the next, and of
 * components a try of one is a try of all. */
static bool _is_told_of(const struct job *job)
{
	if (job->marked)
		return !_was_missed(job);
	return !job->job_ptr->het_job_id && !entry_next(&job->first) && !job_nvias(job) &&
		!job_names_several(job->job_ptr);
}

static bool _waits_plainly(const struct job *job)
{
	const job_record_t *job_ptr = job->job_ptr;

	return job->fingerprint && _stands_alone(job_ptr) &&
		_has_no_history(job) && _is_told_of(job) &&
		!job_ptr->details->depend_list &&
		(!job_ptr->deadline || (job_ptr->deadline == NO_VAL)) &&
		!ctld.conf->planned_jobs;
}

/* Its comment counts if its queue has a rule for jobs that can't be preempted. One
 * that this pass has started is exempt until the pass is over. */
extern bool seat_runs_plainly(const struct job *job)
{
	const job_record_t *job_ptr = job->job_ptr;
	const struct workload *w = job->first.work;

	return job_runs(job) && (job_ptr->job_state == JOB_RUNNING) && !job_ptr->het_job_id &&
		!job->provisional && !workload_evicting(w) &&
		!job_ptr->preempt_time && !workload_is_nonpreemptible(w) &&
		!preemptibility_has_rule(workload_queue(w)) &&
		(run_of(job)->started_in != pass_begun());
}

/* It has no place and no text, and whatever else changes, it gets none. */
static bool _is_put_off(const job_record_t *job_ptr, const struct job *job)
{
	return (!job || (!job->first.work && !offer_of(job)->tries.missing)) &&
		job_is_put_off(job_ptr, time(NULL));
}

static enum seat_look _look_for(struct seat *seat, const struct job *job)
{
	job_record_t *job_ptr = seat->job_ptr;

	if (ctld.broken)
		return LOOK_ALWAYS;
	if (_is_put_off(job_ptr, job))
		return LOOK_IF_DUE;
	if (job_is_over(job_ptr) && (!job || !job->first.work))
		return LOOK_IN_TURN;
	if (!job)
		return job_is_outside(job_ptr) ? LOOK_IN_TURN : LOOK_ALWAYS;
	if (job_runs(job))
		return seat_runs_plainly(job) ? LOOK_IN_TURN : LOOK_ALWAYS;
	return job_waits(job) && _waits_plainly(job) &&
		seat_is_unchanged(seat) ? LOOK_IF_CHANGED : LOOK_ALWAYS;
}

extern void seat_settle(size_t i, struct job *job)
{
	struct seat *seat = &all.seats[i];
	bool outside = !job && IS_JOB_PENDING(seat->job_ptr);

	all.noutside += outside - seat->waits_outside;
	seat->waits_outside = outside;
	if (job)
		job->seat = i + 1;
	seat->job_id = seat->job_ptr->job_id;
	seat->priority = seat->job_ptr->priority;
	seat->may_start = job && !job->marked;
	seat->text = shown_where(seat->job_ptr->state_desc);
	seat->look = _look_for(seat, job);
}

/* With these slurmctld holds back no job: it found no nodes when it tried the job, maybe
 * long ago. A job that must wait by the plan is not tried, and keeps such a reason. */
static bool _is_of_nodes(uint32_t reason)
{
	return (reason == WAIT_RESOURCES) || (reason == WAIT_PRIORITY) ||
		(reason == WAIT_NODE_NOT_AVAIL);
}

/* One that may start is tried, and may get a text of slurmctld's then. */
static bool _has_its_text(const struct seat *seat)
{
	const char *text = seat->job_ptr->state_desc;

	return text && (!seat->may_start || (shown_where(text) == seat->text));
}

/* slurmctld removes our text when a waiting job is updated, and gives a job that it holds
 * back its own reason. */
extern bool seat_is_unchanged(const struct seat *seat)
{
	const job_record_t *job_ptr = seat->job_ptr;

	return (job_ptr->job_state == JOB_PENDING) &&
		(job_ptr->priority == seat->priority) && _has_its_text(seat) &&
		_is_of_nodes(job_ptr->state_reason);
}

extern bool seat_is_as_seen(size_t i, time_t now)
{
	const struct seat *seat = &all.seats[i];

	if (seat->look == LOOK_IF_CHANGED)
		return seat_is_unchanged(seat);
	if ((seat->look != LOOK_IF_DUE) || (seat->job_ptr->job_id != seat->job_id) ||
	    !job_is_put_off(seat->job_ptr, now))
		return false;
	due_note(seat->job_ptr);
	return true;
}

#define AHEAD 4

extern void seat_fetch_ahead(size_t i)
{
	const job_record_t *job_ptr;

	if (i + AHEAD >= all.n)
		return;
	job_ptr = all.seats[i + AHEAD].job_ptr;
	__builtin_prefetch(&job_ptr->job_state);
	__builtin_prefetch(&job_ptr->priority);
	__builtin_prefetch(&job_ptr->state_desc);
}

extern void seat_unsettle(struct job *job)
{
	size_t i = job->seat;

	if (i && (i <= all.n) && (all.seats[i - 1].job_id == job->job_id))
		all.seats[i - 1].look = LOOK_ALWAYS;
}
