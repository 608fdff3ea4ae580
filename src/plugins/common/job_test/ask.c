/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ask.c - a user asks when a job would start: sbatch --test-only
 *
 *  slurmctld makes a record of the job, asks job_test when it will run, and
 *  throws the record away. So the job joins the books for a moment. If the plan
 *  lets it start or evict, it is placed as its real submission would be, and
 *  nothing of that is carried out. Otherwise the cluster is played forward with
 *  the job, which tells when there is quota, and cons_tres tells when there are
 *  nodes; the later time counts. Nodes may also be cleared by eviction, as soon
 *  as the jobs on them are not protected any more.
 *
 *  Questions are answered under slurmctld's locks, and any user may ask, as
 *  often as they like. So a single question has a bound, and all questions
 *  together get a tenth of the time, and no second is theirs alone: little is
 *  saved. Beyond it a question is refused without a look: its answer is that the
 *  start is not known now.
\*****************************************************************************/
#include "job_test/job_test.h"

#include "slurm/worker.h"
#include "match/match.h"
#include "jobs/jobs.h"
#include "books/books.h"
#include "tell/tell.h"
#include "estimate/estimate.h"

#include "lib/budget.h"

#define HIGHEST (NO_VAL - 1)
/* How many ends of protections are looked at */
#define MAX_EXPIRIES 16

/* ---- the cost ---- */

/* Of each second, questions get one part in so many. After a pause, a few in a
 * row may use SAVED. Playing forward for one of them ends when it has taken
 * ONE. */
#define PARTS 10
#define SAVED (SPEC_SEC / 4)
#define ONE (SPEC_SEC / 4)

static struct {
	struct budget budget;
	int64_t begun;			/* CPU time of this thread, ns */
} questions = { .budget = { .parts = PARTS, .most = SAVED } };

extern bool questions_begin(void)
{
	if (!budget_has(&questions.budget, clock_ns(CLOCK_MONOTONIC))) {
		count_work(WORK_POSTPONED);
		return false;
	}
	count_work(WORK_ANSWERED);
	questions.begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return true;
}

extern void questions_end(void)
{
	int64_t cost = clock_ns(CLOCK_THREAD_CPUTIME_ID) - questions.begun;

	budget_spend(&questions.budget, cost);
	ctld.work[WORK_QUESTION_NS] += cost;
}

/* No more work is to be done for the question. */
static bool _costs_enough(void *arg UNUSED)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - questions.begun > ONE;
}

/* ---- now ---- */

static bool _take_turn(struct entry *entry)
{
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);

	return verdict_goes(v) && !chance_hold_if_behind(entry);
}

/* The jobs that would be evicted for it, and how long that takes */
static time_t _list_victims(struct place *p)
{
	time_t longest = 0;

	FREE_NULL_LIST(*p->preemptee_job_list);
	for (size_t i = 0; i < p->nvictims; i++) {
		struct job *victim = job_of(p->victims[i].workload);

		longest = MAX(longest, (time_t) evict_grace_time(victim->job_ptr) + HANDOVER);
		if (workload_evicting(p->victims[i].workload))
			continue;
		if (!*p->preemptee_job_list)
			*p->preemptee_job_list = list_create(NULL);
		list_append(*p->preemptee_job_list, victim->job_ptr);
	}
	return longest;
}

/* Place the job as its submission would be placed at that time, if books and nodes were as
 * they are now. Leaves the jobs that it would evict in p->victims. */
static bool _try_place_at(struct place *p, int64_t at)
{
	job_record_t *job_ptr = p->job_ptr;
	bool fits;

	bit_copybits(p->node_bitmap, p->usable);
	p->now = at;
	if ((fits = (place_find(p) == FOUND_PLACE)))
		/* no job_resrcs where nodes have to be cleared first */
		job_ptr->total_cpus = job_ptr->job_resrcs ?
			job_ptr->job_resrcs->ncpus :
			job_ptr->details->min_cpus;
	else
		FREE_NULL_LIST(*p->preemptee_job_list);
	free_job_resources(&job_ptr->job_resrcs);
	return fits;
}

