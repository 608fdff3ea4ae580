/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  evict.c - victims, how they go, and which job gave way to which, by which rule
 *
 *  Slurm does the evicting (requeue or cancel, grace time, signals) for every
 *  job on the list that job_test returns.
 *
 *  One line in slurmctld.log for each eviction, and the same in the victim's
 *  system_comment. Programs read both: slurm-cohort(8) has their form. The numbers
 *  are of the time before the eviction, of the flavor and resource that the preemptor
 *  lacks most. A pair in which the victim's queue borrows comes first.
\*****************************************************************************/
#include "placement/place.h"

#include "slurm/worker.h"
#include "events/events.h"
#include "match/match.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "books/books.h"

#include "query.h"

static const char *_queue_name(const struct workload *w)
{
	return ctld.conf->spec->queues[workload_queue(w)].name;
}

extern uint32_t evict_grace_time(job_record_t *job_ptr)
{
	uint32_t grace_time = 0;

	if (unmanaged_get(job_ptr, PREEMPT_DATA_GRACE_TIME, &grace_time))
		return grace_time;
	if (IS_JOB_SUSPENDED(job_ptr))	/* it can't use any */
		return 0;
	if (job_ptr->qos_ptr && job_ptr->qos_ptr->grace_time)
		return job_ptr->qos_ptr->grace_time;
	return job_ptr->part_ptr ? job_ptr->part_ptr->grace_time : 0;
}

/* stopPolicy HoldAndDrain: jobs that run in the queue have to go. They have no
 * preemptor, so the waker's thread calls Slurm's own means. */
static void _drain(struct job *job)
{
	const char *queue = _queue_name(job->first.work);
	job_record_t *job_ptr = het_leader(job->job_ptr);

	info(PREFIX "drain: %pJ, cluster queue %s has stopPolicy HoldAndDrain", job->job_ptr, queue);
	eviction_note_drained(job->job_ptr, queue);
	if ((evict_mode(job_ptr) == PREEMPT_MODE_REQUEUE) &&
	    (compat_requeue(job_ptr) == SLURM_SUCCESS))
		return;
	if (job_ptr->het_job_list)
		(void) het_job_signal(job_ptr, SIGKILL, 0, 0, true);
	else
		(void) job_signal(job_ptr, SIGKILL, 0, 0, true);
}

static void _end_grace(job_record_t *job_ptr)
{
	if (time(NULL) < job_ptr->end_time)
		waker_at(job_ptr->end_time);
	else
		(void) slurm_job_preempt(job_ptr, NULL, slurm_job_preempt_mode(job_ptr), false);
}

static void _look(struct job *job, void *arg UNUSED)
{
	const struct spec *spec = ctld.conf->spec;
	const job_record_t *job_ptr = job_runs(job) ? jobs_record(job) : NULL;

	if (!job_ptr)
		return;
	if ((spec->queues[workload_queue(job->first.work)].stop == STOP_HOLD_AND_DRAIN) &&
	    !workload_evicting(job->first.work))
		_drain(job);
	else if (job_ptr->preempt_time && IS_JOB_RUNNING(job_ptr) &&
		 (!job_ptr->het_job_id || job_ptr->het_job_list))
		_end_grace(job->job_ptr);
}

extern void evict_due(void)
{
	if (ctld_enforces())
		jobs_each(_look, NULL);
}

/* ---- by which rule, and why ---- */

static bool _is_pair(const struct charge *charge, const struct charge *pair)
{
	return (charge->flavor == pair->flavor) && (charge->resource == pair->resource);
}

static bool _uses(const struct workload *w, const struct charge *pair)
{
	const struct charge *charges;
	size_t n;

	charges = workload_charges(w, &n);
	for (size_t i = 0; i < n; i++) {
		if (_is_pair(&charges[i], pair))
			return true;
	}
	return false;
}

static bool _ledger_of(const struct workload *w, const struct charge *pair, struct ledger *ledger)
{
	return !engine_ledger(ctld.engine, false, workload_queue(w), pair->flavor,
			      pair->resource, ledger);
}

/* Of what the victim gives, the pair that the preemptor lacks most, relative to its need;
 * first the pairs in which the victim's queue is above its nominal quota. False: they have no
 * pair in common */
