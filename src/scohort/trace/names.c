/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - texts and requests that many jobs of a trace share
 */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/container.h"
#include "must.h"
#include "trace/trace.h"

struct name {
	struct hash_link link;
	struct trace_request *request;	/* what the text asks for, if it was read as one */
	const char *label;		/* or NULL; another text */
	char text[];
};

static struct name *name_of(struct trace_names *names, const char *text)
{
	size_t len = strlen(text);
	uint64_t hash = hash_bytes(HASH_INIT, text, len);
	struct name *name;

	for (struct hash_link *link = hash_first(&names->texts, hash); link;
	     link = hash_next(link)) {
		name = container_of(link, struct name, link);
		if (!strcmp(name->text, text))
			return name;
	}
	name = must(arena_alloc(&names->memory, 1, sizeof(*name) + len + 1));
	memcpy(name->text, text, len);
	must(hash_insert(&names->texts, &name->link, hash) < 0 ? NULL : name);
	return name;
}

const char *trace_name(struct trace_names *names, const char *text)
{
	return name_of(names, text)->text;
}

void trace_label(struct trace_names *names, const char *key, const char *text, size_t len)
{
	char *label = must_format("%.*s", (int) len, text);

	name_of(names, key)->label = trace_name(names, label);
	free(label);
}

const char *trace_labelled(struct trace_names *names, const char *key)
{
	return name_of(names, key)->label;
}

/* ---- requests ---- */

/* sacct writes fractions: mem=3.50G. Rounded up to MB. False: no such amount */
static bool fraction_read(const char *text, int64_t *mb)
{
	static const char suffixes[] = "KMGTP";
	const char *suffix;
	char *end;
	double value = isdigit((unsigned char) *text) ? strtod(text, &end) : -1;

	if (value < 0 || !strchr(text, '.') || !*end || end[1])
		return false;
	suffix = strchr(suffixes, *end);
	if (!suffix)
		return false;
	value = ceil(ldexp(value, 10 * (int) (suffix - suffixes - 1)));
	*mb = value > (double) AMOUNT_MAX ? 0 : (int64_t) value;
	return value <= (double) AMOUNT_MAX;
}

static int amount_read(const struct tres *tres, int64_t *amount, char *err, size_t size)
{
	char why[160];

	if (resource_check(tres->name, why, sizeof(why)) < 0)
		snprintf(err, size, "\"%s\" %s", tres->name, why);
	else if ((!strcmp(tres->name, "mem") && fraction_read(tres->value, amount))
		 || !amount_parse(tres->name, tres->value, amount, why, sizeof(why)))
		return 0;
	else
		snprintf(err, size, "%s: \"%s\" %s", tres->name, tres->value, why);
	return -1;
}

static int amount_append(struct trace_request *request, const struct tres *tres, char *err,
			 size_t size)
{
	struct trace_amount *amount = &request->amounts[request->n];

	if (amount_read(tres, &amount->amount, err, size) < 0)
		return -1;
	for (size_t i = 0; i < request->n; i++) {
		if (strcmp(request->amounts[i].resource, tres->name))
			continue;
		snprintf(err, size, "%s comes twice", tres->name);
		return -1;
	}
	memcpy(amount->resource, tres->name, sizeof(tres->name));
	request->n++;
	return 0;
}

/* NULL with what is wrong in err */
static struct trace_request *request_parse(struct arena *memory, const char *text, char *err,
					   size_t size)
{
	struct trace_request *request = must(calloc(1, sizeof(*request))), *kept = NULL;
	size_t bytes = sizeof(*request);
	struct tres tres;
	int more;

	snprintf(err, size, "is empty (\"cpu=4,mem=16G\" would be right)");
	while ((more = tres_next(&text, &tres, err, size)) > 0) {
		bytes += sizeof(request->amounts[0]);
		request = must(realloc(request, bytes));
		if (amount_append(request, &tres, err, size) < 0)
			break;
	}
	if (!more && request->n)
		kept = memcpy(must(arena_alloc(memory, 1, bytes)), request, bytes);
	free(request);
	return kept;
}

const struct trace_request *trace_request(struct trace_names *names, const char *text,
					  char *err, size_t size)
{
	struct name *name = name_of(names, text);

	if (!name->request)
		name->request = request_parse(&names->memory, text, err, size);
	return name->request;
}

void trace_names_free(struct trace_names *names)
{
	hash_destroy(&names->texts);
	arena_destroy(&names->memory);
}
