/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.c - the account of an engine: asked, kept, told of what happens
 */
#include <errno.h>

#include "account/between.h"
#include "account/cells.h"
#include "account/waits.h"
#include "core/queue_state.h"

/* A time that is so much earlier, ns, tells that the clock was set back. */
#define SET_BACK (60 * SPEC_SEC)
/* Two of them are one as well: what is saved can be restored. */
#define SUM_MAX 1e30

/* ---- told by the layers above ---- */

void account_waits(struct engine *e, const struct queue *q, bool waits)
{
	struct account *a = e->account;

	if (!a)
		return;
	for (size_t p = 0; p < a->books->npairs; p++) {
		if (account_cell(a, q->node, (int) p)->quota)
			account_see(a, q->node, (int) p);
	}
	account_set_waits(a, q->node, waits && !queue_held(q));
}

void account_advance(struct engine *e, int64_t now)
{
	struct account *a = e->account;

	if (!a)
		return;
	if (a->now - now > SET_BACK)
		account_set_back(a, now);
	else if (now > a->now)
		a->now = now;
}

void account_renew(struct engine *e)
{
	if (!e->account)
		return;
	for (size_t n = 0; n < e->books->nnodes; n++) {
		for (size_t p = 0; p < e->books->npairs; p++)
			account_see(e->account, (int) n, (int) p);
	}
}

void account_end(struct engine *e)
{
	if (e->books)
		e->books->watch = NULL;
	account_destroy(e->account);
	e->account = NULL;
}

int engine_keep_account(struct engine *e)
{
	if (e->account)
		return 0;
	e->account = account_create(e->books);
	if (!e->account) {
		errno = ENOMEM;
		return -1;
	}
	e->account->now = e->now;
	account_renew(e);
	for (size_t i = 0; i < e->nqueues; i++)
		account_set_waits(e->account, e->queues[i].node,
				  e->queues[i].waiting.root
				  && !queue_held(&e->queues[i]));
	e->books->watch = &e->account->watch;
	return 0;
}

/* ---- asked ---- */

int64_t engine_account_changed(const struct engine *e)
{
	return e->account ? e->account->changed : 0;
}

size_t engine_account_set_backs(const struct engine *e)
{
	return e->account ? e->account->set_backs : 0;
}

bool engine_account_moves(const struct engine *e)
{
	return e->account && (e->account->nused || e->account->nwaiting);
}

/* The node and the pair in the books. false: there is no such thing */
static bool find(const struct engine *e, bool is_cohort, int *node, int flavor,
		 int resource, int *pair)
{
	size_t limit = is_cohort ? e->books->ncohorts : e->nqueues;

	if (!e->account || *node < 0 || (size_t) *node >= limit || flavor < 0
	    || (size_t) flavor >= e->books->nflavors || resource < 0
	    || (size_t) resource >= e->books->nresources)
		return false;
	*pair = books_pair(e->books, flavor, resource);
	if (!is_cohort)
		*node += (int) e->books->ncohorts;
	return *pair != SPEC_NONE;
}

static int64_t whole_seconds(__int128 sum)
{
	sum /= SPEC_SEC;
	return sum < INT64_MAX ? (int64_t) sum : INT64_MAX;
}

bool engine_account(const struct engine *e, bool is_cohort, int node,
		    int flavor, int resource, int64_t at,
		    struct account_sums *s)
{
	struct account_cell c;
	int pair;

	if (!find(e, is_cohort, &node, flavor, resource, &pair))
		return false;
	c = account_cell_at(e->account, node, pair, at);
	*s = (struct account_sums) {
		.nominal = whole_seconds(c.sum_nominal),
		.own = whole_seconds(c.sum_own),
		.borrowed = whole_seconds(c.sum_borrowed),
		.lent = c.sum_lent,
		.shared = c.sum_shared,
		.idle = c.sum_idle,
	};
	return true;
}

static bool is_sum(double sum)
{
	return sum >= 0 && sum < SUM_MAX;
}

static int invalid(void)
{
	errno = EINVAL;
	return -1;
}