static bool _answer_now(struct place *p, time_t now)
{
	if (!p->preemptee_job_list || !_take_turn(p->entry) || !_try_place_at(p, ns_of(now)))
		return false;
	p->job_ptr->start_time = now + _list_victims(p);
	return true;
}

/* ---- later ---- */

/* When the books let the job start; 0: never, or not to be foreseen. Leaves the
 * jobs that it evicts for that in the outlook. */
static time_t _quota_time(const struct entry *entry, struct outlook *outlook)
{
	uint32_t job_id = entry->job->job_id;
	const struct sim_job *watched = NULL;

	if (!outlook_take(outlook, workload_queue(entry->work))) {
		error(PREFIX "%pJ: %m", entry->job->job_ptr);
		return 0;
	}
	outlook->asked = job_id;
	outlook->enough = _costs_enough;
	outlook->plan_budget = (uint64_t) ctld.conf->plan_budget;
	for (size_t i = 0; i < outlook->nwaiting; i++) {
		if (outlook->waiting[i].job_id == job_id)
			watched = outlook->waiting[i].job;
	}
	if (!watched || (outlook_play(outlook, watched) <= 0))
		return 0;
	return time_of(sim_job_started(watched));
}

/* The nodes of all flavors that it may use */
static void _narrow_to_flavors(struct place *p)
{
	const struct spec_queue *queue =
		&ctld.conf->spec->queues[workload_queue(p->entry->work)];

	bit_copybits(p->node_bitmap, p->usable);
	for (size_t i = 0; i < queue->ngroups; i++) {
		const struct spec_group *group = &queue->groups[i];
		bitstr_t *any = bit_alloc(bit_size(p->node_bitmap));

		for (size_t j = 0; j < group->nflavors; j++) {
			bitstr_t *nodes = flavor_nodes(group->flavors[j]);

			if (!flavor_suits(group->flavors[j], p->job_ptr,
					  p->job_ptr->part_ptr, false))
				continue;
			if (nodes)
				bit_or(any, nodes);
			else
				bit_set_all(any);
		}
		bit_and(p->node_bitmap, any);
		FREE_NULL_BITMAP(any);
	}
}

/* When nodes are free, if these jobs are gone; 0: never */
static time_t _nodes_time(struct place *p, compat_list_t gone)
{
	_narrow_to_flavors(p);
	if (p->cons_tres(p->job_ptr, p->node_bitmap, p->min_nodes, p->max_nodes,
		    p->req_nodes, SELECT_MODE_WILL_RUN, gone, NULL,
		    COMPAT_REST_OF(&p->rest)) != SLURM_SUCCESS)
		return 0;
	return p->job_ptr->start_time;
}

/* When nodes are free, as soon as the victims for quota have left them; 0: never */
static time_t _cleared_time(struct place *p)
{
	compat_list_t gone = place_candidates(p, NULL, 0);
	time_t at = list_count(gone) ? _nodes_time(p, gone) : 0;

	FREE_NULL_LIST(gone);
	return at;
}

/* The job has quota, and the jobs on the nodes are protected: when, from then
 * on and before `limit` (0: none), may enough of them be evicted? 0: not
 * before. No job is taken to end by itself. */
static time_t _protected_time(struct place *p, int64_t from, time_t limit)
{
	if (!p->preemptee_job_list || !_take_turn(p->entry))
		return 0;
	for (int i = 0; from && (i < MAX_EXPIRIES); i++) {
		if (limit && (from >= ns_of(limit)))
			break;
		p->protected_until = 0;
		if (_try_place_at(p, from))
			return time_of(from) + _list_victims(p);
		from = p->protected_until > from ? p->protected_until : 0;
	}
	return 0;
}

/* When there is quota, nodes may be free, or be cleared by then of the jobs that it evicts; or
 * of other jobs, later. Leaves the jobs that have to go in p->victims. */
