/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * again.c - an engine built anew from the records says the same
 *
 * The new engine does not know what happened before, or in which order, except
 * for the order in which workloads came to own quota and joined their bonds.
 */
#include <math.h>

#include "core/tree_state.h"
#include "model_check/model.h"
#include "query.h"
#include "test/terms.h"

struct again {
	struct model *m;
	struct engine *e;
	struct workload *w[MODEL_JOBS];
	size_t order[MODEL_JOBS];	/* in which they are submitted */
	int queue;
};

static int number_of_job(const struct model *m, const struct workload *w)
{
	return w ? (int) ((struct model_job *) workload_owner(w) - m->jobs) : -1;
}

/* ---- building ---- */

static void must(struct again *a, size_t i, int rc)
{
	if (rc < 0)
		model_fail(a->m, "j%zu can't be told again", i);
}

static void order_draw(struct again *a)
{
	for (size_t i = 0; i < MODEL_JOBS; i++) {
		size_t k = draw(a->m, i + 1);

		a->order[i] = a->order[k];
		a->order[k] = i;
	}
}

static void running_tell(struct again *a, size_t i)
{
	const struct model_job *job = &a->m->jobs[i];
	const struct eviction_terms terms = {
		.exempt_until = job->exempt,
		.cost = job->cost,
		.group = job->group,
		.min_available = job->group ? job->min_available : -1,
	};

	must(a, i, engine_start(a->e, a->w[i], job->charges, job->ncharges, job->since));
	engine_evicting(a->e, a->w[i], job->evicting);
	must(a, i, engine_set_terms(a->e, a->w[i], &terms));
}

static void job_tell(struct again *a, size_t i)
{
	struct model_job *job = &a->m->jobs[i];
	struct workload_desc desc = job->desc;

	if (job->running && !desc.fixed_members)
		desc.nonpreemptible = job->fixed;
	a->w[i] = engine_submit(a->e, &desc);
	must(a, i, a->w[i] ? 0 : -1);
	if (job->running)
		running_tell(a, i);
}

/* What is settled, and since when it could evict, can't be told from the records. */
static struct workload_memory memory_of(const struct model_job *job)
{
	struct workload_memory was;

	workload_recall(job->w, &was);
	return (struct workload_memory) {
		.blocked = job->blocked,
		.owns = job->owns, .owns_since = job->claimed,
		.owned = job->claim, .nowned = job->nclaim,
		.owned_settled = was.owned_settled, .owned_nonpreemptible = job->claim_fixed,
		.settled = was.settled, .nonpreemptible = job->fixed,
		.could_evict = was.could_evict,
	};
}

static void memories_tell(struct again *a, bool settled)
{
	for (size_t k = 0; k < MODEL_JOBS; k++) {
		size_t i = a->order[k];
		struct workload_memory m;

		if (!a->m->jobs[i].w)
			continue;
		m = memory_of(&a->m->jobs[i]);
		m.settled &= settled;
		must(a, i, engine_remind(a->e, a->w[i], &m));
	}
}

/* The next member of the bond that joined, or MODEL_JOBS */
static size_t member_after(const struct model *m, uint64_t bond, uint64_t bonded)
{
	size_t next = MODEL_JOBS;

	for (size_t i = 0; i < MODEL_JOBS; i++) {
		const struct model_job *job = &m->jobs[i];

		if (job->bond == bond && job->bonded > bonded
		    && (next == MODEL_JOBS || job->bonded < m->jobs[next].bonded))
			next = i;
	}
	return next;
}

static void bond_tell(struct again *a, uint64_t bond)
{
	size_t first = member_after(a->m, bond, 0);
	size_t i = member_after(a->m, bond, a->m->jobs[first].bonded);

	for (; i < MODEL_JOBS; i = member_after(a->m, bond, a->m->jobs[i].bonded))
		must(a, i, engine_bond(a->e, a->w[i], a->w[first], a->m->jobs[i].kind));
}

static void bonds_tell(struct again *a)
{
	for (size_t k = 0; k < MODEL_JOBS; k++) {
		size_t i = a->order[k];

		if (a->m->jobs[i].bond && !workload_bonded(a->w[i]))
			bond_tell(a, a->m->jobs[i].bond);
	}
}

