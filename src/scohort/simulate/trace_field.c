/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace_field.c - the texts of a trace's fields
 */
#define _GNU_SOURCE	/* strptime */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "simulate/trace.h"
#include "value/duration.h"

/* Takes the quotes off; NULL if there is no closing one, else what follows */
static char *quoted_end(char *field)
{
	char *to = field, *from = field + 1;

	for (; *from; from++) {
		if (*from == '"' && from[1] != '"')
			break;
		from += *from == '"';
		*to++ = *from;
	}
	if (!*from)
		return NULL;
	*to = '\0';
	return from + 1;
}

int trace_split(char *line, char separator, char **fields, int max)
{
	int n = 0;

	for (;;) {
		char *end = line;

		if (separator == ',' && *line == '"') {
			end = quoted_end(line);
			if (!end)
				return -1;
		}
		end += strcspn(end, (char []) { separator, '\0' });
		if (n == max)
			return max + 1;
		fields[n++] = line;
		if (!*end)
			return n;
		*end = '\0';
		line = end + 1;
	}
}

int trace_span(const char *text, int64_t *ns)
{
	char err[160];
	size_t digits = strspn(text, "0123456789");

	if (digits && digits <= 9 && !text[digits]) {
		*ns = strtoll(text, NULL, 10) * SPEC_SEC;
		return 0;
	}
	return duration_parse(text, ns, err, sizeof(err));
}

int trace_date(const char *text, int64_t *ns)
{
	struct tm tm = { .tm_isdst = -1 };
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	time_t t;

	if (!end || *end)
		return -1;
	t = mktime(&tm);
	/* in ns, with as much again for later sums */
	if (t < 0 || t > INT64_MAX / SPEC_SEC / 2)
		return -1;
	*ns = (int64_t) t * SPEC_SEC;
	return 0;
}

/* sacct writes fractions: mem=3.50G. Rounded up to MB. -1: no such amount */
static int fraction_parse(const char *text, int64_t *mb)
{
	static const char suffixes[] = "KMGTP";
	const char *suffix;
	char *end;
	double value = isdigit((unsigned char) *text) ? strtod(text, &end) : -1;

	if (value < 0 || !strchr(text, '.') || !*end || end[1])
		return -1;
	suffix = strchr(suffixes, *end);
	if (!suffix)
		return -1;
	value = ceil(ldexp(value, 10 * (int) (suffix - suffixes - 1)));
	if (value > (double) AMOUNT_MAX)
		return -1;
	*mb = (int64_t) value;
	return 0;
}

int trace_request(const char *text, struct trace_amount **list, size_t *n,
		  char *err, size_t size)
{
	const char *cursor = text;
	struct tres tres;
	int more;

	while ((more = tres_next(&cursor, &tres, err, size)) > 0) {
		struct trace_amount *grown;
		char why[128];
		int64_t amount;

		if ((strcmp(tres.name, "mem") ||
		     fraction_parse(tres.value, &amount) < 0) &&
		    amount_parse(tres.name, tres.value, &amount, why,
				 sizeof(why)) < 0) {
			snprintf(err, size, "%s: \"%s\" %s", tres.name,
				 tres.value, why);
			return -1;
		}
		grown = realloc(*list, (*n + 1) * sizeof(*grown));
		if (!grown) {
			snprintf(err, size, "no memory");
			return -1;
		}
		*list = grown;
		snprintf(grown[*n].resource, sizeof(grown[*n].resource), "%s",
			 tres.name);
		grown[(*n)++].amount = amount;
	}
	return more;
}
