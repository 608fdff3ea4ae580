/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit.c - one value of cohort.yaml is changed, all else stays as it is written
 *
 * A node of the document knows its line, not its column. So each place on that
 * line that could be meant is tried, and the text is taken that differs from
 * the old one in just this value: what is written is never guessed.
 */
#define _GNU_SOURCE	/* asprintf */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply/edit.h"
#include "apply/place.h"
#include "diff/diff.h"
#include "input/json_members.h"
#include "value/tres.h"
#include "yaml/document.h"

/* A change that is wanted, and how to tell that a text has it and no other */
struct edit {
	const char *text;
	const char *queue, *policy;		/* stopPolicy */
	const char *flavor, *resource;		/* nominalQuota, */
	int64_t amount;				/* if resource is set */
};

static void ignore(void *arg, bool warning, const char *message)
{
	(void) arg;
	(void) warning;
	(void) message;
}

/* ---- the only change ---- */

static bool quota_is_only(struct json_object *quotas, const struct edit *e)
{
	struct json_object *o = json_object_array_get_idx(quotas, 0);

	return json_object_array_length(quotas) == 1
	       && !strcmp(json_text(o, "kind"), "clusterQueue")
	       && !strcmp(json_text(o, "name"), e->queue)
	       && !strcmp(json_text(o, "flavor"), e->flavor)
	       && !strcmp(json_text(o, "resource"), e->resource)
	       && !strcmp(json_text(o, "key"), "nominalQuota")
	       && json_number(o, "to") == e->amount;
}

static bool key_is_only(struct json_object *keys, const struct edit *e)
{
	struct json_object *o = json_object_array_get_idx(keys, 0);
	char *path;
	bool only;

	if (json_object_array_length(keys) != 1
	    || asprintf(&path, "clusterQueues[%s].stopPolicy", e->queue) < 0)
		return false;
	only = !strcmp(json_text(o, "path"), path)
	       && !strcmp(json_text(o, "to"), e->policy);
	free(path);
	return only;
}

static bool is_wanted(const struct edit *e, const char *text)
{
	struct conf *old = conf_read_text("", e->text, strlen(e->text), ignore,
					  NULL);
	struct conf *new = conf_read_text("", text, strlen(text), ignore,
					  NULL);
	struct json_object *keys = NULL, *quotas = NULL;
	bool wanted = false;

	if (old && new) {
		keys = diff_keys(e->text, text);
		quotas = diff_quotas(old, new);
		wanted = keys && (e->resource
			 ? !json_object_array_length(keys)
			   && quota_is_only(quotas, e)
			 : key_is_only(keys, e)
			   && !json_object_array_length(quotas));
	}
	json_object_put(keys);
	json_object_put(quotas);
	conf_destroy(old);
	conf_destroy(new);
	return wanted;
}

/* ---- places in the text ---- */

/* Replaces `len` bytes at `at` if that makes the change that is wanted. */
static char *splice_try(const struct edit *e, const char *at, size_t len,
			const char *with)
{
	char *text;

	text = place_splice(e->text, at, len, with);
	if (!text)
		return NULL;
	if (is_wanted(e, text))
		return text;
	free(text);
	return NULL;
}

/* Each place on the line where `old` stands */
static char *value_replace(const struct edit *e, int line, const char *old,
			   const char *with)
{
	const char *begin = place_line(e->text, line);
	const char *end = begin ? strchrnul(begin, '\n') : NULL;

	for (const char *at = begin; *old && at && (at = strstr(at, old))
	     && at < end; at++) {
		char *text = splice_try(e, at, strlen(old), with);

		if (text)
			return text;
	}
	return NULL;
}

/* ---- stopPolicy ---- */

/* A key beside "name", which stands at `at` on the line that begins at
 * `begin`: on a line of its own, or behind the name's value where the map is
 * written on one line */
static char *beside_try(const struct edit *e, const char *begin,
			const char *at)
{
	const char *end = strchrnul(at, '\n'), *value = strchr(at, ':');
	size_t quoted = at > begin && strchr("\"'", at[-1]) ? 1 : 0;
	char *with, *text = NULL;

	if (!value || value > end)
		return NULL;
	if (asprintf(&with, "\n%*sstopPolicy: %s",
		     (int) (at - begin - (ptrdiff_t) quoted), "",
		     e->policy) < 0)
		return NULL;
	text = splice_try(e, end, 0, with);
	free(with);
	value += 1 + strspn(value + 1, " \t");
	value += strchr("\"'", *value) ? 1 : 0;
	value += strlen(e->queue);
	value += *value && strchr("\"'", *value) ? 1 : 0;
	if (text || value > end
	    || asprintf(&with, quoted ? ", \"stopPolicy\": \"%s\""
			       : ", stopPolicy: %s", e->policy) < 0)
		return text;
	text = splice_try(e, value, 0, with);
	free(with);
	return text;
}

