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

/* Is anything in use, or does a queue wait? If not, only nominal quota adds up. */
bool engine_account_moves(const struct engine *e);

/* Trees with more cohorts and queues than this have no account of who lent to whom. */
#define ACCOUNT_NODES_MAX 32
/* So many such sums there are at most, in all trees together: the nodes of a tree
 * squared, for each pair. Trees for which none are left have no such account. */
#define ACCOUNT_SUMS_MAX ((size_t) 1 << 18)

/* The sums of a node; or what a queue has borrowed from it, which is `lent`, without other
 * sums. A cohort lends the quota that is set at itself. */
struct account_row {
	bool is_cohort;
	int node;
	int borrower;		/* a queue, or SPEC_NONE: the sums of the node */
	int flavor, resource;
	struct account_sums sums;
};

/* The rows of all nodes and pairs that any node has quota for, and those of borrowers that
 * are not 0: nodes * pairs + ACCOUNT_SUMS_MAX at most */
struct account_table {
	int64_t at;		/* ns, of all rows */
	size_t set_backs;	/* how often times of the engine went back by more than a minute */
	size_t n;
	struct account_row rows[];
};

/* All rows as they are at that time, ns, or at that of the last change or call, if that is later.
 * The caller frees the table, which outlives the engine. NULL: nothing is kept, or no memory */
struct account_table *engine_account(struct engine *e, int64_t at);

/* What was summed up before this engine. Adds the row to the sums. -1 with errno =
 * EINVAL: no such node or pair, no sums, or nothing is kept */
int engine_restore_account(struct engine *e, const struct account_row *row);

#endif /* COHORT_ACCOUNT_H */
