/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit.c - one value of cohort.yaml is changed, all else stays as it is written
 *
 * A node of the document knows where it is written. A text is made with another
 * value there, and taken if it differs from the old one in just this value: what
 * an anchor or an odd style would change as well is left to people.
 */
#define _GNU_SOURCE	/* strchrnul, open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply/edit.h"
#include "diff/diff.h"
#include "input/json_members.h"
#include "must.h"
#include "output/output.h"
#include "text/printable.h"
#include "value/tres.h"
#include "yaml/document.h"

/* A change that is wanted, and how to tell that a text has it and no other: what the
 * configuration `new` says, and the lists of diff.h of what differs */
struct edit {
	const char *text, *queue, *flavor, *resource;
	struct report *report;
	struct document *doc;
	const struct node *item;	/* the queue */
	struct conf *conf;
	bool (*is_wanted)(const struct edit *e, const struct conf *new,
			  struct json_object *keys, struct json_object *quotas);
	const char *policy;				/* stopPolicy */
	int64_t amount;					/* nominalQuota */
	const struct temporary_edit *t;			/* temporaryQuota: */
	struct conf_temporary is;			/* what is to be */
	const struct conf_temporary *was;		/* what it replaces, or NULL */
};

/* ---- places ---- */

static const struct node *item_named(const struct node *list, const char *name)
{
	for (size_t i = 0; list && i < list->nitems; i++) {
		const struct node *n = node_find(list->items[i], "name");

		if (n && n->kind == NODE_SCALAR && !strcmp(n->text, name))
			return list->items[i];
	}
	return NULL;
}

static bool covers(const struct node *group, const char *resource)
{
	const struct node *list = node_find(group, "coveredResources");

	for (size_t i = 0; list && i < list->nitems; i++)
		if (!strcmp(list->items[i]->text, resource))
			return true;
	return false;
}

/* The flavor of the queue, where it has quota of the resource; NULL after a message */
static const struct node *flavor_find(const struct edit *e)
{
	const struct node *groups = node_find(e->item, "resourceGroups");

	for (size_t i = 0; groups && i < groups->nitems; i++) {
		const struct node *item =
			item_named(node_find(groups->items[i], "flavors"), e->flavor);

		if (item && covers(groups->items[i], e->resource))
			return item;
	}
	complain("\"%s\" has no quota of %s in flavor \"%s\"", e->queue,
		 e->resource, e->flavor);
	return NULL;
}

/* The place behind so many characters of the text */
static const char *place_of(const struct edit *e, size_t characters)
{
	const char *at = e->text;

	for (; characters && *at; characters--)
		at += utf8_length(at, strnlen(at, UTF8_MAX));
	return at;
}

/* In which column of its line it stands, from 0 */
static int column_of(const struct edit *e, const char *at)
{
	int column = 0;

	while (at - column > e->text && at[-column - 1] != '\n')
		column++;
	return column;
}

/* The key of a value in the map */
static const struct node *key_of(const struct node *map, const struct node *value)
{
	size_t i = 1;

	while (map->items[i] != value)
		i += 2;
	return map->items[i - 1];
}

/* Reads the text. False after a message: it has no such queue */
static bool edit_open(struct edit *e)
{
	e->report = must(report_create(""));
	e->doc = document_load(e->text, strlen(e->text), e->report);
	e->conf = conf_read_text("", e->text, strlen(e->text), NULL, NULL);
	if (e->doc && e->conf)
		e->item = item_named(node_find(document_root(e->doc), "clusterQueues"), e->queue);
	if (!e->item)
		complain("there is no cluster queue \"%s\"", e->queue);
	return e->item;
}

static void edit_close(struct edit *e)
{
	conf_destroy(e->conf);
	document_destroy(e->doc);
	report_destroy(e->report);
}

/* ---- a text that is tried ---- */

static bool makes_the_change(const struct edit *e, const char *text)
{
	struct conf *new = conf_read_text("", text, strlen(text), NULL, NULL);
	struct json_object *keys = new ? diff_keys(e->text, text) : NULL;
	struct json_object *quotas = new ? diff_quotas(e->conf, new) : NULL;
	bool wanted = keys && e->is_wanted(e, new, keys, quotas);

	json_object_put(keys);
	json_object_put(quotas);
	conf_destroy(new);
	return wanted;
}

/* The text with `with` in the place of `len` bytes at `at`, if that makes the change
 * that is wanted; else NULL. Frees `with`. */
