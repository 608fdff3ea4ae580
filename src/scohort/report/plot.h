/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.h - what cluster queues used and borrowed over time, as charts
 */
#ifndef SCOHORT_REPORT_PLOT_H
#define SCOHORT_REPORT_PLOT_H

#include "report/ask.h"

/* Shows the chosen resource: a GRES if there is any and none is chosen. By hour, or by day
 * if the range has more than four, unless it says by what. Rows of use that were collected
 * before are gone, and the range has the periods of the charts. -1 after a message */
int plot_report(const char *path, struct ask *a);

#endif /* SCOHORT_REPORT_PLOT_H */
