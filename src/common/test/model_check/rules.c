/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.c - what must hold of every plan, bonds and units above all
 *
 * The rules are written as plainly as possible, job by job, from the records of
 * the model.
 */
#include "quota/minruntime.h"
#include "model_check/model.h"
#include "query.h"

#define MODEL_TREES 16			/* at most: cohorts and queues */

static int number(const struct model *m, const struct model_job *job)
{
	return (int) (job - m->jobs);
}

static uint64_t bit(const struct model *m, const struct model_job *job)
{
	return UINT64_C(1) << number(m, job);
}

static const struct verdict *verdict(const struct model *m, const struct model_job *job)
{
	return engine_verdict(m->engine, job->w);
}

static bool waits(const struct model_job *job)
{
	return job->w && !job->running;
}

static bool goes(const struct model *m, const struct model_job *job)
{
	return verdict(m, job)->kind == VERDICT_START || verdict(m, job)->kind == VERDICT_PREEMPT;
}

static bool waits_because(const struct model *m, const struct model_job *job,
			  enum wait_reason reason)
{
	return verdict(m, job)->kind == VERDICT_WAIT && verdict(m, job)->reason == reason;
}

/* ---- bonds ---- */

/* At most one goes, not counting those that have quota and found no nodes. */
static void either_judge(struct model *m, uint64_t bond)
{
	int going = 0;

	for (size_t i = 0; i < MODEL_JOBS; i++) {
		const struct model_job *job = &m->jobs[i];

		if (job->bond != bond)
			continue;
		going += goes(m, job) && !(job->blocked && verdict(m, job)->kind == VERDICT_START);
	}
	if (going > 1)
		model_fail(m, "%d of either go", going);
}

/* All go, or wait for victims of the others; or none goes. */
static void together_judge(struct model *m, uint64_t bond)
{
	bool any = false, all = true;

	for (size_t i = 0; i < MODEL_JOBS; i++) {
		const struct model_job *job = &m->jobs[i];

		if (job->bond != bond)
			continue;
		any |= goes(m, job);
		all &= goes(m, job) || waits_because(m, job, WAIT_IS_PREEMPTING);
	}
	if (any && !all)
		model_fail(m, "some of a job go");
}

/* The member that it waits for waits itself. */
static void cause_judge(struct model *m, const struct model_job *job)
{
	const struct workload *cause = engine_waits_for(m->engine, job->w);
	const struct model_job *other = workload_owner(cause);

	if (other == job)
		return;
	if (!job->bond || other->bond != job->bond)
		model_fail(m, "j%d waits for a stranger", number(m, job));
	if (goes(m, other))
		model_fail(m, "j%d waits for j%d, who goes", number(m, job), number(m, other));
}

static void bonds_judge(struct model *m)
{
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		const struct model_job *job = &m->jobs[i];

		if (!waits(job))
			continue;
		if (verdict(m, job)->kind == VERDICT_NONE)
			model_fail(m, "j%zu has no verdict", i);
		cause_judge(m, job);
		if (job->bond && job->kind == BOND_EITHER)
			either_judge(m, job->bond);
		else if (job->bond)
			together_judge(m, job->bond);
	}
}

/* ---- no job waits for what never comes ---- */

static bool same_tree(const struct model *m, const struct model_job *a, const struct model_job *b)
{
	const struct engine *e = m->engine;

	return e->queues[a->desc.queue].tree == e->queues[b->desc.queue].tree;
}

/* All jobs that share a tree with the job, or with others of their bonds */
static uint64_t neighbours(const struct model *m, const struct model_job *job)
{
	uint64_t bits = bit(m, job), before;

	do {
		before = bits;
		for (size_t i = 0; i < MODEL_JOBS; i++) {
			for (size_t k = 0; k < MODEL_JOBS; k++) {
				const struct model_job *a = &m->jobs[i];
				const struct model_job *b = &m->jobs[k];

				if ((bits & bit(m, a)) && b->w
				    && (same_tree(m, a, b) || (a->bond && a->bond == b->bond)))
					bits |= bit(m, b);
			}
		}
	} while (bits != before);
	return bits;
}

/* Alone it gets flavors and no victims. As in Kueue, it waits for others
 * although another flavor would do. */
