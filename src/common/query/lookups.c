/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookups.c - what can be seen from outside: ledgers, positions, counts
 */
#include <errno.h>
#include <math.h>

#include "query.h"
#include "quota/share.h"
#include "core/engine_state.h"

/* Of the node's own quota, what it does not use and cannot get right now
 * because others use it */
static int64_t lent_of(const struct cell *c, int64_t available)
{
	int64_t idle = max64(0, sat_sub(c->subtree, c->usage));
	int64_t lendable = max64(0, sat_sub(c->subtree, c->local));

	return min64(lendable, max64(0, sat_sub(idle, max64(0, available))));
}

int engine_ledger(const struct engine *e, bool is_cohort, int node,
		  int flavor, int resource, struct ledger *l)
{
	const struct books *b = e->books;
	size_t limit = is_cohort ? b->ncohorts : e->nqueues;
	const struct cell *c;
	int pair;

	if (node < 0 || (size_t) node >= limit || flavor < 0
	    || (size_t) flavor >= b->nflavors || resource < 0
	    || (size_t) resource >= b->nresources
	    || (pair = books_pair(b, flavor, resource)) == SPEC_NONE) {
		errno = EINVAL;
		return -1;
	}
	if (!is_cohort)
		node += (int) b->ncohorts;
	c = books_cell(b, node, pair);
	*l = (struct ledger) {
		.nominal = c->nominal,
		.borrowing_limit = c->borrowing_limit,
		.lending_limit = c->lending_limit,
		.subtree = c->subtree,
		.used = c->usage,
		.borrowed = max64(0, books_over_nominal(b, node, pair, 0)),
		.available = max64(0, books_available(b, node, pair)),
		.potential = c->potential,
	};
	l->lent = lent_of(c, l->available);
	return 0;
}

void engine_position(const struct engine *e, const struct workload *w,
		     struct position *pos)
{
	(void) e;
	*pos = (struct position) { 0 };
	if (w->held)
		return;
	rankset_before_both(&w->in_queue, &w->in_local, &pos->place,
			    &pos->local_place);
	pos->place += !w->follower;
	pos->local_place += !w->follower;
	pos->total = rankset_total(&w->shape->q->waiting);
	pos->local_total = rankset_total(&w->local->waiting);
}

bool engine_is_behind(const struct engine *e, const struct workload *w)
{
	const struct queue *q = w->shape->q;

	if (q->spec.strategy != STRATEGY_STRICT_FIFO)
		return false;
	for (const struct rank_node *n = rankset_first(&q->waiting);
	     n && n != &w->in_queue; n = rankset_next(n)) {
		const struct workload *x =
			container_of(n, struct workload, in_queue);
		const struct verdict *v = engine_verdict(e, x);

		if ((!w->bond || x->bond != w->bond)
		    && (v->kind != VERDICT_WAIT || v->reason != WAIT_IS_NEVER))
			return true;
	}
	return false;
}

void engine_counts(const struct engine *e, int queue, int64_t *waiting,
		   int64_t *running)
{
	*waiting = rankset_total(&e->queues[queue].waiting);
	*running = e->queues[queue].running;
}

double engine_share(const struct engine *e, bool is_cohort, int node)
{
	const struct share *share;

	if (!is_cohort)
		node += (int) e->books->ncohorts;
	share = share_of(e->books, node);
	if (share->ratio <= 0)
		return 0;
	return share->weight > 0 ? share->ratio / share->weight : HUGE_VAL;
}

uint64_t engine_line_version(const struct engine *e, int queue)
{
	return e->queues[queue].line_version;
}

void engine_line(const struct engine *e, int queue,
		 bool (*f)(void *arg, const struct workload *w, int64_t tasks,
			   int local_queue), void *arg)
{
	const struct rankset *waiting = &e->queues[queue].waiting;

	for (const struct rank_node *n = rankset_first(waiting); n;
	     n = rankset_next(n)) {
		const struct workload *w =
			container_of(n, struct workload, in_queue);

		if (!f(arg, w, n->weight, w->local->number))
			return;
	}
}

static uint64_t uses_hash(uint64_t hash, const struct use *uses, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		hash = hash_u64(hash, uses[i].pair);
		hash = hash_u64(hash, uses[i].amount);
	}
	return hash;
}

static uint64_t workload_hash(const struct workload *w)
{
	uint64_t hash = hash_u64(HASH_INIT, w->tiebreak);

	hash = hash_u64(hash, w->shape->q->node);
	hash = hash_u64(hash, w->shape->priority);
	hash = hash_u64(hash, w->queue_order_at);
	hash = hash_u64(hash, w->tasks);
	hash = uses_hash(hash, w->claim, w->nclaim);
	if (w->held) {
		hash = hash_u64(hash, w->held->reserved_at);
		hash = hash_u64(hash, w->held->evicting);
		hash = uses_hash(hash, w->held->uses, w->held->nuses);
	}
	return hash;
}

/* Workloads are summed: their order in the list is history */
uint64_t engine_digest(const struct engine *e)
{
	const struct books *b = e->books;
	uint64_t hash = HASH_INIT, sum = 0;

	for (size_t i = 0; i < b->nnodes * b->npairs; i++)
		hash = hash_u64(hash, b->cells[i].usage);
	for (const struct workload *w = e->workloads; w; w = w->next)
		sum += workload_hash(w);
	for (size_t i = 0; i < e->nqueues; i++) {
		hash = hash_u64(hash, e->queues[i].running);
		hash = hash_u64(hash, rankset_total(&e->queues[i].waiting));
		hash = hash_u64(hash, e->queues[i].nholdings);
	}
	return hash_u64(hash, sum);
}