static void units_tell(struct again *a)
{
	for (size_t k = 0; k < MODEL_JOBS; k++) {
		size_t i = a->order[k], with = MODEL_JOBS;

		for (size_t n = 0; n < k && a->m->jobs[i].unit; n++) {
			if (a->m->jobs[a->order[n]].unit == a->m->jobs[i].unit
			    && (with == MODEL_JOBS || chance(a->m, 50)))
				with = a->order[n];
		}
		if (with < MODEL_JOBS)
			must(a, i, terms_join(a->e, a->w[i], a->w[with]));
	}
}

static void local_remember(void *arg, int local_queue, double score)
{
	struct again *a = arg;
	struct usage_history h;

	for (int r = 0; r < MODEL_RESOURCES; r++) {
		if (engine_local_history(a->m->engine, a->queue, local_queue, r, &h))
			must(a, 0, engine_restore_local(a->e, a->queue, local_queue, r, &h));
	}
}

/* They can't be told from the records: as a caller does that keeps them */
static void histories_remember(struct again *a)
{
	size_t ncohorts = a->m->spec->ncohorts, nqueues = a->m->spec->nqueues;
	struct usage_history h;

	for (size_t i = 0; i < ncohorts + nqueues; i++) {
		int node = i < ncohorts ? i : i - ncohorts;

		for (int r = 0; r < MODEL_RESOURCES; r++) {
			if (engine_history(a->m->engine, i < ncohorts, node, r, &h))
				must(a, 0, engine_restore_history(a->e, i < ncohorts, node, r, &h));
		}
	}
	for (a->queue = 0; a->queue < (int) nqueues; a->queue++)
		engine_locals(a->m->engine, a->queue, local_remember, a);
}

static void build(struct again *a)
{
	a->e = engine_create(a->m->spec);
	engine_advance(a->e, a->m->now);
	order_draw(a);
	for (size_t k = 0; k < MODEL_JOBS; k++) {
		if (a->m->jobs[a->order[k]].w)
			job_tell(a, a->order[k]);
	}
	memories_tell(a, false);
	memories_tell(a, true);
	bonds_tell(a);
	units_tell(a);
	if (model_has_history(a->m))
		histories_remember(a);
}

/* ---- comparing ---- */

static void job_expect(struct again *a, size_t i, const char *what, int64_t here, int64_t there)
{
	if (here != there)
		model_fail(a->m, "j%zu %s: %lld, built anew %lld", i, what,
			   (long long) here, (long long) there);
}