static bool is_stuck_alone(struct model *m, const struct model_job *job)
{
	struct nomination nom;

	return !(job->bond && job->kind == BOND_TOGETHER)
	       && (engine_nominate(m->engine, job->w, m->now, NULL, &nom) < 0
		   || nom.mode != MODE_FIT);
}

/* It is on its way, or is waited for, and lets the line move. */
static bool is_reason(struct model *m, const struct model_job *job)
{
	if (job->running)
		return job->evicting;
	return job->owns || job->blocked || goes(m, job) || waits_because(m, job, WAIT_IS_QUOTA)
	       || waits_because(m, job, WAIT_IS_PREEMPTING)
	       || waits_because(m, job, WAIT_IS_PROTECTED)
	       || waits_because(m, job, WAIT_IS_YIELDING)
	       || waits_because(m, job, WAIT_IS_NONPREEMPTIBLE)
	       || (waits_because(m, job, WAIT_IS_ORDER) && is_stuck_alone(m, job));
}

static void stall_judge(struct model *m)
{
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		const struct model_job *job = &m->jobs[i];
		bool reason = false;
		uint64_t all;

		if (!waits(job) || !waits_because(m, job, WAIT_IS_ORDER))
			continue;
		all = neighbours(m, job);
		for (size_t k = 0; k < MODEL_JOBS; k++)
			reason |= (all & bit(m, &m->jobs[k])) && is_reason(m, &m->jobs[k]);
		if (!reason)
			model_fail(m, "j%zu waits for order, and nobody goes", i);
	}
}

/* ---- victims, and all of their units ---- */

static const struct spec_queue *queue_of(const struct model *m, const struct model_job *job)
{
	return &m->spec->queues[job->desc.queue];
}

static int64_t protected_until(const struct model *m, const struct model_job *by,
			       const struct model_job *victim)
{
	const struct engine *e = m->engine;
	int node = m->spec->ncohorts + victim->desc.queue;
	int64_t runtime;

	if (by->desc.queue == victim->desc.queue)
		runtime = e->runtimes[node].preempt;
	else
		runtime = minruntime_reclaim(e->runtimes, m->spec->ncohorts + by->desc.queue,
					     node, e->resolve);
	runtime = max64(runtime, 0);
	return max64(victim->exempt, runtime ? victim->since + runtime : 0);
}

static bool stays_for_good(const struct model *m, const struct model_job *job, bool pure)
{
	int most = queue_of(m, job)->max_preemptions;

	return job->exempt == INT64_MAX || (most && job->desc.lost >= most && !pure);
}

static bool policy_names(const struct model *m, const struct model_job *by,
			 const struct model_job *victim)
{
	const struct spec_queue *q = queue_of(m, by);
	bool own = by->desc.queue == victim->desc.queue;
	enum policy policy = own ? q->within : q->reclaim;
	int64_t x = by->desc.priority, y = victim->desc.priority;

	if (policy == POLICY_NEVER)
		return false;
	if (policy == POLICY_ANY || x > y)
		return true;
	if (x < y)
		return false;
	if (own && q->min_admit != SPEC_NO_TIME
	    && m->now > victim->since + (q->min_admit << victim->desc.turns))
		return true;
	return policy == POLICY_LOWER_OR_NEWER_EQUAL
	       && by->desc.queue_order_at < victim->desc.queue_order_at;
}

/* ---- reclaim_delay ---- */

static int64_t reclaims_from(const struct model *m, const struct model_job *by)
{
	int64_t delay = queue_of(m, by)->reclaim_delay;

	return delay && !queue_of(m, by)->delay_if_expected ? (by->could_evict ? by->could_evict : m->now) + delay : INT64_MIN;
}

/* It has begun once, and then it goes on; for a bond that of another member may count. */
static void delay_judge(struct model *m, struct model_job *job)
{
	const struct verdict *v = verdict(m, job);
	struct workload_memory is;
	int i = number(m, job);

	workload_recall(job->w, &is);
	if (is.could_evict != job->could_evict && !job->bond
	    && (job->could_evict || is.could_evict > max64(1, m->now)))
		model_fail(m, "j%d could evict since %lld, and before that since %lld", i,
			   (long long) is.could_evict, (long long) job->could_evict);
	job->could_evict = is.could_evict;
	if (v->delayed && !(job->bond && engine_waits_for(m->engine, job->w) != job->w)
	    && (!job->could_evict || v->until <= m->now
		|| v->until > m->now + queue_of(m, job)->reclaim_delay))
		model_fail(m, "j%d is delayed until %lld", i, (long long) v->until);
}

