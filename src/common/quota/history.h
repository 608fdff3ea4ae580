/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - what queues and cohorts have borrowed lately
 *
 * doc/how-it-decides.md, section 7; KAI-Scheduler's time-based fair share, with
 * a half-life in place of samples.
 *
 * The history H of an amount b that was the same for a time dt moves towards
 * it: H' = b + (H - b) * 2^(-dt/h). Amounts change at events only, so the value
 * is exact, whatever the time between two looks. Amounts in base units, times
 * in ns. The time is the caller's and does not run backwards here: a step back
 * counts as no time.
 */
#ifndef COHORT_HISTORY_H
#define COHORT_HISTORY_H

#include "quota/books.h"

/* What is left after dt of the difference: 2^(-dt/h); 1 for dt <= 0 */
double history_left(int64_t dt, int64_t half_life);

/* past, when the amount was the same for as long as `left` says. Nothing of
 * less than 2^-30 is kept. */
double history_moved(double past, double amount, double left);

/* To 2^-20: histories that are equal for all that matters compare as equal. */
double history_rounded(double past);

/* Times are full seconds, where a half-life has many. */
int64_t history_step(int64_t half_life);

/* The latest time of a new plan while histories move, in full steps: after 1/64 of the
 * half-life */
int64_t history_latest(int64_t now, int64_t half_life);

/* Of a node and resource. Roots borrow nothing: theirs stay 0. */
struct past {
	double past;			/* H when the node was folded last, not rounded */
	double seen, amount;		/* H, rounded, and b, of the last pass */
};

/* What fair sharing adds to the books */
struct history {
	int64_t half_life;
	double k, margin;
	int64_t now;			/* of events; 0: not told yet */
	int64_t *at;			/* by node: when it was folded last */
	struct past *pasts;		/* [node * nresources + resource] */
};

/* What the node borrows of a resource, over all flavors, if it used less[0..n) less */
int64_t borrowed_of(const struct books *b, int node, int resource,
		    const struct use *less, size_t n);

/* b->history, or NULL if the spec does not want any. -1 with errno = ENOMEM */
int history_create(struct books *b, const struct spec *spec);
void history_destroy(struct books *b);

/* From now on it is that late. Call it before the first event. */
void history_advance(struct books *b, int64_t now);

/* The usage of the node is about to change, for good. */
void history_fold(struct books *b, int node);

static inline struct past *history_past(const struct books *b, int node, int resource)
{
	return &b->history->pasts[(size_t) node * b->nresources
				  + (size_t) resource];
}

/* What counts in the share beside what is borrowed: k times H of the last pass, or
 * what H will be when so much is `left` of the difference; 1: all */
static inline double history_counts(const struct books *b, int node, int resource, double left)
{
	const struct past *past = history_past(b, node, resource);

	if (left >= 1)
		return b->history->k * past->seen;
	return b->history->k * (past->amount + (past->seen - past->amount) * left);
}

/* Shares below `root` are those of this time from now on. True if any of them
 * will be another one later by time alone. */
bool history_see(struct books *b, int root);

#endif /* COHORT_HISTORY_H */
