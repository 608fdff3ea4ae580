/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.h - what the parts of the charts over time share
 */
#ifndef SCOHORT_SIMULATE_PLOT_H
#define SCOHORT_SIMULATE_PLOT_H

#include "simulate/simulate.h"

#define BUCKETS 360

/* Of a queue in each of the BUCKETS parts of the time: the mean of what it uses,
 * borrows, and of the jobs that wait, and how many are evicted */
struct series {
	const struct replay *r;
	const struct spec_queue *queue;
	double used[BUCKETS], borrowed[BUCKETS];
	double waiting[BUCKETS], evicted[BUCKETS];
};

struct drawing {
	const struct replay *const *replays;
	size_t n;
	const char *resource;
	int64_t span;			/* ns, of the longest */
	struct series *series;		/* n times nqueues of each, in order */
};

/* ---- series.c ---- */

/* Fills span and series. -1: no memory */
int series_make(struct drawing *d);
size_t series_queues(const struct drawing *d, size_t i);
/* Nominal quota of all queues, the mean over the whole time */
double series_nominal(const struct drawing *d, const struct replay *r);

#endif /* SCOHORT_SIMULATE_PLOT_H */
