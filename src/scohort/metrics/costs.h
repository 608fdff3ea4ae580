/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * costs.h - metrics: what was lent and borrowed over time, and what it has cost
 */
#ifndef SCOHORT_METRICS_COSTS_H
#define SCOHORT_METRICS_COSTS_H

#include "metrics/openmetrics.h"

void costs_print(const struct writer *w);

#endif /* SCOHORT_METRICS_COSTS_H */