static void delays_judge(struct model *m)
{
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		if (waits(&m->jobs[i]))
			delay_judge(m, &m->jobs[i]);
	}
}

/* `named` is the member of the unit that is in the list. */
static void victim_judge(struct model *m, const struct model_job *by,
			 const struct model_job *victim, bool named, bool pure)
{
	const struct spec_queue *q = queue_of(m, victim);
	int i = number(m, victim), k = number(m, by);

	if (!victim->running)
		model_fail(m, "j%d, victim of j%d, does not run", i, k);
	if (victim->evicting)
		return;
	if (q->inactive || q->stop != STOP_NONE)
		model_fail(m, "j%d, victim of j%d: its queue is stopped", i, k);
	if (!policy_names(m, by, victim))
		model_fail(m, "j%d, victim of j%d: by no policy", i, k);
	if (victim->fixed)
		model_fail(m, "j%d, victim of j%d, is fixed", i, k);
	if (pure && victim->desc.queue == by->desc.queue)
		model_fail(m, "j%d reclaims from j%d of its own queue", k, i);
	if (workload_settled(victim->w) && !victim->unit && victim->desc.queue != by->desc.queue)
		model_fail(m, "j%d, victim of j%d, is settled", i, k);
	if (stays_for_good(m, victim, pure))
		model_fail(m, "j%d, victim of j%d, is exempt or spent", i, k);
	if (m->now < reclaims_from(m, by) && victim->desc.queue != by->desc.queue)
		model_fail(m, "j%d, victim of j%d, before the delay is over", i, k);
	if (m->now < victim->exempt)
		model_fail(m, "j%d, victim of j%d, is exempt", i, k);
	if (m->now < protected_until(m, by, victim) && !(named && victim->group))
		model_fail(m, "j%d, victim of j%d, is protected", i, k);
}

static uint64_t victims_judge(struct model *m, const struct model_job *by)
{
	const struct verdict *v = verdict(m, by);
	uint64_t all = 0;

	for (size_t n = 0; n < v->nvictims; n++) {
		const struct model_job *named = workload_owner(v->victims[n].workload);

		for (size_t i = 0; i < MODEL_JOBS; i++) {
			const struct model_job *job = &m->jobs[i];

			if (job != named && (!named->unit || job->unit != named->unit))
				continue;
			victim_judge(m, by, job, job == named, v->victims[n].pure);
			if (all & bit(m, job))
				model_fail(m, "j%zu is a victim twice", i);
			all |= bit(m, job);
		}
	}
	return all;
}

/* Trees are planned independently of each other: a unit that reaches into
 * several trees may be evicted for a job in each. */
static void preemptions_judge(struct model *m)
{
	uint64_t taken[MODEL_TREES] = { 0 };

	for (size_t i = 0; i < MODEL_JOBS; i++) {
		const struct model_job *job = &m->jobs[i];
		uint64_t victims, *of_tree;

		if (!waits(job) || verdict(m, job)->kind != VERDICT_PREEMPT)
			continue;
		victims = victims_judge(m, job);
		if (job->blocked)	/* evicts later, if ever */
			continue;
		of_tree = &taken[job->w->shape->q->tree - m->engine->trees];
		if (victims & *of_tree)
			model_fail(m, "two evict the same");
		*of_tree |= victims;
	}
}

void model_judge(struct model *m)
{
	uint64_t digest = engine_digest(m->engine);

	engine_plan(m->engine, m->now);
	if (engine_digest(m->engine) != digest)
		model_fail(m, "a plan changes the books");
	if (engine_stale(m->engine, m->now) || engine_plan(m->engine, m->now))
		model_fail(m, "a plan is stale at once");
	bonds_judge(m);
	stall_judge(m);
	delays_judge(m);
	preemptions_judge(m);
	model_judge_fixed(m);
	model_histories_judge(m);
}