static bool _numbers(const struct place *p, const struct workload *victim,
		     struct event_numbers *n)
{
	bool any = false, borrowed = false;
	double worst = 0;

	for (size_t i = 0; i < p->ncharges; i++) {
		const struct charge *c = &p->charges[i];
		struct ledger gives, gets;
		double lack;
		bool borrows;

		if (!c->amount || !_uses(victim, c) || !_ledger_of(victim, c, &gives) ||
		    !_ledger_of(p->entry->work, c, &gets))
			continue;
		borrows = gives.used > gives.nominal;
		lack = ((double) c->amount - gets.available) / c->amount;
		if (any && ((borrows < borrowed) || ((borrows == borrowed) && (lack <= worst))))
			continue;
		any = true;
		borrowed = borrows;
		worst = lack;
		*n = (struct event_numbers) {
			.pair = *c, .used = gives.used, .nominal = gives.nominal,
			.by_used = gets.used, .by_nominal = gets.nominal, .free = gets.available,
		};
	}
	return any;
}

/* Of a queue's pair, what the components of the job take that were placed before this
 * one. They have not started, but the victim was chosen as if they had. */
static int64_t _taken_before(const struct place *p, const struct place *first, int queue,
			     const struct charge *pair)
{
	int64_t sum = 0;

	for (const struct place *q = first; q != p; q = q == first ? first->others : q + 1) {
		for (size_t i = 0; i < q->ncharges; i++) {
			if ((workload_queue(q->entry->work) == queue) &&
			    _is_pair(&q->charges[i], pair))
				sum += q->charges[i].amount;
		}
	}
	return sum;
}

/* xmalloc'd; n: NULL if there are none */
static char *_numbers_text(const struct place *p, const struct workload *victim,
			   const struct event_numbers *n)
{
	const struct spec *spec = ctld.conf->spec;
	char *text = NULL;

	if (!n)
		return xstrdup("for nodes");
	xstrfmtcat(text, "%s held %"PRId64" of %"PRId64" %s@%s, ",
		   _queue_name(victim), n->used, n->nominal, spec->resources[n->pair.resource],
		   spec->flavors[n->pair.flavor]);
	if (workload_queue(victim) != workload_queue(p->entry->work))
		xstrfmtcat(text, "%s held %"PRId64" of %"PRId64", ",
			   _queue_name(p->entry->work), n->by_used, n->by_nominal);
	xstrfmtcat(text, "needed %"PRId64", free %"PRId64"%s", n->pair.amount,
		   n->free, n->free < n->pair.amount ? "" : ", for nodes");
	return text;
}

/* What the log and the record have in common; xmalloc'd */
static char *_why(const struct place *p, const struct victim *v, time_t now,
		  const struct evictions *evictions, const struct event_numbers *n)
{
	const struct job *victim = job_of(v->workload);
	time_t saved = job_ran_for(victim->job_ptr, now) - job_would_lose(victim->job_ptr, now);
	int max = ctld.conf->spec->queues[workload_queue(v->workload)]
		.max_preemptions;
	char *numbers = _numbers_text(p, v->workload, n), *text = NULL;

	xstrfmtcat(text, "rule %s, %s, ran %ld s", victim_reason_name(v->reason), numbers,
		   (long) (now - victim->job_ptr->start_time));
	if (saved > 0)
		xstrfmtcat(text, ", saved %ld s", (long) saved);
	eviction_add_counts(&text, evictions, max);
	xfree(numbers);
	return text;
}

extern void evict_observe(const struct place *p, const struct victim *v, bool news)
{
	struct job *victim = job_of(v->workload);
	struct run would = {
		.evictions = run_of(victim)->evictions,
		.noted_for = v->reason, .noted_pure = v->pure,
	};
	struct event_numbers room, *numbers = _numbers(p, v->workload, &room) ? &room : NULL;
	struct run *run = job_get_run(victim);
	time_t now = time(NULL);
	char *why;

	run_count_eviction(&would, 1);
	why = _why(p, v, now, &would.evictions, numbers);
	info(PREFIX "observe: would evict: %pJ (%s) for %pJ (%s), %s",
	     victim->job_ptr, _queue_name(v->workload), p->job_ptr,
	     _queue_name(p->entry->work), why);
	/* nobody goes, so the same jobs come again, perhaps in other pairs */
	if (news || !run->observed)
		events_put(eviction_observed(victim, &(struct eviction_decided) {
			.by = p->job_ptr, .by_queue = p->entry->queue, .rule = v->reason,
			.numbers = numbers, .why = why, .at = now,
		}));
	run->observed = true;
	xfree(why);
}

