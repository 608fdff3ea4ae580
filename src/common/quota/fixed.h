/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixed.h - what non-preemptible workloads use, and how much they may
 *
 * Fixed usage is the part of the usage that nobody can take back. A queue has
 * that of its own workloads; a cohort has what of its children's is not covered
 * by their nominal quota. So the fixed usage of a cohort above its own nominal
 * quota is not covered there either, and counts in its parent.
 *
 * The rule is ours (doc/how-it-decides.md, section 6), after KAI-Scheduler's
 * check of non-preemptible pod groups against the deserved quota.
 */
#ifndef COHORT_FIXED_H
#define COHORT_FIXED_H

#include "quota/books.h"

/* sign: 1: are added, -1: are removed */
void fixed_change(struct books *b, int node, const struct use *uses, size_t n, int sign);

/* Usage, and if `fixed` fixed usage as well. sign: 1: is charged, -1: is released */
static inline void books_charge(struct books *b, int node, const struct use *uses, size_t n,
				bool fixed, int sign)
{
	books_change(b, node, uses, n, sign);
	if (fixed)
		fixed_change(b, node, uses, n, sign);
}

/* The fixed usage of a node; INT64_MAX if it is more than that */
int64_t fixed_usage(const struct books *b, int node, int pair);

/* The fixed usage of the queue is more than its nominal quota: quota was cut,
 * or the cohort has lent for it. */
bool fixed_is_over_nominal(const struct books *b, int queue, int pair);

/* How much more fixed usage the queue may have. CAP_QUEUE: up to its nominal
 * quota. CAP_COHORT: as long as it raises what is not covered at no cohort above
 * the borrowing limit, and at the root not at all. */
int64_t fixed_room(const struct books *b, int queue, int pair, enum cap_scope scope);

/* The same if there was none, with the largest quotas of now and later: the most that it
 * could ever have */
int64_t fixed_most(const struct books *b, int queue, int pair, enum cap_scope scope);

/* The most that it may have now, with what it has. CAP_QUEUE: it has more than
 * that after quota was cut. */
int64_t fixed_cap(const struct books *b, int queue, int pair, enum cap_scope scope);

#endif /* COHORT_FIXED_H */
