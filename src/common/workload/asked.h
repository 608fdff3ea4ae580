/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asked.h - what the waiting shapes of a queue ask for, at least and at most
 *
 * It lets a plan tell at once what is true of all of them: that each asks for more
 * than is free (plan/refused.c), or that the reason of none can have changed
 * (plan/explain.c).
 *
 * Only simple shapes are counted. A shape is simple if it has one pod set of a fixed
 * size, may be evicted, may use the only flavor of each resource that it asks for, and
 * is not set apart for one workload. All others are mixed.
 */
#ifndef COHORT_ASKED_H
#define COHORT_ASKED_H

#include <stdbool.h>
#include <stdint.h>

struct queue;
struct shape;

/* Of one resource, in base units */
struct asked {
	int64_t least;		/* no simple shape asks for less; INT64_MAX: there
				 * is none */
	int64_t most;		/* and none for more */
	bool loose;		/* one that asked for either has gone */
};

/* Could only an answer of the books to the one amount for each resource decide about
 * the shape? Its queue and its pod sets are set. */
bool shape_asks_simply(const struct shape *s);

/* The shape begins to wait, or none of it waits any more. */
void asked_add(struct queue *q, const struct shape *s);
void asked_remove(struct queue *q, const struct shape *s);

/* Each simple shape asks for more than that much of the resource. */
bool asked_all_above(struct queue *q, int resource, int64_t amount);

/* Each simple shape asks for that much of the resource, or for less. May say no where
 * it is so, if a shape that asked for more has gone. */
bool asked_none_above(const struct queue *q, int resource, int64_t amount);

#endif /* COHORT_ASKED_H */