/* ---- the victims that job_test has found ---- */

struct eviction {
	const struct place *p;		/* its nodes are cleared */
	const struct place *asking;	/* of the component that needs it: p, if the job
					 * is not heterogeneous */
	const struct victim *v;
};

/* What is left of it: a line, and what its record and the event say */
static void _record(struct job *victim, const struct eviction *eviction)
{
	const struct place *p = eviction->asking, *first = eviction->p;
	const struct victim *v = eviction->v;
	struct event_numbers room, *numbers = NULL;
	time_t now = time(NULL);
	char *why;

	if (_numbers(p, v->workload, &room)) {
		room.used += _taken_before(p, first, workload_queue(v->workload), &room.pair);
		room.by_used += _taken_before(p, first, workload_queue(p->entry->work),
					      &room.pair);
		numbers = &room;
	}
	why = _why(p, v, now, &run_of(victim)->evictions, numbers);
	info(PREFIX "evict: %pJ (%s) for %pJ (%s), %s", victim->job_ptr,
	     _queue_name(v->workload), p->job_ptr, _queue_name(p->entry->work), why);
	eviction_note(victim, &(struct eviction_decided) {
		.by = p->job_ptr, .by_queue = p->entry->queue,
		.rule = v->reason, .numbers = numbers, .why = why, .at = now,
	});
	xfree(why);
}

/* The job is evicted: for quota that others need, or as the component of such a job */
static void _evict(struct job *victim, const struct eviction *eviction)
{
	const struct victim *v = eviction->v;
	struct run *run = job_get_run(victim);
	uint32_t grace;

	run->noted = true;
	run->noted_by = eviction->p->job_ptr->job_id;
	run->noted_for = v->reason;
	run->noted_pure = v->pure;
	if (run_is_news(run, victim->job_ptr->start_time))
		run_count_eviction(run, 1);
	job_keep(victim);
	if (v->workload == victim->first.work)
		_record(victim, eviction);
	else
		eviction_note_along(victim, job_of(v->workload));
	saver_save();
	run->turn_over = v->reason == VICTIM_TIME_BASED ? time(NULL) : 0;
	engine_evicting(ctld.engine, victim->first.work, true);
	if ((grace = evict_grace_time(victim->job_ptr)))
		waker_at(time(NULL) + grace);
}

/* Listed for the same job before, as Slurm tried it in parts, and not yet told to go */
static bool _listed_before(const struct place *p, const struct job *victim)
{
	const struct run *run = run_of(victim);

	return run->noted && (run->noted_by == p->job_ptr->job_id) &&
		!victim->job_ptr->preempt_time;
}

extern int evict_list(struct place *p)
{
	bool decided = (p->mode == SELECT_MODE_RUN_NOW) && !p->partial && !p->limited, again;
	struct eviction eviction;
	int listed = 0, told = 0;

	if (!p->preemptee_job_list)
		return 0;
	FREE_NULL_LIST(*p->preemptee_job_list);
	for (size_t i = 0; i < p->nvictims; i++) {
		struct workload *w = p->victims[i].workload;
		struct job *victim = job_of(w);

		if (!jobs_record(victim) || !job_holds_nodes(victim->job_ptr))
			continue;
		again = _listed_before(p, victim);
		if (workload_evicting(w) && !again)
			continue;
		if (!*p->preemptee_job_list)
			*p->preemptee_job_list = list_create(NULL);
		list_append(*p->preemptee_job_list, het_leader(victim->job_ptr));
		listed++;
		if (!decided || again)
			continue;
		told++;
		eviction = (struct eviction) {
			p, het_place_asking(p, w), &p->victims[i],
		};
		_evict(victim, &eviction);
		for_each_component(c, victim->job_ptr, true) {
			if (c->first.work != w)
				_evict(c, &eviction);
		}
	}
	if (told)
		chance_count_eviction(p->entry->job);
	return listed;
}
