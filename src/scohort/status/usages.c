/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usages.c - the order of local queues where usage counts, as a line of text
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "status/status.h"

#define NAMED_MAX 10		/* the others are counted */

/* null is beyond all others */
static double score_of(struct json_object *usage)
{
	return json_member(usage, "score") ? json_real(usage, "score")
	       : HUGE_VAL;
}

static int by_score(const void *x, const void *y)
{
	struct json_object *a = *(struct json_object *const *) x;
	struct json_object *b = *(struct json_object *const *) y;
	int order = (score_of(a) > score_of(b)) - (score_of(a) < score_of(b));

	return order ? order : strcmp(json_text(a, "name"),
				      json_text(b, "name"));
}

/* " lab 0.22 (weight 2)", " - 0.22": only names in cohort.yaml are published,
 * and never those of users */
static void usage_add(FILE *out, struct json_object *usage, size_t i,
		      bool by_user)
{
	const char *name = json_text(usage, "name");
	double weight = json_real(usage, "weight"), score = score_of(usage);

	if (!*name && !by_user)
		name = "-";
	fprintf(out, "%s%s%s", i ? ", " : " ", name, *name ? " " : "");
	if (isfinite(score))
		fprintf(out, "%.4g", score);
	else
		fputs("last", out);
	if (weight != 1)
		fprintf(out, " (weight %g)", weight);
}

static void usages_write(FILE *out, struct json_object **list, size_t n,
			 bool by_user)
{
	size_t shown = n < NAMED_MAX ? n : NAMED_MAX;

	qsort(list, n, sizeof(*list), by_score);
	for (size_t i = 0; i < shown; i++)
		usage_add(out, list[i], i, by_user);
	if (shown < n)
		fprintf(out, ", and %zu more", n - shown);
}

void usages_text(char *buf, size_t size, struct json_object *queue,
		 bool by_user)
{
	size_t n = json_items(queue, "localUsage");
	struct json_object **list = calloc(n + 1, sizeof(*list));
	FILE *out = n && list ? fmemopen(buf, size - 1, "w") : NULL;

	*buf = buf[size - 1] = '\0';
	if (out) {
		for (size_t i = 0; i < n; i++)
			list[i] = json_item(queue, "localUsage", i);
		fprintf(out, "%s of %s by usage, less goes first:",
			by_user ? "users" : "accounts",
			json_text(queue, "name"));
		usages_write(out, list, n, by_user);
		fclose(out);
	}
	free(list);
}
