/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.h - what was owned, used, borrowed and lent, over time
 *
 * Integrals over time of what the books say, kept at each change of the books
 * and not sampled: doc/how-it-decides.md, section 14. They decide nothing. An
 * engine keeps them from engine_keep_account() on. Time is that of
 * engine_advance(); sums are base units times seconds. node is a queue index,
 * or a cohort index with is_cohort.
 */
#ifndef COHORT_ACCOUNT_H
#define COHORT_ACCOUNT_H

#include "engine.h"

/* Of one flavor and resource. lent, shared and idle come from proportions, so
 * they have a rest of rounding. */
struct account_sums {
	int64_t nominal;	/* nominal quota; a cohort: that of its subtree */
	int64_t own;		/* of that, in use by itself */
	int64_t borrowed;	/* in use above it */
	double lent;		/* in use by others */
	double shared;		/* cohort: of quota set at the cohort itself, in
				 * use by those below and by others */
	double idle;		/* queue: in use by nobody, while a workload of the queue waited */
};

/* From now on. -1 with errno = ENOMEM: nothing is kept. */
int engine_keep_account(struct engine *e);

/* The last change of the books that counts, ns; 0: none, or nothing is kept */
int64_t engine_account_changed(const struct engine *e);

/* How often times of the engine went back by more than a minute: the last change
 * is an earlier one than before then. */
size_t engine_account_set_backs(const struct engine *e);

/* Is anything in use, or does a queue wait? If not, only nominal quota adds
 * up. */
bool engine_account_moves(const struct engine *e);

/* What was summed up before this engine. Adds to the sums. -1 with errno =
 * EINVAL: no such node or pair, no sums, or nothing is kept */
int engine_restore_account(struct engine *e, bool is_cohort, int node,
			   int flavor, int resource,
			   const struct account_sums *s);

/* ---- lenders and borrowers ---- */

/* Trees with more cohorts and queues than this have no such account. */
#define ACCOUNT_NODES_MAX 32
/* So many sums there are at most, in all trees together: the nodes of a tree
 * squared, for each pair. Trees for which none are left have no such account. */
#define ACCOUNT_SUMS_MAX ((size_t) 1 << 18)

/* As engine_restore_account(): what the queue has borrowed from the lender. A
 * cohort lends the quota that is set at itself. */
int engine_restore_between(struct engine *e, bool is_cohort, int lender,
			   int queue, int flavor, int resource, double sum);

/* ---- a copy, to be read without the lock of the engine ---- */

struct account_copy;

/* Replaces *copy, or NULL, by the sums as they are at a time that is not before the
 * last change. It outlives the engine. -1: nothing is kept, or no memory; then
 * *copy is NULL. */
int engine_account_copy(const struct engine *e, int64_t at, struct account_copy **copy);
/* NULL is allowed. */
void account_copy_destroy(struct account_copy *copy);

/* false: no such node, or no quota there */
bool account_copy_sums(const struct account_copy *copy, bool is_cohort,
		       int node, int flavor, int resource,
		       struct account_sums *s);

/* Has the queue ever borrowed where it is known of whom? */
bool account_copy_has_lenders(const struct account_copy *copy, int queue);
typedef void (*account_lender_f)(void *arg, bool is_cohort, int lender,
				 int flavor, int resource, double sum);
/* Calls f() for each lender that the queue has borrowed from. */
void account_copy_lenders(const struct account_copy *copy, int queue,
			  account_lender_f f, void *arg);

#endif /* COHORT_ACCOUNT_H */