static char *key_insert(const struct edit *e, const struct node *name)
{
	const char *begin = place_line(e->text, name->line);
	const char *end = begin ? strchrnul(begin, '\n') : NULL;

	for (const char *at = begin; at && (at = strstr(at, "name"))
	     && at < end; at++) {
		char *text = beside_try(e, begin, at);

		if (text)
			return text;
	}
	return NULL;
}

/* ---- nominalQuota ---- */

/* The amounts of a TRES string, with another one for the resource; NULL: it is
 * not among them */
static char *amounts_make(const char *tres, const char *resource,
			  const char *amount)
{
	const char *cursor = tres;
	bool found = false;
	char *text = NULL, err[160];
	struct tres item;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	while (tres_next(&cursor, &item, err, sizeof(err)) > 0) {
		bool this = !strcmp(item.name, resource);

		found |= this;
		fprintf(out, "%s%s=%s", ftell(out) ? "," : "", item.name,
			this ? amount : item.value);
	}
	fclose(out);
	if (found)
		return text;
	free(text);
	return NULL;
}

static char *quota_edit(const struct edit *e, const struct node *quota,
			const char *amount)
{
	const struct node *value = node_find(quota, e->resource);
	char *with, *text;

	if (quota->kind == NODE_MAP)
		return value ? value_replace(e, value->line, value->text,
					     amount) : NULL;
	with = amounts_make(quota->text, e->resource, amount);
	text = with ? value_replace(e, quota->line, quota->text, with) : NULL;
	free(with);
	return text;
}

/* ---- edits ---- */

static char *by_hand(int line, const char *what, char *err, size_t size)
{
	snprintf(err, size, "%s on line %d can't be changed in the way it is "
		 "written: edit the file, then run scohort apply", what, line);
	return NULL;
}

char *edit_stop_policy(const char *text, const char *queue,
		       const char *policy, char *err, size_t size)
{
	const struct edit e = { .text = text, .queue = queue,
				.policy = policy };
	struct document *doc = place_document(text);
	const struct node *item = place_queue(doc, queue, err, size), *old;
	char *new = NULL;

	if (item) {
		const struct node *name = node_find(item, "name");

		old = node_find(item, "stopPolicy");
		if (!strcmp(old ? old->text : "None", policy))
			new = strdup(text);
		else
			new = old ? value_replace(&e, old->line, old->text,
						  policy)
				  : key_insert(&e, name);
		if (!new)
			by_hand(name->line, "stopPolicy of the queue", err,
				size);
	}
	document_destroy(doc);
	return new;
}

/* What the queue has of it now; -1: no such quota */
static int64_t nominal_now(const char *text, const struct edit *e)
{
	struct conf *conf = conf_read_text("", text, strlen(text), ignore,
					   NULL);
	int64_t nominal = -1;
	int i = conf ? spec_find_queue(conf->spec, e->queue) : SPEC_NONE;

	for (size_t k = 0; i != SPEC_NONE
			   && k < conf->spec->queues[i].nquotas; k++) {
		const struct spec_quota *q = &conf->spec->queues[i].quotas[k];

		if (!strcmp(conf->spec->flavors[q->flavor], e->flavor)
		    && !strcmp(conf->spec->resources[q->resource],
			       e->resource))
			nominal = q->nominal;
	}
	conf_destroy(conf);
	return nominal;
}

static char *amount_edit(struct document *doc, const struct edit *e,
			 const char *amount, char *err, size_t size)
{
	const struct node *item = place_queue(doc, e->queue, err, size);
	int64_t now = nominal_now(e->text, e);
	const struct node *quota;
	char *new;

	if (!item)
		return NULL;
	quota = node_find(place_flavor(item, e->flavor, e->resource),
			  "nominalQuota");
	if (!quota || now < 0) {
		snprintf(err, size, "\"%s\" has no quota of %s in flavor "
			 "\"%s\"", e->queue, e->resource, e->flavor);
		return NULL;
	}
	new = now == e->amount ? strdup(e->text) : quota_edit(e, quota, amount);
	return new ? new : by_hand(quota->line, "nominalQuota", err, size);
}

char *edit_nominal_quota(const char *text, const char *queue,
			 const char *flavor, const char *resource,
			 const char *amount, char *err, size_t size)
{
	struct edit e = { .text = text, .queue = queue, .flavor = flavor,
			  .resource = resource };
	struct document *doc;
	char why[160], *new;

	if (resource_check(resource, why, sizeof(why)) < 0) {
		snprintf(err, size, "\"%s\" %s", resource, why);
		return NULL;
	}
	if (amount_parse(resource, amount, &e.amount, why, sizeof(why)) < 0) {
		snprintf(err, size, "%s=%s %s", resource, amount, why);
		return NULL;
	}
	doc = place_document(text);
	new = amount_edit(doc, &e, amount, err, size);
	document_destroy(doc);
	return new;
}
