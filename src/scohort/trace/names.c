/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - texts and requests that many jobs of a trace share
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/container.h"
#include "trace/names.h"

struct name {
	struct hash_link link;
	struct trace_request *request;	/* or NULL */
	const char *label;		/* or NULL; among the texts */
	char text[];
};

static struct name *name_find(const struct hash *h, uint64_t hash,
			      const char *text)
{
	struct hash_link *link = hash_first(h, hash);

	for (; link; link = hash_next(link)) {
		struct name *name = container_of(link, struct name, link);

		if (!strcmp(name->text, text))
			return name;
	}
	return NULL;
}

static struct name *name_add(struct hash *h, uint64_t hash, const char *text,
			     struct trace_request *request)
{
	size_t len = strlen(text);
	struct name *name = malloc(sizeof(*name) + len + 1);

	if (!name || hash_insert(h, &name->link, hash) < 0) {
		free(name);
		return NULL;
	}
	name->request = request;
	name->label = NULL;
	memcpy(name->text, text, len + 1);
	return name;
}

const char *trace_name(struct trace_names *names, const char *text)
{
	uint64_t hash = hash_bytes(HASH_INIT, text, strlen(text));
	struct name *name = name_find(&names->texts, hash, text);

	if (!name)
		name = name_add(&names->texts, hash, text, NULL);
	return name ? name->text : NULL;
}

int trace_label(struct trace_names *names, const char *key, const char *text,
		size_t len)
{
	uint64_t hash = hash_bytes(HASH_INIT, key, strlen(key));
	struct name *name = name_find(&names->labels, hash, key);
	char *copy = strndup(text, len);
	const char *label = copy ? trace_name(names, copy) : NULL;

	free(copy);
	if (label && !name)
		name = name_add(&names->labels, hash, key, NULL);
	if (!label || !name)
		return -1;
	name->label = label;
	return 0;
}

const char *trace_labelled(const struct trace_names *names, const char *key)
{
	uint64_t hash = hash_bytes(HASH_INIT, key, strlen(key));
	const struct name *name = name_find(&names->labels, hash, key);

	return name ? name->label : NULL;
}

/* ---- requests ---- */

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

static int amount_read(const struct tres *tres, int64_t *amount, char *err,
		       size_t size)
{
	char why[160];

	if (resource_check(tres->name, why, sizeof(why)) < 0) {
		snprintf(err, size, "\"%s\" %s", tres->name, why);
		return -1;
	}
	if (!strcmp(tres->name, "mem") &&
	    !fraction_parse(tres->value, amount))
		return 0;
	if (!amount_parse(tres->name, tres->value, amount, why, sizeof(why)))
		return 0;
	snprintf(err, size, "%s: \"%s\" %s", tres->name, tres->value, why);
	return -1;
}

static int amount_append(struct trace_request **request,
			 const struct tres *tres, char *err, size_t size)
{
	size_t n = *request ? (*request)->n : 0;
	struct trace_request *grown;
	int64_t amount;

	if (amount_read(tres, &amount, err, size) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (strcmp((*request)->amounts[i].resource, tres->name))
			continue;
		snprintf(err, size, "%s comes twice", tres->name);
		return -1;
	}
	grown = realloc(*request, sizeof(*grown) +
			(n + 1) * sizeof(grown->amounts[0]));
	if (!grown) {
		snprintf(err, size, "no memory");
		return -1;
	}
	*request = grown;
	grown->n = n + 1;
	memcpy(grown->amounts[n].resource, tres->name, sizeof(tres->name));
	grown->amounts[n].amount = amount;
	return 0;
}

static struct trace_request *request_parse(const char *text, char *err,
					   size_t size)
{
	struct trace_request *request = NULL;
	const char *cursor = text;
	struct tres tres;
	int more;

	snprintf(err, size, "is empty (\"cpu=4,mem=16G\" would be right)");
	while ((more = tres_next(&cursor, &tres, err, size)) > 0) {
		if (!amount_append(&request, &tres, err, size))
			continue;
		more = -1;
		break;
	}
	if (more < 0) {
		free(request);
		return NULL;
	}
	return request;
}

const struct trace_request *trace_request(struct trace_names *names,
					  const char *text, char *err,
					  size_t size)
{
	uint64_t hash = hash_bytes(HASH_INIT, text, strlen(text));
	struct name *name = name_find(&names->requests, hash, text);
	struct trace_request *request;

	if (name)
		return name->request;
	request = request_parse(text, err, size);
	if (!request)
		return NULL;
	name = name_add(&names->requests, hash, text, request);
	if (name)
		return request;
	free(request);
	snprintf(err, size, "no memory");
	return NULL;
}

static void table_free(struct hash *h)
{
	for (size_t i = 0; i < h->nbuckets; i++) {
		struct hash_link *link = h->buckets[i];

		while (link) {
			struct name *name = container_of(link, struct name,
							 link);

			link = link->next;
			free(name->request);
			free(name);
		}
	}
	hash_destroy(h);
}

void trace_names_free(struct trace_names *names)
{
	table_free(&names->labels);
	table_free(&names->texts);
	table_free(&names->requests);
}