static char *splice_try(const struct edit *e, const char *at, size_t len, char *with)
{
	char *text = must_format("%.*s%s%s", (int) (at - e->text), e->text, with, at + len);

	free(with);
	if (makes_the_change(e, text))
		return text;
	free(text);
	return NULL;
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* Another text for a scalar, in its quotes if it has them */
static char *value_replace(const struct edit *e, const struct node *value, const char *with)
{
	const char *from = place_of(e, value->begin), *to = place_of(e, value->end);
	bool quoted = is_quote(*from);

	return splice_try(e, from + quoted, (size_t) (to - from) - 2 * quoted,
			  must_format("%s", with));
}

/* A key that is to be added, with its value: as YAML has it, and as JSON */
struct key {
	const char *name, *plain, *quoted;
	bool list;			/* the value is the only item of one */
};

/* The key beside the key "name": on a line of its own, or behind the name's value where
 * the map is written on one line */
static char *key_insert(const struct edit *e, const struct node *map, const struct key *key)
{
	const struct node *name = node_find(map, "name");
	const char *at = place_of(e, key_of(map, name)->begin), *end = place_of(e, name->end);
	bool quoted = is_quote(*at);
	int column = column_of(e, at);
	char *text;

	text = splice_try(e, strchrnul(end, '\n'), 0, key->list
			  ? must_format("\n%*s%s:\n%*s- %s", column, "", key->name, column,
					"", key->plain)
			  : must_format("\n%*s%s: %s", column, "", key->name, key->plain));
	if (text)
		return text;
	return splice_try(e, end, 0, must_format(
		quoted ? ", \"%s\": %s%s%s" : ", %s: %s%s%s", key->name,
		key->list ? "[" : "", quoted ? key->quoted : key->plain,
		key->list ? "]" : ""));
}

/* ---- stopPolicy ---- */

static bool policy_is_only(const struct edit *e, const struct conf *new,
			   struct json_object *keys, struct json_object *quotas)
{
	struct json_object *o = json_object_array_get_idx(keys, 0);
	char *path = must_format("clusterQueues[%s].stopPolicy", e->queue);
	bool only = json_object_array_length(keys) == 1 && !json_object_array_length(quotas)
		    && !strcmp(json_text(o, "path"), path)
		    && !strcmp(json_text(o, "to"), e->policy);

	(void) new;
	free(path);
	return only;
}

static char *by_hand(int line, const char *what)
{
	complain("%s on line %d can't be changed in the way it is "
		 "written: edit the file, then run scohort apply", what, line);
	return NULL;
}

static char *policy_edit(const struct edit *e)
{
	const struct node *old = node_find(e->item, "stopPolicy");
	char *quoted, *new;

	if (!strcmp(old ? old->text : "None", e->policy))
		return must(strdup(e->text));
	quoted = must_format("\"%s\"", e->policy);
	new = old ? value_replace(e, old, e->policy)
		  : key_insert(e, e->item,
			       &(struct key) { "stopPolicy", e->policy, quoted, false });
	free(quoted);
	return new ? new : by_hand(node_find(e->item, "name")->line,
				   "stopPolicy of the queue");
}

char *edit_stop_policy(const char *text, const char *queue, const char *policy)
{
	struct edit e = { .text = text, .queue = queue, .policy = policy,
			  .is_wanted = policy_is_only };
	char *new = edit_open(&e) ? policy_edit(&e) : NULL;

	edit_close(&e);
	return new;
}

/* ---- nominalQuota ---- */

static bool nominal_is_only(const struct edit *e, const struct conf *new,
			    struct json_object *keys, struct json_object *quotas)
{
	struct json_object *o = json_object_array_get_idx(quotas, 0);

	(void) new;
	return !json_object_array_length(keys) && json_object_array_length(quotas) == 1
	       && !strcmp(json_text(o, "kind"), "clusterQueue")
	       && !strcmp(json_text(o, "name"), e->queue)
	       && !strcmp(json_text(o, "flavor"), e->flavor)
	       && !strcmp(json_text(o, "resource"), e->resource)
	       && !strcmp(json_text(o, "key"), "nominalQuota")
	       && json_number(o, "to") == e->amount;
}

/* The amounts of a TRES string, with another one for the resource */
static char *amounts_make(const char *tres, const char *resource, const char *amount)
{
	char *text = NULL, err[160];
	struct tres item;
	size_t size;
	FILE *out = must(open_memstream(&text, &size));

	while (tres_next(&tres, &item, err, sizeof(err)) > 0)
		fprintf(out, "%s%s=%s", ftell(out) ? "," : "", item.name,
			strcmp(item.name, resource) ? item.value : amount);
	fclose(out);
	return must(text);
}

static char *nominal_replace(const struct edit *e, const struct node *quota, const char *amount)
{
	const struct node *value = node_find(quota, e->resource);
	char *with, *text;

	if (quota->kind == NODE_MAP)
		return value ? value_replace(e, value, amount) : NULL;
	with = amounts_make(quota->text, e->resource, amount);
	text = value_replace(e, quota, with);
	free(with);
	return text;
}

/* What the queue has of it now; -1: no such quota */
static int64_t nominal_now(const struct edit *e)
{
	const struct spec *spec = e->conf->spec;
	const struct spec_queue *queue = &spec->queues[spec_find_queue(spec, e->queue)];

	for (size_t k = 0; k < queue->nquotas; k++) {
		const struct spec_quota *q = &queue->quotas[k];

		if (!strcmp(spec->flavors[q->flavor], e->flavor)
		    && !strcmp(spec->resources[q->resource], e->resource))
			return q->nominal;
	}
	return -1;
}

static char *nominal_edit(const struct edit *e, const char *amount)
{
	const struct node *flavor = flavor_find(e);
	const struct node *quota = node_find(flavor, "nominalQuota");
	int64_t now;
	char *new;

	if (!flavor)
		return NULL;
	now = nominal_now(e);
	if (!quota || now < 0) {
		complain("\"%s\" has no quota of %s in flavor \"%s\"", e->queue,
			 e->resource, e->flavor);
		return NULL;
	}
	new = now == e->amount ? must(strdup(e->text)) : nominal_replace(e, quota, amount);
	return new ? new : by_hand(quota->line, "nominalQuota");
}

static bool amount_read(const char *resource, const char *amount, int64_t *to)
{
	char why[160];

	return !amount_parse(resource, amount, to, why, sizeof(why))
	       || complain("%s=%s %s", resource, amount, why);
}

char *edit_nominal_quota(const char *text, const char *queue, const char *flavor,
			 const char *resource, const char *amount)
{
	struct edit e = { .text = text, .queue = queue, .flavor = flavor,
			  .resource = resource, .is_wanted = nominal_is_only };
	char why[160], *new = NULL;

	if (resource_check(resource, why, sizeof(why)) < 0) {
		complain("\"%s\" %s", resource, why);
		return NULL;
	}
	if (!amount_read(resource, amount, &e.amount))
		return NULL;
	if (edit_open(&e))
		new = nominal_edit(&e, amount);
	edit_close(&e);
	return new;
}

/* ---- temporaryQuota ---- */

static bool same(const struct conf_temporary *a, const struct conf_temporary *b)
{
	return a->is_cohort == b->is_cohort && a->node == b->node
	       && a->flavor == b->flavor && a->resource == b->resource
	       && a->nominal == b->nominal && a->has_begin == b->has_begin
	       && a->has_end == b->has_end && a->begin.weekly == b->begin.weekly
	       && a->begin.seconds == b->begin.seconds && a->end.seconds == b->end.seconds;
}

/* All others are as they were, one is as it is to be. */
static bool items_are_wanted(const struct edit *e, const struct conf *new)
{
	const struct conf *old = e->conf;
	size_t i = 0, added = 0;

	if (new->ntemporaries + (e->was != NULL) != old->ntemporaries + 1)
		return false;
	for (size_t k = 0; k < new->ntemporaries; k++) {
		i += i < old->ntemporaries && &old->temporaries[i] == e->was;
		if (i < old->ntemporaries && same(&new->temporaries[k], &old->temporaries[i]))
			i++;
		else if (same(&new->temporaries[k], &e->is))
			added++;
		else
			return false;
	}
	return added == 1;
}

static bool item_is_only(const struct edit *e, const struct conf *new,
			 struct json_object *keys, struct json_object *quotas)
{
	char *queue = must_format("clusterQueues[%s].", e->queue);
	bool only = !json_object_array_length(quotas) && items_are_wanted(e, new);

	for (size_t i = 0; only && i < json_object_array_length(keys); i++) {
		const char *path = json_text(json_object_array_get_idx(keys, i), "path");

		only = !strncmp(path, queue, strlen(queue)) && strstr(path, ".temporaryQuota");
	}
	free(queue);
	return only;
}

/* quoted: as JSON has it */
static char *item_make(const struct temporary_edit *t, bool quoted)
{
	char begin[32], end[32];

	wall_format(t->begin, begin, sizeof(begin));
	wall_format(t->end, end, sizeof(end));
	return must_format(quoted ? "{\"begin\": \"%s\", \"end\": \"%s\", "
				    "\"nominalQuota\": {\"%s\": \"%s\"}}"
				  : "{begin: %s, end: %s, nominalQuota: {%s: %s}}",
			   begin, end, t->resource, t->amount);
}

/* In the place of the item that is in force, if it is written in braces */
static char *item_replace(const struct edit *e, const struct node *list)
{
	char *text = NULL;

	for (size_t i = 0; !text && i < list->nitems; i++) {
		const struct node *item = list->items[i];
		const char *from = place_of(e, item->begin), *to = place_of(e, item->end);

		if (item->line == e->was->line && *from == '{')
			text = splice_try(e, from, (size_t) (to - from),
					  item_make(e->t, from[1] == '"'));
	}
	return text;
}

/* Before the first item of a list, on a line of its own or behind the bracket */
static char *item_insert(const struct edit *e, const struct node *flavor,
			 const struct node *list)
{
	const char *at = place_of(e, list->begin);
	bool braced = *at == '[';
	bool quoted = braced && is_quote(*place_of(e, key_of(flavor, list)->begin));
	int column = column_of(e, at);
	char *item = item_make(e->t, quoted), *text;

	if (braced)
		text = splice_try(e, at + 1, 0, must_format("%s%s", item,
							    list->nitems ? ", " : ""));
	else	/* its first dash is where it begins */
		text = splice_try(e, at - column, 0, must_format("%*s- %s\n", column, "", item));
	free(item);
	return text;
}

static char *item_key_insert(const struct edit *e, const struct node *flavor)
{
	char *plain = item_make(e->t, false), *quoted = item_make(e->t, true);
	char *text = key_insert(e, flavor,
				&(struct key) { "temporaryQuota", plain, quoted, true });

	free(plain);
	free(quoted);
	return text;
}

static bool of_quota(const struct conf_temporary *a, const struct conf_temporary *b)
{
	return !a->is_cohort && a->node == b->node && a->flavor == b->flavor
	       && a->resource == b->resource && !a->begin.weekly;
}

/* Another resource has its amount in that item, too. */
static bool is_shared(const struct conf *conf, const struct conf_temporary *t)
{
	for (size_t i = 0; i < conf->ntemporaries; i++) {
		const struct conf_temporary *other = &conf->temporaries[i];

		if (other != t && other->line == t->line && other->node == t->node
		    && other->flavor == t->flavor && other->begin.seconds == t->begin.seconds
		    && other->end.seconds == t->end.seconds)
			return true;
	}
	return false;
}

/* Finds the one that is in force. False after a message: another one is in the way */
static bool was_find(struct edit *e)
{
	int64_t from, until;

	for (size_t i = 0; i < e->conf->ntemporaries; i++) {
		const struct conf_temporary *other = &e->conf->temporaries[i];

		if (!of_quota(other, &e->is))
			continue;
		temporary_times(other, &from, &until);
		if (from >= e->t->end || until <= e->t->begin)
			continue;
		if (from > e->t->begin || e->was || is_shared(e->conf, other)) {
			complain("line %d has another amount of %s for a time "
				 "before that: edit the file, then scohort apply",
				 other->line, e->resource);
			return false;
		}
		e->was = other;
	}
	return true;
}

static char *temporary_edit(struct edit *e)
{
	const struct node *flavor = flavor_find(e);
	const struct node *list = node_find(flavor, "temporaryQuota");
	const struct spec *spec = e->conf->spec;
	char *text;

	if (!flavor)
		return NULL;
	e->is = (struct conf_temporary) {
		.node = spec_find_queue(spec, e->queue),
		.flavor = spec_find_flavor(spec, e->flavor),
		.resource = spec_find_resource(spec, e->resource),
		.has_begin = true, .has_end = true,
		.begin = { .seconds = wall_seconds(e->t->begin) },
		.end = { .seconds = wall_seconds(e->t->end) },
	};
	if (!amount_read(e->resource, e->t->amount, &e->is.nominal)
	    || !was_find(e))
		return NULL;
	text = e->was ? item_replace(e, list) : list ? item_insert(e, flavor, list)
						     : item_key_insert(e, flavor);
	if (!text)
		complain("temporaryQuota of the flavor of line %d cannot be "
			 "changed as it is written: edit the file, then scohort apply",
			 node_find(flavor, "name")->line);
	return text;
}

char *edit_temporary_quota(const char *text, const struct temporary_edit *t)
{
	struct edit e = { .text = text, .queue = t->queue, .flavor = t->flavor,
			  .resource = t->resource, .t = t, .is_wanted = item_is_only };
	char *new = edit_open(&e) ? temporary_edit(&e) : NULL;

	edit_close(&e);
	return new;
}
