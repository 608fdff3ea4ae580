/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  provenance.c - who gave way to whom, by which rule, and why it had to be
 *
 *  One line in slurmctld.log for each eviction, and the same in the victim's
 *  system_comment, where it stays past requeue and restart until the job ends,
 *  or is evicted again. Programs read both, so their form is fixed:
 *
 *	preempted at TIME by job ID (cluster queue QUEUE), rule RULE, NUMBERS,
 *	ran N s, preemption N[ of MAX]
 *
 *	evict: JobId=ID (QUEUE) for JobId=ID (QUEUE), rule RULE, NUMBERS,
 *	ran N s, preemption N[ of MAX]
 *
 *  all on one line, parts separated by ", ". TIME is local, as squeue has it.
 *  RULE is Kueue's word (doc/how-it-decides.md). MAX is maxPreemptions, if that
 *  is set. NUMBERS are those before the eviction, of a pair in which the
 *  victim's queue borrows if there is one, the one that the preemptor lacks most:
 *
 *	QUEUE held USED of NOMINAL RESOURCE@FLAVOR[, QUEUE held USED of NOMINAL],
 *	needed N, free N[, for nodes]
 *
 *  first the victim's queue, then the preemptor's if that is another one. free
 *  is what the preemptor could have had without evicting anybody; where that is
 *  enough, it was nodes that were missing.
 *
 *  Whom stopPolicy HoldAndDrain sends away, nobody takes the place of:
 *
 *	drained at TIME, cluster queue QUEUE has stopPolicy HoldAndDrain
\*****************************************************************************/
#include "placement/provenance.h"

#include "query.h"
#include "state/job.h"
#include "slurm/waker.h"
#include "books/het.h"
#include "books/jobs.h"
#include "placement/place.h"

static const char *_queue_name(const struct workload *w)
{
	return ctld.conf->spec->queues[workload_queue(w)].name;
}

static bool _uses(const struct workload *w, const struct charge *pair)
{
	const struct charge *charges;
	size_t n;

	charges = workload_charges(w, &n);
	for (size_t i = 0; i < n; i++) {
		if ((charges[i].flavor == pair->flavor) &&
		    (charges[i].resource == pair->resource))
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

/* Of what the victim gives, the pair that the preemptor lacks most, relative
 * to what it needs; first those in which the victim's queue is above its
 * nominal quota. NULL if they have none in common */
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
		    !_ledger_of(p->job->work, c, &gets))
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

/* xmalloc'd */
static char *_numbers(const struct place *p, const struct workload *victim)
{
	const struct spec *spec = ctld.conf->spec;
	const struct charge *pair = _pair(p, victim);
	struct ledger gives, gets;
	char *text = NULL;

	if (!pair || !_ledger_of(victim, pair, &gives) ||
	    !_ledger_of(p->job->work, pair, &gets))
		return xstrdup("for nodes");
	xstrfmtcat(text, "%s held %"PRId64" of %"PRId64" %s@%s, ",
		   _queue_name(victim), gives.used, gives.nominal,
		   spec->resources[pair->resource],
		   spec->flavors[pair->flavor]);
	if (workload_queue(victim) != workload_queue(p->job->work))
		xstrfmtcat(text, "%s held %"PRId64" of %"PRId64", ",
			   _queue_name(p->job->work), gets.used, gets.nominal);
	xstrfmtcat(text, "needed %"PRId64", free %"PRId64"%s", pair->amount,
		   gets.available,
		   gets.available < pair->amount ? "" : ", for nodes");
	return text;
}

/* What log and record have in common; xmalloc'd */
static char *_why(const struct place *p, const struct victim *v, time_t now,
		  uint32_t count)
{
	const struct job *victim = workload_owner(v->workload);
	int max = ctld.conf->spec->queues[workload_queue(v->workload)]
		.max_preemptions;
	char *numbers = _numbers(p, v->workload), *text = NULL;

	xstrfmtcat(text, "rule %s, %s, ran %ld s, preemption %u",
		   victim_reason_name(v->reason), numbers,
		   (long) (now - victim->job_ptr->start_time),
		   count);
	if (max)
		xstrfmtcat(text, " of %d", max);
	xfree(numbers);
	return text;
}

static void _time_text(char *text, size_t size, time_t now)
{
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, size, "%Y-%m-%dT%H:%M:%S", &tm);
}

