/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixed.c - non-preemptible jobs, and the cap of what they use
 *
 * The cap is computed from the records, in the words of the rule: what no quota
 * covers, node by node. The engine keeps one number of each node instead.
 */
#include "model_check/model.h"
#include "query.h"

/* By node: the cohorts first, then the queues */
struct usage {
	int64_t of[64];
};

static int64_t nominal(const struct spec_quota *quotas, size_t n, int pair, int64_t *limit)
{
	*limit = SPEC_NO_LIMIT;
	for (size_t i = 0; i < n; i++) {
		if (quotas[i].flavor != pair / MODEL_RESOURCES
		    || quotas[i].resource != pair % MODEL_RESOURCES)
			continue;
		*limit = quotas[i].borrowing_limit;
		return quotas[i].nominal;
	}
	return 0;
}

static int64_t nominal_of(const struct spec *spec, size_t node, int pair, int64_t *limit)
{
	const struct spec_cohort *c;
	const struct spec_queue *q;

	if (node < spec->ncohorts) {
		c = &spec->cohorts[node];
		return nominal(c->quotas, c->nquotas, pair, limit);
	}
	q = &spec->queues[node - spec->ncohorts];
	return nominal(q->quotas, q->nquotas, pair, limit);
}

static int parent_of(const struct spec *spec, size_t node)
{
	return node < spec->ncohorts ? spec->cohorts[node].parent
				     : spec->queues[node - spec->ncohorts].cohort;
}

static int64_t amount_of(const struct charge *charges, size_t n, int pair)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (charges[i].flavor == pair / MODEL_RESOURCES
		    && charges[i].resource == pair % MODEL_RESOURCES)
			sum += charges[i].amount;
	}
	return sum;
}

/* What a non-preemptible job uses of a pair, or owns */
static int64_t used_by(const struct model_job *job, int pair, bool owned)
{
	if (!job->w)
		return 0;
	if (job->running)
		return job->fixed ? amount_of(job->charges, job->ncharges, pair) : 0;
	return owned && job->owns && job->claim_fixed
	       ? amount_of(job->claim, job->nclaim, pair) : 0;
}

/* What non-preemptible jobs use of a pair, by queue; with what is owned */
static struct usage usage_now(const struct model *m, int pair,
			      const struct model_job *without, bool owned)
{
	struct usage v = { { 0 } };

	for (size_t i = 0; i < MODEL_JOBS; i++) {
		const struct model_job *job = &m->jobs[i];

		if (job != without)
			v.of[m->spec->ncohorts + job->desc.queue]
				+= used_by(job, pair, owned);
	}
	return v;
}

/* X of the rule: what the node's own quota does not cover of what it and those below it use */
static int64_t uncovered(const struct spec *spec, const struct usage *v, size_t node, int pair)
{
	int64_t limit, sum = v->of[node];

	for (size_t n = 0; n < spec->ncohorts + spec->nqueues; n++) {
		if (parent_of(spec, n) == (int) node)
			sum += uncovered(spec, v, n, pair);
	}
	sum -= nominal_of(spec, node, pair, &limit);
	return sum > 0 ? sum : 0;
}

static bool cap_holds(const struct spec *spec, const struct usage *v,
		      const struct spec_queue *q, size_t node, int pair, int64_t more)
{
	struct usage after = *v;
	int64_t limit;

	after.of[node] += more;
	if (!more)
		return true;
	if (q->cap_scope == CAP_QUEUE)
		return after.of[node] <= nominal_of(spec, node, pair, &limit);
	for (int n = (int) node; n != SPEC_NONE; n = parent_of(spec, n)) {
		int64_t x = uncovered(spec, &after, n, pair);

		(void) nominal_of(spec, n, pair, &limit);
		if (parent_of(spec, n) == SPEC_NONE)
			limit = 0;
		if (limit != SPEC_NO_LIMIT && x > limit && x > uncovered(spec, v, n, pair))
			return false;
	}
	return true;
}

static bool cap_admits_all(const struct model *m, const struct model_job *job,
			   const struct charge *charges, size_t n, bool owned)
{
	const struct spec_queue *q = &m->spec->queues[job->desc.queue];
	size_t node = m->spec->ncohorts + job->desc.queue;

	for (int pair = 0; pair < MODEL_PAIRS; pair++) {
		struct usage v = usage_now(m, pair, job, owned);

		if (!cap_holds(m->spec, &v, q, node, pair, amount_of(charges, n, pair)))
			return false;
	}
	return true;
}

bool model_cap_admits(const struct model *m, const struct model_job *job)
{
	return cap_admits_all(m, job, job->charges, job->ncharges, true);
}

void model_fix(struct model *m, struct model_job *job)
{
	bool wanted = chance(m, 60), is;
	bool may = (!job->desc.fixed_members || model_is_capped(m, job))
		   && model_cap_admits(m, job);

	is = engine_set_nonpreemptible(m->engine, job->w, wanted);
	model_note(m, job, "fix %d: %d", wanted, is);
	if (wanted && job->fixed)
		model_settle_members(m, job);
	else
		job->fixed = wanted && may;
	if (is != job->fixed)
		model_fail(m, "j%zu is fixed %d, against the cap", job - m->jobs, is);
}

/* Quota that others own is not lifted for all of them: then nobody knows from here
 * which of the members may be non-preemptible. */
static bool is_capped_for_sure(const struct model *m, const struct model_job *job)
{
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		if (m->jobs[i].owns && model_same_members(&m->jobs[i], job))
			return false;
	}
	return model_is_capped(m, job);
}

static void nomination_judge(struct model *m, struct model_job *job)
{
	struct nomination nom;

	if (!is_capped_for_sure(m, job))
		return;
	if (engine_nominate(m->engine, job->w, m->now, NULL, &nom) < 0 || nom.mode == MODE_NOFIT)
		return;
	if (!cap_admits_all(m, job, nom.charges, nom.ncharges, false))
		model_fail(m, "j%zu is nominated above the cap", job - m->jobs);
}

/* The engine's number of a queue is the sum of its jobs. */
static void ledger_judge(struct model *m, size_t queue, int pair)
{
	struct usage v = usage_now(m, pair, NULL, true);
	struct fixed_ledger l;

	if (engine_fixed_ledger(m->engine, (int) queue, pair / MODEL_RESOURCES,
				pair % MODEL_RESOURCES, &l) < 0)
		return;
	if (l.used != v.of[m->spec->ncohorts + queue])
		model_fail(m, "queue %zu has fixed %lld of pair %d", queue,
			   (long long) l.used, pair);
}

void model_judge_fixed(struct model *m)
{
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		struct model_job *job = &m->jobs[i];

		if (!job->w)
			continue;
		if (workload_is_nonpreemptible(job->w)
		    != (job->running ? job->fixed : job->desc.nonpreemptible))
			model_fail(m, "j%zu is of the other kind", i);
		if (!job->running && job->desc.nonpreemptible)
			nomination_judge(m, job);
	}
	for (size_t q = 0; q < m->spec->nqueues; q++) {
		for (int pair = 0; pair < MODEL_PAIRS; pair++)
			ledger_judge(m, q, pair);
	}
}
