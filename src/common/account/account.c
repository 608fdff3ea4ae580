/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.c - the account of an engine: asked, kept, told of what happens
 */
#include <errno.h>

#include "account/between.h"
#include "account/keep.h"
#include "account/waits.h"
#include "core/queue_state.h"

/* A time that is so much earlier, ns, tells that the clock was set back. */
#define SET_BACK (60 * SPEC_SEC)
/* Two of them are one as well: what is saved can be restored. */
#define SUM_MAX 1e30

/* ---- told by the layers above ---- */

void account_waits(struct engine *e, const struct queue *q, bool waits)
{
	if (e->account)
		account_set_waits(e->account, q->node,
				  waits && !queue_held(q));
}

void account_advance(struct engine *e, int64_t now)
{
	struct account *a = e->account;

	if (!a || a->stopped)
		return;
	if (a->now - a->cells.skew - now > SET_BACK)
		account_set_back(a, now);
	else
		account_set_now(a, now);
}

void account_renew(struct engine *e)
{
	const struct books *b = e->books;

	for (size_t n = 0; e->account && n < b->nnodes; n++) {
		for (size_t p = 0; p < b->npairs; p++) {
			if (books_cell(b, (int) n, (int) p)->usage
			    || cells_find(&e->account->cells, (int) n, (int) p))
				account_see(e->account, (int) n, (int) p);
		}
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
	account_set_now(e->account, e->now);
	e->account->changed = e->account->now;
	account_renew(e);
	for (size_t i = 0; i < e->nqueues; i++)
		account_set_waits(e->account, e->queues[i].node,
				  e->queues[i].waiting.root
				  && !queue_held(&e->queues[i]));
	e->books->watch = &e->account->watch;
	return 0;
}

/* ---- asked ---- */

/* 0 stays what it is. */
static int64_t engine_time(const struct account *a, int64_t at)
{
	return at ? at - a->cells.skew : 0;
}

int64_t engine_account_changed(const struct engine *e)
{
	return e->account ? engine_time(e->account, e->account->changed) : 0;
}

int64_t engine_account_stopped(const struct engine *e)
{
	return e->account ? engine_time(e->account, e->account->stopped) : 0;
}

size_t engine_account_set_backs(const struct engine *e)
{
	return e->account ? e->account->set_backs : 0;
}

bool engine_account_moves(const struct engine *e)
{
	return e->account && (e->account->nused || e->account->nwaiting);
}

static bool find(const struct engine *e, bool is_cohort, int *node, int flavor,
		 int resource, int *pair)
{
	return e->account && frame_find(e->account->cells.frame, is_cohort,
					node, flavor, resource, pair);
}

/* The account's own time, of one of the engine */
static int64_t own_time(const struct account *a, int64_t at)
{
	at += a->cells.skew;
	return a->stopped ? min64(at, a->stopped) : at;
}

bool engine_account(const struct engine *e, bool is_cohort, int node,
		    int flavor, int resource, int64_t at,
		    struct account_sums *s)
{
	struct account_cell c;
	int pair;

	if (!find(e, is_cohort, &node, flavor, resource, &pair))
		return false;
	c = cells_at(&e->account->cells, node, pair,
		     own_time(e->account, at));
	*s = cell_sums(&c);
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

/* Most nodes have quota of much that they never use. */
static bool is_nominal_only(const struct account_sums *s)
{
	return !s->own && !s->borrowed && s->lent <= 0 && s->shared <= 0
	       && s->idle <= 0;
}

static int earlier_add(struct account *a, int node, int pair, int64_t nominal)
{
	int64_t *row = frame_earlier(a->cells.frame, node);

	if (!row) {
		errno = ENOMEM;
		return -1;
	}
	row[pair] = sat_add(row[pair], nominal);
	return 0;
}

static int cell_add(struct account *a, int node, int pair,
		    const struct account_sums *s)
{
	struct account_cell *c = account_keep_cell(a, node, pair);

	if (!c) {
		errno = ENOMEM;
		return -1;
	}
	c->sum_nominal += (__int128) s->nominal * SPEC_SEC;
	c->sum_own += (__int128) s->own * SPEC_SEC;
	c->sum_borrowed += (__int128) s->borrowed * SPEC_SEC;
	c->sum_lent += s->lent;
	c->sum_shared += s->shared;
	c->sum_idle += s->idle;
	return 0;
}

int engine_restore_account(struct engine *e, bool is_cohort, int node,
			   int flavor, int resource,
			   const struct account_sums *s)
{
	int pair;

	if (!find(e, is_cohort, &node, flavor, resource, &pair)
	    || s->nominal < 0 || s->own < 0 || s->borrowed < 0
	    || !is_sum(s->lent) || !is_sum(s->shared) || !is_sum(s->idle))
		return invalid();
	if (is_nominal_only(s) && e->account->cells.frame->users == 1
	    && !cells_find(&e->account->cells, node, pair))
		return earlier_add(e->account, node, pair, s->nominal);
	return cell_add(e->account, node, pair, s);
}

/* ---- lenders and borrowers ---- */

void engine_account_date(struct engine *e, int64_t at)
{
	struct account *a = e->account;

	for (size_t i = 0; a && i < e->books->nnodes; i++) {
		for (size_t p = 0; e->books->nodes[i].root == (int) i
				   && p < e->books->npairs; p++)
			between_settle(a, (int) i, (int) p, own_time(a, at));
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
	return between_sum(e->account->cells.frame, e->account->between, pair,
			   lender, queue);
}

double engine_account_between(const struct engine *e, bool is_cohort,
			      int lender, int queue, int flavor, int resource)
{
	const double *sum = between_find(e, is_cohort, lender, queue, flavor,
					 resource);

	return sum ? *sum : 0;
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
