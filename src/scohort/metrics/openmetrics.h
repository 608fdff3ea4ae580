/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * openmetrics.h - families, samples and histograms as OpenMetrics text
 *
 * Names are given without the prefix slurm_cohort_ that all of them have.
 */
#ifndef SCOHORT_OPENMETRICS_H
#define SCOHORT_OPENMETRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct json_object;

enum metric_kind { METRIC_GAUGE, METRIC_COUNTER, METRIC_HISTOGRAM };

struct writer {
	FILE *file;
	bool prometheus;	/* the older format, see metrics.c */
	struct json_object *document;	/* where the values come from */
};

/* Labels that the samples of one thing have in common */
struct labels {
	const char *names[6], *values[6];
	size_t n;
};

/* Both texts belong to the caller. There is room for six labels. */
void label_add(struct labels *l, const char *name, const char *value);

/* Those that all samples of a cluster queue have; its texts */
struct labels queue_labels(struct json_object *queue);

/* The lines that begin a family */
void family_print(const struct writer *w, enum metric_kind kind,
		  const char *name, const char *help);

/* A sample of it: `end` comes behind the name ("_total", "_bucket" or ""); le
 * is the bound of a bucket, or NULL. Infinity is +Inf. */
void sample_print(const struct writer *w, const char *name, const char *end,
		  const struct labels *l, const char *le, double value);

/* All samples of a published histogram: bounds, buckets and sum */
void histogram_print(const struct writer *w, const char *name,
		     const struct labels *l, struct json_object *h);

#endif /* SCOHORT_OPENMETRICS_H */
