/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  provenance.c - which job gave way to which, by which rule, and why
 *
 *  One line in slurmctld.log for each eviction, and the same in the victim's
 *  system_comment, where it stays past requeue and restart until the job ends,
 *  or is evicted again. Programs read both, so their form is fixed:
 *
 *	preempted at TIME by job ID (cluster queue QUEUE), rule RULE, NUMBERS,
 *	ran N s, preemption N[, turns N], counted N[ of MAX]
 *
 *	evict: JobId=ID (QUEUE) for JobId=ID (QUEUE), rule RULE, NUMBERS,
 *	ran N s, preemption N[, turns N], counted N[ of MAX]
 *
 *  all on one line, parts separated by ", ". TIME is local, as squeue has it.
 *  RULE is Kueue's word (doc/how-it-decides.md). turns: so many of its evictions
 *  were ends of turns, if any were. counted: so many count for maxPreemptions,
 *  which is MAX, if that is set. NUMBERS are of the time before the eviction, of the flavor and
 *  resource that the preemptor lacks most. A pair in which the victim's queue
 *  borrows comes first:
 *
 *	QUEUE held USED of NOMINAL RESOURCE@FLAVOR[, QUEUE held USED of NOMINAL],
 *	needed N, free N[, for nodes]
 *
 *  first the victim's queue, then the preemptor's if that is another one. free
 *  is what the preemptor could have had without any eviction; where that is
 *  enough, the preemptor lacked nodes.
 *
 *  A job that stopPolicy HoldAndDrain sends away has no preemptor:
 *
 *	drained at TIME, cluster queue QUEUE has stopPolicy HoldAndDrain
\*****************************************************************************/
#include "placement/provenance.h"

#include "state/job.h"
#include "slurm/saver.h"
#include "record/comment.h"
#include "record/event.h"
#include "placement/place.h"

#include "query.h"

static const char *_queue_name(const struct workload *w)
{
	return ctld.conf->spec->queues[workload_queue(w)].name;
}

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

static bool _ledger_of(const struct workload *w, const struct charge *pair,
		       struct ledger *ledger)
{
	return !engine_ledger(ctld.engine, false, workload_queue(w),
			      pair->flavor, pair->resource, ledger);
}

/* Of what the victim gives, the pair that the preemptor lacks most, relative to
 * its need; first the pairs in which the victim's queue is above its nominal
 * quota. NULL if they have no pair in common */
static const struct charge *_pair(const struct place *p,
				  const struct workload *victim)
{
	const struct charge *pair = NULL;
	bool borrowed = false;
	double worst = 0;

	for (size_t i = 0; i < p->ncharges; i++) {
		const struct charge *c = &p->charges[i];
		struct ledger gives, gets;
		double lack;
		bool borrows;

		if (!c->amount || !_uses(victim, c) ||
		    !_ledger_of(victim, c, &gives) ||
		    !_ledger_of(p->entry->work, c, &gets))
			continue;
		borrows = gives.used > gives.nominal;
		lack = ((double) c->amount - gets.available) / c->amount;
		if (pair && ((borrows < borrowed) ||
			     ((borrows == borrowed) && (lack <= worst))))
			continue;
		pair = c;
		borrowed = borrows;
		worst = lack;
	}
	return pair;
}

/* False: they have no pair in common */
static bool _numbers(const struct place *p, const struct workload *victim,
		     struct event_numbers *n)
{
	const struct charge *pair = _pair(p, victim);
	struct ledger gives, gets;

	if (!pair || !_ledger_of(victim, pair, &gives) ||
	    !_ledger_of(p->entry->work, pair, &gets))
		return false;
	*n = (struct event_numbers) {
		.pair = *pair, .used = gives.used, .nominal = gives.nominal,
		.by_used = gets.used, .by_nominal = gets.nominal,
		.free = gets.available,
	};
	return true;
}

static int64_t _amount_in(const struct place *p, int queue, const struct charge *pair)
{
	int64_t sum = 0;

	if (workload_queue(p->entry->work) != queue)
		return 0;
	for (size_t i = 0; i < p->ncharges; i++) {
		if (_is_pair(&p->charges[i], pair))
			sum += p->charges[i].amount;
	}
	return sum;
}

/* Of a queue's pair, what the components of the job take that were placed before this
 * one. They have not started, but the victim was chosen as if they had. */
static int64_t _taken_before(const struct place *p, const struct place *first, int queue,
			     const struct charge *pair)
{
	int64_t sum;

	if (p == first)
		return 0;
	sum = _amount_in(first, queue, pair);
	for (size_t i = 0; (i < first->nothers) && (&first->others[i] != p); i++)
		sum += _amount_in(&first->others[i], queue, pair);
	return sum;
}