int engine_restore_account(struct engine *e, bool is_cohort, int node,
			   int flavor, int resource,
			   const struct account_sums *s)
{
	struct account_cell *c;
	int pair;

	if (!find(e, is_cohort, &node, flavor, resource, &pair)
	    || s->nominal < 0 || s->own < 0 || s->borrowed < 0
	    || !is_sum(s->lent) || !is_sum(s->shared) || !is_sum(s->idle))
		return invalid();
	c = account_cell(e->account, node, pair);
	c->sum_nominal += (__int128) s->nominal * SPEC_SEC;
	c->sum_own += (__int128) s->own * SPEC_SEC;
	c->sum_borrowed += (__int128) s->borrowed * SPEC_SEC;
	c->sum_lent += s->lent;
	c->sum_shared += s->shared;
	c->sum_idle += s->idle;
	return 0;
}

/* ---- lenders and borrowers ---- */

void engine_account_date(struct engine *e, int64_t at)
{
	struct account *a = e->account;

	for (size_t i = 0; a && i < e->books->nnodes; i++) {
		for (size_t p = 0; e->books->nodes[i].root == (int) i
				   && p < e->books->npairs; p++)
			between_settle(a, (int) i, (int) p, at);
	}
}

static double *between_find(const struct engine *e, bool is_cohort, int lender,
			    int queue, int flavor, int resource)
{
	int pair;

	if (!find(e, false, &queue, flavor, resource, &pair)
	    || !find(e, is_cohort, &lender, flavor, resource, &pair)
	    || e->books->nodes[lender].root != e->books->nodes[queue].root)
		return NULL;
	return between_sum(e->account, pair, lender, queue);
}

double engine_account_between(const struct engine *e, bool is_cohort,
			      int lender, int queue, int flavor, int resource)
{
	const double *sum = between_find(e, is_cohort, lender, queue, flavor,
					 resource);

	return sum ? *sum : 0;
}

struct asking {
	const struct account *a;
	int borrower;
	void (*f)(void *arg, bool is_cohort, int lender, int flavor,
		  int resource, double sum);
	void *arg;
};

/* Sums are there only where the queue borrows or has borrowed. */
static bool has_borrowed(const struct asking *ask, size_t pair)
{
	const struct account_cell *c = account_cell(ask->a, ask->borrower,
						    (int) pair);

	return c->over > 0 || c->sum_borrowed > 0;
}

static void lenders_below(const struct asking *ask, int node)
{
	const struct books *b = ask->a->books;
	bool is_cohort = !b->nodes[node].is_queue;

	for (size_t p = 0; p < b->npairs; p++) {
		const double *sum;

		if (!has_borrowed(ask, p))
			continue;
		sum = between_sum(ask->a, (int) p, node, ask->borrower);
		if (!sum)
			return;
		if (*sum > 0)
			ask->f(ask->arg, is_cohort, is_cohort ? node
			       : node - (int) b->ncohorts, b->pairs[p].flavor,
			       b->pairs[p].resource, *sum);
	}
	for (int k = b->nodes[node].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling)
		lenders_below(ask, k);
}

int64_t engine_account_borrowed_at(const struct engine *e, int queue)
{
	int64_t at = 0;

	if (!e->account || queue < 0 || (size_t) queue >= e->nqueues)
		return 0;
	for (size_t p = 0; p < e->books->npairs; p++) {
		const struct account_cell *c = account_cell(
			e->account, e->queues[queue].node, (int) p);

		if (c->over > 0)
			return INT64_MAX;
		at = max64(at, c->borrowed_at);
	}
	return at;
}

void engine_account_lenders(const struct engine *e, int queue,
			    void (*f)(void *arg, bool is_cohort, int lender,
				      int flavor, int resource, double sum),
			    void *arg)
{
	struct asking ask = { e->account, 0, f, arg };
	bool any = false;

	if (!e->account || queue < 0 || (size_t) queue >= e->nqueues)
		return;
	ask.borrower = e->queues[queue].node;
	for (size_t p = 0; p < e->books->npairs; p++)
		any |= has_borrowed(&ask, p);
	if (any)
		lenders_below(&ask, e->books->nodes[ask.borrower].root);
}

int engine_restore_between(struct engine *e, bool is_cohort, int lender,
			   int queue, int flavor, int resource, double sum)
{
	double *to = between_find(e, is_cohort, lender, queue, flavor,
				  resource);

	if (!to || !is_sum(sum))
		return invalid();
	*to += sum;
	return 0;
}
