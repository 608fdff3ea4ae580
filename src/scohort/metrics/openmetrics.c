/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * openmetrics.c - families, samples and histograms as OpenMetrics text
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "input/json_members.h"
#include "lib/sat.h"
#include "metrics/openmetrics.h"
#include "text/printable.h"

#define NAME "slurm_cohort"

struct labels queue_labels(struct json_object *queue)
{
	struct labels l = { .n = 0 };

	label_add(&l, "cohort", json_text(queue, "cohort"));
	label_add(&l, "cluster_queue", json_text(queue, "name"));
	return l;
}

void family_print(const struct writer *w, enum metric_kind kind,
		  const char *name, const char *help)
{
	static const char *const kinds[] = { "gauge", "counter", "histogram" };
	bool total = w->prometheus && kind == METRIC_COUNTER;
	const char *end = total ? "_total" : "";

	fprintf(w->file, "# HELP " NAME "_%s%s %s\n# TYPE " NAME "_%s%s %s\n",
		name, end, help, name, end, kinds[kind]);
}

/* One label that is no UTF-8 would make Prometheus reject all samples. */
static void label_value_print(FILE *file, const char *value)
{
	char *mended = utf8_mend(value);

	for (const char *c = mended; c && *c; c++) {
		if (*c == '\n')
			fputs("\\n", file);
		else if (*c == '"' || *c == '\\')
			fprintf(file, "\\%c", *c);
		else
			putc(*c, file);
	}
	free(mended);
}

void label_add(struct labels *l, const char *name, const char *value)
{
	l->names[l->n] = name;
	l->values[l->n++] = value;
}

void sample_print(const struct writer *w, const char *name, const char *end,
		  const struct labels *l, const char *le, double value)
{
	fprintf(w->file, NAME "_%s%s", name, end);
	for (size_t i = 0; i < l->n; i++) {
		fprintf(w->file, "%s%s=\"", i ? "," : "{", l->names[i]);
		label_value_print(w->file, l->values[i]);
		putc('"', w->file);
	}
	if (le)
		fprintf(w->file, "%sle=\"%s\"", l->n ? "," : "{", le);
	fputs(l->n || le ? "} " : " ", w->file);
	if (isinf(value))
		fputs("+Inf\n", w->file);
	else
		fprintf(w->file, "%.15g\n", value);
}

void histogram_print(const struct writer *w, const char *name,
		     const struct labels *l, struct json_object *h)
{
	size_t n = json_items(h, "bounds");
	int64_t count = 0;
	char le[32];

	for (size_t i = 0; i < n; i++) {
		double bound = json_object_get_double(json_item(h, "bounds",
								i));

		count = sat_add(count, json_object_get_int64(
					json_item(h, "buckets", i)));
		snprintf(le, sizeof(le),
			 bound == floor(bound) && fabs(bound) < 1e15 ? "%.1f"
			 : "%.6g", bound);
		sample_print(w, name, "_bucket", l, le, (double) count);
	}
	count = sat_add(count,
			json_object_get_int64(json_item(h, "buckets", n)));
	sample_print(w, name, "_bucket", l, "+Inf", (double) count);
	sample_print(w, name, "_sum", l, NULL, json_real(h, "sum"));
	sample_print(w, name, "_count", l, NULL, (double) count);
}