#define VERDICT_EXPECT(a, i, x, y, field) \
	job_expect(a, i, #field, (int64_t) (x)->field, (int64_t) (y)->field)

static void verdicts_compare(struct again *a, size_t i)
{
	const struct verdict *x = engine_verdict(a->m->engine, a->m->jobs[i].w);
	const struct verdict *y = engine_verdict(a->e, a->w[i]);

	VERDICT_EXPECT(a, i, x, y, kind);
	VERDICT_EXPECT(a, i, x, y, reason);
	VERDICT_EXPECT(a, i, x, y, rank);
	VERDICT_EXPECT(a, i, x, y, starts);
	VERDICT_EXPECT(a, i, x, y, flavor);
	VERDICT_EXPECT(a, i, x, y, resource);
	VERDICT_EXPECT(a, i, x, y, need);
	VERDICT_EXPECT(a, i, x, y, free);
	VERDICT_EXPECT(a, i, x, y, max);
	VERDICT_EXPECT(a, i, x, y, until);
	VERDICT_EXPECT(a, i, x, y, used);
	VERDICT_EXPECT(a, i, x, y, spent);
	VERDICT_EXPECT(a, i, x, y, fixed);
	VERDICT_EXPECT(a, i, x, y, delayed);
	VERDICT_EXPECT(a, i, x, y, nvictims);
	VERDICT_EXPECT(a, i, x, y, borrowing);
	for (size_t v = 0; !*a->m->error && x->kind == VERDICT_PREEMPT && v < x->nvictims; v++)
		job_expect(a, i, "victim", number_of_job(a->m, x->victims[v].workload),
			   number_of_job(a->m, y->victims[v].workload));
}

static void positions_compare(struct again *a, size_t i)
{
	int64_t x, y;

	job_expect(a, i, "place", engine_place(a->m->engine, a->m->jobs[i].w, &x),
		   engine_place(a->e, a->w[i], &y));
	job_expect(a, i, "total", x, y);
	job_expect(a, i, "behind", engine_is_behind(a->m->engine, a->m->jobs[i].w),
		   engine_is_behind(a->e, a->w[i]));
	job_expect(a, i, "waits for",
		   number_of_job(a->m, engine_waits_for(a->m->engine, a->m->jobs[i].w)),
		   number_of_job(a->m, engine_waits_for(a->e, a->w[i])));
}

static void memory_compare(struct again *a, size_t i)
{
	struct workload_memory m = memory_of(&a->m->jobs[i]), x, y;

	workload_recall(a->m->jobs[i].w, &x);
	workload_recall(a->w[i], &y);
	job_expect(a, i, "is blocked", x.blocked, m.blocked);
	job_expect(a, i, "owns", x.owns, m.owns);
	job_expect(a, i, "owns as non-preemptible", x.owned_nonpreemptible,
		   m.owns && m.owned_nonpreemptible);
	job_expect(a, i, "is non-preemptible", x.nonpreemptible, m.nonpreemptible);
	job_expect(a, i, "is blocked anew", y.blocked, x.blocked);
	job_expect(a, i, "owns anew", y.owns, x.owns);
	job_expect(a, i, "owns to settle", y.owned_settled, x.owned_settled);
	job_expect(a, i, "is settled", y.settled, x.settled);
}

static void job_compare(struct again *a, size_t i)
{
	const struct model_job *job = &a->m->jobs[i];
	struct workload_desc d;

	job_expect(a, i, "runs", workload_running(job->w), job->running);
	job_expect(a, i, "goes", workload_evicting(job->w), job->evicting);
	memory_compare(a, i);
	job_expect(a, i, "is bonded", workload_bonded(job->w), job->bond != 0);
	workload_describe(job->w, &d);
	job_expect(a, i, "queue", d.queue, job->desc.queue);
	job_expect(a, i, "priority", d.priority, job->desc.priority);
	job_expect(a, i, "order", d.queue_order_at, job->desc.queue_order_at);
	verdicts_compare(a, i);
	positions_compare(a, i);
}

static void cell_compare(struct again *a, bool is_cohort, size_t node, int pair)
{
	int flavor = pair / MODEL_RESOURCES, resource = pair % MODEL_RESOURCES;
	struct ledger x = { 0 }, y = { 0 };
	struct fixed_ledger f = { 0 }, g = { 0 };
	struct reclaim p = { 0 }, q = { 0 };

	engine_ledger(a->m->engine, is_cohort, node, flavor, resource, &x);
	engine_ledger(a->e, is_cohort, node, flavor, resource, &y);
	if (memcmp(&x, &y, sizeof(x)))
		model_fail(a->m, "the ledger of %s %zu is another one",
			   is_cohort ? "cohort" : "queue", node);
	if (is_cohort)
		return;
	engine_fixed_ledger(a->m->engine, node, flavor, resource, &f);
	engine_fixed_ledger(a->e, node, flavor, resource, &g);
	if (f.used != g.used || f.cap != g.cap)
		model_fail(a->m, "queue %zu has another fixed usage", node);
	engine_reclaimable(a->m->engine, a->m->now, node, flavor, resource, &p);
	engine_reclaimable(a->e, a->m->now, node, flavor, resource, &q);
	if (p.now != q.now || p.later != q.later || p.at != q.at)
		model_fail(a->m, "reclaimable of queue %zu, pair %d: %lld %lld"
			   " %lld, built anew %lld %lld %lld", node, pair,
			   (long long) p.now, (long long) p.later,
			   (long long) p.at, (long long) q.now,
			   (long long) q.later, (long long) q.at);
}

static void nodes_compare(struct again *a, bool is_cohort, size_t n)
{
	for (size_t i = 0; i < n && !*a->m->error; i++) {
		double x = engine_share(a->m->engine, is_cohort, i);
		double y = engine_share(a->e, is_cohort, i);

		if (!(fabs(x - y) < 1e-9) && x != y)
			model_fail(a->m, "the share of %s %zu is another one",
				   is_cohort ? "cohort" : "queue", i);
		for (int pair = 0; pair < MODEL_PAIRS; pair++)
			cell_compare(a, is_cohort, i, pair);
	}
}

static void promise_count(void *arg, const struct workload *w, const struct verdict *v)
{
	uint64_t *sum = arg;

	*sum += 1 + v->rank * 1000003 * (w != NULL);
}

static void whole_compare(struct again *a)
{
	struct engine *e = a->m->engine;
	uint64_t x = 0, y = 0;

	if (engine_next_expiry(e) != engine_next_expiry(a->e))
		model_fail(a->m, "next expiry: %lld, built anew %lld",
			   (long long) engine_next_expiry(e), (long long) engine_next_expiry(a->e));
	engine_promises(e, promise_count, &x);
	engine_promises(a->e, promise_count, &y);
	if (x != y)
		model_fail(a->m, "other promises");
	nodes_compare(a, false, a->m->spec->nqueues);
	nodes_compare(a, true, a->m->spec->ncohorts);
}

/* ---- one question at the gate ---- */

static void victims_compare(struct again *a, size_t i, const char *what,
			    const struct victim *x, size_t nx, const struct victim *y, size_t ny)
{
	job_expect(a, i, what, nx, ny);
	for (size_t v = 0; !*a->m->error && v < nx; v++) {
		job_expect(a, i, what, number_of_job(a->m, x[v].workload),
			   number_of_job(a->m, y[v].workload));
		job_expect(a, i, what, x[v].reason, y[v].reason);
	}
}

static void nominations_compare(struct again *a, size_t i)
{
	struct nomination x, y;

	must(a, i, engine_nominate(a->m->engine, a->m->jobs[i].w, a->m->now, NULL, &x));
	must(a, i, engine_nominate(a->e, a->w[i], a->m->now, NULL, &y));
	job_expect(a, i, "nomination", x.mode, y.mode);
	job_expect(a, i, "nomination borrows", x.borrow, y.borrow);
	job_expect(a, i, "charges", x.ncharges, y.ncharges);
	for (size_t c = 0; !*a->m->error && c < x.ncharges; c++) {
		job_expect(a, i, "flavor", x.charges[c].flavor, y.charges[c].flavor);
		job_expect(a, i, "amount", x.charges[c].amount, y.charges[c].amount);
	}
	victims_compare(a, i, "victim of nomination", x.victims, x.nvictims, y.victims, y.nvictims);
}

static void candidates_answer(struct again *a, size_t i, const char *what,
			      const struct candidates_query *query)
{
	struct candidates x, y;

	must(a, i, engine_candidates(a->m->engine, a->m->jobs[i].w, a->m->now, query, &x));
	must(a, i, engine_candidates(a->e, a->w[i], a->m->now, query, &y));
	victims_compare(a, i, what, x.list, x.n, y.list, y.n);
}

static void candidates_compare(struct again *a, size_t i)
{
	struct charge c = { draw(a->m, MODEL_FLAVORS),
			    draw(a->m, MODEL_RESOURCES), draw(a->m, 6) };
	struct candidates_query query = { .charges = &c, .ncharges = 1 };

	candidates_answer(a, i, "candidate", &query);
	query.alone = true;
	candidates_answer(a, i, "candidate alone", &query);
	job_expect(a, i, "fits", engine_fits(a->m->engine, a->m->jobs[i].w, &c, 1, NULL, 0),
		   engine_fits(a->e, a->w[i], &c, 1, NULL, 0));
}

static void gate_compare(struct again *a)
{
	size_t i = draw(a->m, MODEL_JOBS);

	if (!a->m->jobs[i].w || a->m->jobs[i].running)
		return;
	nominations_compare(a, i);
	candidates_compare(a, i);
}

void model_compare(struct model *m)
{
	struct again a = { .m = m };

	if (model_members_own(m))
		return;
	build(&a);
	if (!*m->error && engine_digest(a.e) != engine_digest(m->engine))
		model_fail(m, "other books");
	/* with time histories change, and the plan is not made anew for each of these */
	for (size_t i = 0; model_has_history(m) && i < m->engine->ntrees; i++)
		tree_request_plan(m->engine, &m->engine->trees[i]);
	engine_plan(m->engine, m->now);
	engine_plan(a.e, m->now);
	for (size_t i = 0; i < MODEL_JOBS && !*m->error; i++) {
		if (m->jobs[i].w)
			job_compare(&a, i);
	}
	if (!*m->error)
		whole_compare(&a);
	if (!*m->error)
		gate_compare(&a);
	engine_destroy(a.e);
}
