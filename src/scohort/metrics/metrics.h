/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.h - the ledger and the counters for Prometheus
 */
#ifndef SCOHORT_METRICS_H
#define SCOHORT_METRICS_H

#include <stdbool.h>
#include <stdio.h>

struct json_object;

/* All samples but `up` of a published document, as OpenMetrics, or in the older
 * format of Prometheus */
void metrics_print(struct json_object *document, bool prometheus, FILE *file);

#endif /* SCOHORT_METRICS_H */