static void _add_components(const struct place *p, const struct place *first,
			    const struct workload *victim, struct event_numbers *n)
{
	n->used += _taken_before(p, first, workload_queue(victim), &n->pair);
	n->by_used += _taken_before(p, first, workload_queue(p->entry->work), &n->pair);
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
		   _queue_name(victim), n->used, n->nominal,
		   spec->resources[n->pair.resource],
		   spec->flavors[n->pair.flavor]);
	if (workload_queue(victim) != workload_queue(p->entry->work))
		xstrfmtcat(text, "%s held %"PRId64" of %"PRId64", ",
			   _queue_name(p->entry->work), n->by_used,
			   n->by_nominal);
	xstrfmtcat(text, "needed %"PRId64", free %"PRId64"%s", n->pair.amount,
		   n->free, n->free < n->pair.amount ? "" : ", for nodes");
	return text;
}

/* What the log and the record have in common; xmalloc'd */
static char *_why(const struct place *p, const struct victim *v, time_t now,
		  const struct evictions *evictions, const struct event_numbers *n)
{
	const struct job *victim = job_of(v->workload);
	int max = ctld.conf->spec->queues[workload_queue(v->workload)]
		.max_preemptions;
	char *numbers = _numbers_text(p, v->workload, n), *text = NULL;

	xstrfmtcat(text, "rule %s, %s, ran %ld s",
		   victim_reason_name(v->reason), numbers,
		   (long) (now - victim->job_ptr->start_time));
	comment_add_evictions(&text, evictions, max);
	xfree(numbers);
	return text;
}

/* What is left of it: a text in the record, and the event */
static void _record(const struct place *p, const struct victim *v,
		    const char *why, time_t now,
		    const struct event_numbers *numbers)
{
	struct job *victim = job_of(v->workload);
	char *text = comment_of_preempted(p->job_ptr->job_id,
					  _queue_name(p->entry->work), why, now);

	event_decided(victim, &(struct eviction_decided) {
		.by = p->job_ptr, .by_queue = p->entry->queue,
		.rule = v->reason, .numbers = numbers, .text = text, .at = now,
	});
	if (ctld.conf->comments)
		comment_preempted(victim->job_ptr, text, now);
	if (ctld.conf->admin_comments)
		comment_add_admin(victim->job_ptr, text);
	xfree(text);
}

static void _count(struct job *victim)
{
	struct run *run = job_get_run(victim);

	if (run_is_news(run, victim->job_ptr->start_time))
		run_count_eviction(run, 1);
	job_keep(victim);
}

extern void provenance_note(const struct place *p, const struct place *first,
			    const struct victim *v)
{
	struct job *victim = job_of(v->workload);
	struct run *run = job_get_run(victim);
	struct event_numbers room, *numbers = NULL;
	time_t now = time(NULL);
	char *why;

	if (_numbers(p, v->workload, &room)) {
		_add_components(p, first, v->workload, &room);
		numbers = &room;
	}
	run->noted = true;
	run->noted_for = v->reason;
	run->noted_pure = v->pure;
	_count(victim);
	why = _why(p, v, now, &run->evictions, numbers);
	info(PREFIX "evict: %pJ (%s) for %pJ (%s), %s", victim->job_ptr,
	     _queue_name(v->workload), p->job_ptr, _queue_name(p->entry->work),
	     why);
	_record(p, v, why, now, numbers);
	xfree(why);
	saver_save();
}

extern void provenance_follow(const struct job *job, struct job *component)
{
	struct run *run = job_get_run(component);

	run->noted = true;
	run->noted_by = run_of(job)->noted_by;
	run->noted_for = run_of(job)->noted_for;
	run->noted_pure = run_of(job)->noted_pure;
	_count(component);
	event_follow(component, job);
	if (ctld.conf->comments)
		comment_copy(component->job_ptr, job->job_ptr);
	if (ctld.conf->admin_comments && *event_text(job))
		comment_add_admin(component->job_ptr, event_text(job));
}

extern void provenance_observe(const struct place *p, const struct victim *v)
{
	const struct job *victim = job_of(v->workload);
	struct run would = {
		.evictions = run_of(victim)->evictions,
		.noted_for = v->reason, .noted_pure = v->pure,
	};
	struct event_numbers n;
	char *why;

	run_count_eviction(&would, 1);
	why = _why(p, v, time(NULL), &would.evictions,
		   _numbers(p, v->workload, &n) ? &n : NULL);
	info(PREFIX "observe: would evict: %pJ (%s) for %pJ (%s), %s",
	     victim->job_ptr, _queue_name(v->workload), p->job_ptr,
	     _queue_name(p->entry->work), why);
	xfree(why);
}

extern void provenance_drained(struct job *job)
{
	const char *queue = _queue_name(job->first.work);

	info(PREFIX "drain: %pJ, cluster queue %s has stopPolicy HoldAndDrain",
	     job->job_ptr, queue);
	if (ctld.conf->comments)
		comment_drained(job->job_ptr, queue, time(NULL));
}
