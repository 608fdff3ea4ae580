/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * periods.h - what all cluster queues had, hour by hour, day by day
 */
#ifndef SCOHORT_REPORT_PERIODS_H
#define SCOHORT_REPORT_PERIODS_H

#include "report/catalog.h"
#include "report/delays.h"
#include "report/slots.h"

struct queue_events {
	int64_t evicted, caused;
	struct delays delays;
};

/* Of one queue and resource, in base units times seconds */
struct amounts {
	bool any;
	int64_t of[DB_AMOUNTS];
};

struct period {
	int64_t begin;		/* as span_begin() has it */
	struct amounts *amounts;	/* [queue * resources + resource] */
	struct queue_events *events;	/* [queue] */
};

/* Calls f() for each period of which something is known, in order; what it gets
 * is its own until it returns. -1 after a message, or if f() returns that. */
int periods_each(const struct db *db, const struct range *range,
		 const struct catalog *catalog,
		 int (*f)(void *arg, const struct period *p), void *arg);

#endif /* SCOHORT_REPORT_PERIODS_H */