static time_t _later_time(struct place *p, struct outlook *outlook,
			  time_t quota, int64_t from)
{
	time_t free = _nodes_time(p, NULL), cleared, by_force;
	time_t at = free ? MAX(quota, free) : 0;

	/* these jobs may still wait now: a victim that will run by then goes, too */
	xfree(p->victims);
	p->victims = outlook->victims;
	p->nvictims = outlook->nvictims;
	outlook->victims = NULL;
	if (at == quota)
		return at;
	cleared = _cleared_time(p);
	if (cleared && (!at || (MAX(quota, cleared) < at)))
		return MAX(quota, cleared);
	by_force = _protected_time(p, from, at);
	if (by_force && (!at || (MAX(quota, by_force) < at)))
		return MAX(quota, by_force);
	p->nvictims = 0;
	return at ? MAX(quota, _nodes_time(p, NULL)) : 0;
}

/* *unsure: other jobs have to go for it, and which ones can't be foreseen. *cut: a plan has
 * used up its budget, which might change the answer */
static bool _answer_later(struct place *p, int64_t from, bool *unsure, bool *cut)
{
	struct outlook outlook;
	time_t quota, at = 0;

	p->nvictims = 0;
	if ((quota = _quota_time(p->entry, &outlook)))
		at = _later_time(p, &outlook, quota, from);
	*unsure = at && outlook.nvictims && !p->nvictims;
	*cut = outlook.sim && sim_is_cut(outlook.sim);
	outlook_free(&outlook);
	if (!at)
		return false;
	if (p->preemptee_job_list)
		(void) _list_victims(p);
	p->job_ptr->start_time = at;
	return true;
}

/* The try may have shown that no nodes of a flavor can ever hold it. False: no
 * memory, and so no plan that an answer could be based on */
static bool _relearn(job_record_t *job_ptr)
{
	(void) books_sync_asked(job_ptr);
	if (books_plan(time(NULL)) >= 0)
		return true;
	error(PREFIX "%pJ: plan: %m", job_ptr);
	return false;
}

/* On any of the nodes that are up, with no other job on them */
static bool _could_ever(struct place *p)
{
	_narrow_to_flavors(p);
	return place_could_ever(p->node_bitmap, p);
}

/* slurmctld asks about nodes that are for another user alone, too, and never gives them to the
 * job. When they are free again is not foreseen. Are there any? */
static bool _leave_out_owned(struct place *p)
{
	int before = bit_set_count(p->usable);

	filter_by_node_owner(p->job_ptr, p->usable);
	return bit_set_count(p->usable) < before;
}

extern int ask_answer(struct place *p, bool passing)
{
	job_record_t *job_ptr = p->job_ptr;
	time_t now = time(NULL), begin = job_ptr->details->begin_time;
	bool later = begin > now, unsure = false, known = true, cut = false, owned;

	p->usable = bit_copy(p->node_bitmap);
	p->mode = SELECT_MODE_RUN_NOW;
	p->may_evict = true;
	owned = _leave_out_owned(p);
	p->req_nodes = compat_asked_nodes(job_ptr, p->min_nodes, p->req_nodes);
	if (!later && _answer_now(p, now)) {
		asked_goes(p);
	} else if (!later && !_relearn(job_ptr)) {
		known = false;
		(void) asked_postponed(job_ptr);
	} else if (!later && !engine_is_planned(ctld.engine, p->entry->work)) {
		known = false;
		asked_unfinished(job_ptr);
	} else if (!(known = _answer_later(p, later ? ns_of(begin) : p->protected_until, &unsure,
					   &cut)) && cut) {
		asked_unfinished(job_ptr);
	} else {
		asked_waits(p, known ? job_ptr->start_time : 0, later, unsure,
			    known || owned || _could_ever(p));
	}
	worker_wake(&publisher);
	place_free(p);

	if (passing) {
		books_forget(p->entry->job);
		/* slurmctld adds up the run times of all jobs that wait with this priority or
		 * a higher one, as if they had the partition one after another. The forecast
		 * has counted them already, and slurmctld throws the record away next. After a
		 * refusal it does not: it asks again, for the next partition. */
		if (known)
			job_ptr->priority = HIGHEST;
	}
	return known ? SLURM_SUCCESS : compat_refused();
}
