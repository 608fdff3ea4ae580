/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.h - what cluster queues used and borrowed over time, as charts
 */
#ifndef SCOHORT_REPORT_PLOT_H
#define SCOHORT_REPORT_PLOT_H

#include "report/catalog.h"
#include "report/slots.h"

/* Shows the resource: a GRES if there is any and none is named. By hour, or by day
 * if the range has more than four, unless it says by what. zone: of the times. -1 after a message */
int plot_report(const char *path, const char *resource, const char *zone,
		const struct db *db, const struct range *range,
		const struct catalog *catalog);

#endif /* SCOHORT_REPORT_PLOT_H */
