/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delays.h - a histogram of seconds, and its quantiles
 */
#ifndef SCOHORT_REPORT_DELAYS_H
#define SCOHORT_REPORT_DELAYS_H

#include <stddef.h>
#include <stdint.h>

#include "history/db.h"

#define DELAYS_MAX 64		/* bounds; other versions may have had others */

struct delays {
	size_t n;
	double bounds[DELAYS_MAX];	/* ascending; INFINITY: above all */
	int64_t counts[DELAYS_MAX];
};

void delays_add(struct delays *d, double bound, int64_t count);

/* As Prometheus has it: evenly within a bucket, and of those above all the highest
 * bound. Less than 0: there are none. */
double delays_quantile(const struct delays *d, double part);

/* SQL has quantile(WHAT, N, PART), of rows of `tally`: NULL if there are no delays. -1 after
 * a message */
int delays_register(const struct db *db);

#endif /* SCOHORT_REPORT_DELAYS_H */