static void _comment(const struct place *p, job_record_t *job_ptr,
		     const char *why, time_t now)
{
	char when[32];

	_time_text(when, sizeof(when), now);
	xfree(job_ptr->system_comment);
	xstrfmtcat(job_ptr->system_comment,
		   "preempted at %s by job %u (cluster queue %s), %s",
		   when, p->job_ptr->job_id, _queue_name(p->job->work), why);
	last_job_update = now;
}

extern uint32_t provenance_count(const job_record_t *job_ptr)
{
	static const char before[] = ", preemption ";
	const char *text = job_ptr->system_comment;

	if (xstrncmp(text, "preempted at ", 13) ||
	    !(text = xstrstr(text, before)))
		return 0;
	return strtoul(text + sizeof(before) - 1, NULL, 10);
}

extern void provenance_note(const struct place *p, const struct victim *v)
{
	struct job *victim = workload_owner(v->workload);
	time_t now = time(NULL);
	char *why;

	victim->evictions++;
	victim->noted = true;
	victim->noted_by = p->job_ptr->job_id;
	victim->noted_for = v->reason;
	why = _why(p, v, now, victim->evictions);
	info(PREFIX "evict: %pJ (%s) for %pJ (%s), %s", victim->job_ptr,
	     _queue_name(v->workload), p->job_ptr, _queue_name(p->job->work),
	     why);
	if (ctld.conf->comments)
		_comment(p, victim->job_ptr, why, now);
	xfree(why);
	waker_save();
}

extern void provenance_follow(const struct job *job, struct job *component)
{
	component->evictions++;
	component->noted = true;
	component->noted_by = job->noted_by;
	component->noted_for = job->noted_for;
	if (!ctld.conf->comments)
		return;
	xfree(component->job_ptr->system_comment);
	component->job_ptr->system_comment =
		xstrdup(job->job_ptr->system_comment);
}

extern void provenance_observe(const struct place *p, const struct victim *v)
{
	const struct job *victim = workload_owner(v->workload);
	char *why = _why(p, v, time(NULL), victim->evictions + 1);

	info(PREFIX "observe: would evict: %pJ (%s) for %pJ (%s), %s",
	     victim->job_ptr, _queue_name(v->workload), p->job_ptr,
	     _queue_name(p->job->work), why);
	xfree(why);
}

/* Nothing is being freed for it: neither quota nor nodes are kept for it. What
 * slurmctld checks last, as limits on what was selected, may refuse it forever. */
static void _disown(struct job *preemptor)
{
	for (struct job *e = preemptor; e; e = e->other) {
		if (!e->own_until || !e->work)
			continue;
		engine_disown(ctld.engine, e->work);
		jobs_set_own(e, 0);
	}
	if (jobs_record(preemptor) && preemptor->job_ptr->het_job_id)
		het_ended(preemptor->job_ptr);
}

extern void provenance_revoke(struct job *job)
{
	struct job *preemptor;

	if (!job->noted)
		return;
	/* What was in the way may be so again: not at once, and not forever */
	if ((preemptor = jobs_find(job->noted_by))) {
		preemptor->evicted_for -= preemptor->evicted_for != 0;
		preemptor->evict_again = MAX(preemptor->evict_again,
					     time(NULL) + slurm_conf.kill_wait +
					     slurm_conf.msg_timeout);
		_disown(preemptor);
	}
	job->noted = false;
	job->evictions--;
	info(PREFIX "evict: %pJ goes on: slurmctld did not evict it after all",
	     job->job_ptr);
	if (ctld.conf->comments)
		xfree(job->job_ptr->system_comment);
	waker_save();
}

extern void provenance_drained(struct job *job)
{
	const char *queue = _queue_name(job->work);
	time_t now = time(NULL);
	char when[32];

	info(PREFIX "drain: %pJ, cluster queue %s has stopPolicy HoldAndDrain",
	     job->job_ptr, queue);
	if (!ctld.conf->comments)
		return;
	_time_text(when, sizeof(when), now);
	xfree(job->job_ptr->system_comment);
	xstrfmtcat(job->job_ptr->system_comment,
		   "drained at %s, cluster queue %s has stopPolicy HoldAndDrain",
		   when, queue);
	last_job_update = now;
}
