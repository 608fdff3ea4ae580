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

/* Times are full seconds, where a half-life has many. The longest time without a
 * new plan while histories move: 1/64 of the half-life */
int64_t history_step(int64_t half_life);
int64_t history_longest(int64_t half_life);

/* The latest time of a new plan while histories move, in full steps */
int64_t history_latest(int64_t now, int64_t half_life);

/* What fair sharing adds to the books. Rows of resources by node. Roots borrow
 * nothing: theirs stay 0. */
struct history {
	int64_t half_life;
	double k, margin;
	int64_t now;			/* of events; 0: not told yet */
	int64_t *at;			/* by node: when it was folded last */
	double *past;			/* H at that time, not rounded */
	double *seen;			/* H of the pass, rounded; */
	double *lately;			/* k times that, as it counts in
					 * shares; */
	double *amount;			/* b at the same time */
	double *later;			/* one row: `lately` of another time */
	double *gain, *loss;		/* by node: how far its share may grow
					 * and shrink by time alone before it is
					 * seen anew */
	struct share *plain, *latest;	/* by node, see share.h */
	int64_t looked_at;		/* at which time history_look() was
					 * asked; */
	int64_t latest_at;		/* how far it looks ahead, */
	double latest_left;		/* and history_left() then */
	double most;			/* the part of a difference that may go
					 * until then */
};

/* b->history, or NULL if the spec does not want any. -1 with errno = ENOMEM */
int history_create(struct books *b, const struct spec *spec);
void history_destroy(struct books *b);

/* From now on it is that late. Call it before the first event. */
void history_advance(struct books *b, int64_t now);

/* The usage of the node is about to change, for good. */
void history_fold(struct books *b, int node);

/* Looks ahead from `now` to the latest time of a new plan while histories move.
 * Shares of that time are remembered (share_latest()). */
void history_look(const struct books *b, int64_t now);

/* Shares below `root` are those of this time from now on. True if any of them
 * will be another one later by time alone. */
bool history_see(struct books *b, int root);

#endif /* COHORT_HISTORY_H */
