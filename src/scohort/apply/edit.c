/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit.c - one value of cohort.yaml is changed, all else stays as it is written
 *
 * A node of the document knows where it is written. A text is made with another
 * value there, and taken if its document is the old one with just this value changed:
 * what an anchor or an odd style would change as well is left to people.
 */
#define _GNU_SOURCE	/* strchrnul, open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply/apply.h"
#include "conf.h"
#include "input/json_members.h"
#include "must.h"
#include "output/output.h"
#include "output/text.h"
#include "text/printable.h"
#include "value/times.h"
#include "value/tres.h"
#include "yaml/document.h"

struct edit {
	const char *text;
	const struct edit_ask *ask;
	struct report *report;
	struct document *doc;
	struct conf *conf;
	const struct node *item;		/* the queue */
	struct json_object *wanted;		/* what the new document is to say */
	struct json_object *place;		/* the queue or flavor in it */
};

/* ---- places ---- */

/* NULL: no item of the list has that name; *i: which one it is */
static const struct node *item_named(const struct node *list, const char *name, size_t *i)
{
	for (*i = 0; list && *i < list->nitems; (*i)++) {
		const struct node *n = node_find(list->items[*i], "name");

		if (n && n->kind == NODE_SCALAR && !strcmp(n->text, name))
			return list->items[*i];
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

/* "cpu in any, gres/gpu in a100": what the queue has quota of */
static void quotas_list(const struct node *groups, char *text, size_t size)
{
	*text = '\0';
	for (size_t i = 0; groups && i < groups->nitems; i++) {
		const struct node *flavors = node_find(groups->items[i], "flavors");
		const struct node *covered = node_find(groups->items[i], "coveredResources");

		for (size_t f = 0; flavors && covered && f < flavors->nitems; f++)
			for (size_t r = 0; r < covered->nitems; r++)
				text_join(text, size, "%s in %s", covered->items[r]->text,
					  node_find(flavors->items[f], "name")->text);
	}
}

/* The flavor of the queue, where it has quota of the resource; NULL after a message */
static const struct node *flavor_find(struct edit *e)
{
	const struct node *groups = node_find(e->item, "resourceGroups");
	char quotas[512];

	for (size_t i = 0, f; groups && i < groups->nitems; i++) {
		const struct node *list = node_find(groups->items[i], "flavors");
		const struct node *item = item_named(list, e->ask->flavor, &f);

		if (!item || !covers(groups->items[i], e->ask->resource))
			continue;
		e->place = json_item(json_item(e->place, "resourceGroups", i), "flavors", f);
		return item;
	}
	quotas_list(groups, quotas, sizeof(quotas));
	complain("\"%s\" has no quota of %s in flavor \"%s\": it has %s", e->ask->queue,
		 e->ask->resource, e->ask->flavor, *quotas ? quotas : "none");
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
	size_t i;

	e->report = must(report_create(""));
	e->doc = document_load(e->text, strlen(e->text), e->report);
	e->conf = conf_read_text("", e->text, strlen(e->text), NULL, NULL);
	if (e->doc && e->conf)
		e->item = item_named(node_find(document_root(e->doc), "clusterQueues"),
				     e->ask->queue, &i);
	if (!e->item)
		return complain("there is no cluster queue \"%s\"", e->ask->queue);
	e->wanted = json_of_node(document_root(e->doc));
	e->place = json_item(e->wanted, "clusterQueues", i);
	return true;
}

static void edit_close(struct edit *e)
{
	json_object_put(e->wanted);
	conf_destroy(e->conf);
	document_destroy(e->doc);
	report_destroy(e->report);
}

/* ---- a text that is tried ---- */

/* Does it say what is wanted, and nothing else? */
static bool is_wanted(const struct edit *e, const char *text)
{
	struct conf *conf = conf_read_text("", text, strlen(text), NULL, NULL);
	struct document *doc = conf ? document_load(text, strlen(text), e->report) : NULL;
	struct json_object *says = doc ? json_of_node(document_root(doc)) : NULL;
	bool wanted = json_object_equal(says, e->wanted);

	json_object_put(says);
	document_destroy(doc);
	conf_destroy(conf);
	return wanted;
}

/* The text with `with` in the place of `len` bytes at `at`, if that says what is wanted;
 * else NULL. Frees `with`. */
static char *splice_try(const struct edit *e, const char *at, size_t len, char *with)
{
	char *text = must_format("%.*s%s%s", (int) (at - e->text), e->text, with, at + len);

	free(with);
	if (is_wanted(e, text))
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
		quoted ? ", \"%s\": %s%s%s" : ", %s: %s%s%s", key->name, key->list ? "[" : "",
		quoted ? key->quoted : key->plain, key->list ? "]" : ""));
}

/* ---- stopPolicy ---- */

/* NULL: it can't be changed in the way it is written */
static char *policy_edit(const struct edit *e)
{
	const struct node *old = node_find(e->item, "stopPolicy");
	const char *policy = e->ask->policy;
	char *quoted, *new;

	if (!strcmp(old ? old->text : "None", policy))
		return must(strdup(e->text));
	json_add_text(e->place, "stopPolicy", policy);
	if (old)
		return value_replace(e, old, policy);
	quoted = must_format("\"%s\"", policy);
	new = key_insert(e, e->item, &(struct key) { "stopPolicy", policy, quoted, false });
	free(quoted);
	return new;
}

/* ---- nominalQuota ---- */

/* The amounts of a TRES string, with another one for the resource */
static char *amounts_make(const char *tres, const struct edit_ask *ask)
{
	char *text = NULL, err[160];
	struct tres item;
	size_t size;
	FILE *out = must(open_memstream(&text, &size));

	while (tres_next(&tres, &item, err, sizeof(err)) > 0)
		fprintf(out, "%s%s=%s", ftell(out) ? "," : "", item.name,
			strcmp(item.name, ask->resource) ? item.value : ask->amount);
	fclose(out);
	return must(text);
}

/* Does the file say that already, perhaps in another unit? */
static bool is_nominal(const struct edit *e, const struct conf_temporary *is)
{
	const struct spec_queue *queue = &e->conf->spec->queues[is->node];

	for (size_t k = 0; k < queue->nquotas; k++)
		if (queue->quotas[k].flavor == is->flavor
		    && queue->quotas[k].resource == is->resource)
			return queue->quotas[k].nominal == is->nominal;
	return false;
}

/* NULL: it can't be changed in the way it is written */
static char *nominal_edit(const struct edit *e, const struct node *quota,
			  const struct conf_temporary *is)
{
	const struct node *value = node_find(quota, e->ask->resource);
	char *with, *text;

	if (is_nominal(e, is))
		return must(strdup(e->text));
	if (quota->kind == NODE_MAP) {
		json_object_object_add(json_member(e->place, "nominalQuota"), e->ask->resource,
				       json_object_new_string(e->ask->amount));
		return value ? value_replace(e, value, e->ask->amount) : NULL;
	}
	with = amounts_make(quota->text, e->ask);
	json_add_text(e->place, "nominalQuota", with);
	text = value_replace(e, quota, with);
	free(with);
	return text;
}

/* ---- temporaryQuota ---- */

/* quoted: as JSON has it */
static char *item_make(const struct edit_ask *ask, bool quoted)
{
	return must_format(quoted ? "{\"begin\": \"%s\", \"end\": \"%s\", "
				    "\"nominalQuota\": {\"%s\": \"%s\"}}"
				  : "{begin: %s, end: %s, nominalQuota: {%s: %s}}",
			   text_date(TEXT_BUF, ask->begin), text_date(TEXT_BUF, ask->end),
			   ask->resource, ask->amount);
}

static struct json_object *item_json(const struct edit *e)
{
	char *text = item_make(e->ask, true);
	struct json_object *item = must(json_tokener_parse(text));

	free(text);
	return item;
}

/* Has the item this time under `key`? */
static bool is_at(const struct node *item, const char *key, const struct wall *time)
{
	const struct node *value = node_find(item, key);
	struct wall wall = { .seconds = 0 };

	return (!value || !moment_parse(value->text, &wall)) && wall.seconds == time->seconds;
}

/* In the place of the item that is in force, if it is written in braces */
static char *item_replace(const struct edit *e, const struct node *list,
			  const struct conf_temporary *was)
{
	for (size_t i = 0; i < list->nitems; i++) {
		const struct node *item = list->items[i];
		const char *from = place_of(e, item->begin), *to = place_of(e, item->end);

		if (item->line != was->line || *from != '{'
		    || !is_at(item, "begin", &was->begin) || !is_at(item, "end", &was->end))
			continue;
		json_object_array_put_idx(json_member(e->place, "temporaryQuota"), i, item_json(e));
		return splice_try(e, from, (size_t) (to - from), item_make(e->ask, from[1] == '"'));
	}
	return NULL;
}

/* Before the first item of a list, on a line of its own or behind the bracket */
static char *item_insert(const struct edit *e, const struct node *flavor, const struct node *list)
{
	const char *at = place_of(e, list->begin);
	bool braced = *at == '[';
	bool quoted = braced && is_quote(*place_of(e, key_of(flavor, list)->begin));
	int column = column_of(e, at);
	char *item = item_make(e->ask, quoted), *text;
	struct json_object *was = json_object_get(json_member(e->place, "temporaryQuota"));
	struct json_object *items = json_add_list(e->place, "temporaryQuota");

	json_object_array_add(items, item_json(e));
	for (size_t i = 0; i < list->nitems; i++)
		json_object_array_add(items, json_object_get(json_object_array_get_idx(was, i)));
	json_object_put(was);
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
	char *plain = item_make(e->ask, false), *quoted = item_make(e->ask, true), *text;

	json_object_array_add(json_add_list(e->place, "temporaryQuota"), item_json(e));
	text = key_insert(e, flavor, &(struct key) { "temporaryQuota", plain, quoted, true });
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

/* The one that is in force instead of `is`, or NULL. False after a message: another one is
 * in the way */
static bool was_find(const struct edit *e, const struct conf_temporary *is,
		     const struct conf_temporary **was)
{
	int64_t from, until;

	*was = NULL;
	for (size_t i = 0; i < e->conf->ntemporaries; i++) {
		const struct conf_temporary *other = &e->conf->temporaries[i];

		if (!of_quota(other, is))
			continue;
		temporary_times(other, &from, &until);
		if (from >= e->ask->end || until <= e->ask->begin)
			continue;
		if (from > e->ask->begin || *was || is_shared(e->conf, other))
			return complain("line %d has another amount of %s for a time before that: "
					"edit the file, then scohort apply", other->line,
					e->ask->resource);
		*was = other;
	}
	return true;
}

/* ---- all of them ---- */

static char *by_hand(int line, const char *what)
{
	complain("%s on line %d can't be changed in the way it is written: edit the file, then run "
		 "scohort apply", what, line);
	return NULL;
}

static char *quota_edit(struct edit *e)
{
	const struct node *flavor = flavor_find(e), *list = node_find(flavor, "temporaryQuota");
	const struct node *quota = node_find(flavor, "nominalQuota");
	const struct spec *spec = e->conf->spec;
	const struct edit_ask *ask = e->ask;
	const struct conf_temporary *was;
	char why[160], *text;
	struct conf_temporary is = {
		.node = spec_find_queue(spec, ask->queue),
		.flavor = spec_find_flavor(spec, ask->flavor),
		.resource = spec_find_resource(spec, ask->resource),
	};

	if (!flavor)
		return NULL;
	if (amount_parse(ask->resource, ask->amount, &is.nominal, why, sizeof(why)) < 0) {
		complain("%s=%s %s", ask->resource, ask->amount, why);
		return NULL;
	}
	if (!ask->end) {
		text = nominal_edit(e, quota, &is);
		return text ? text : by_hand(quota->line, "nominalQuota");
	}
	if (!was_find(e, &is, &was))
		return NULL;
	text = was ? item_replace(e, list, was) : list ? item_insert(e, flavor, list)
						       : item_key_insert(e, flavor);
	return text ? text : by_hand(node_find(flavor, "name")->line,
				     "temporaryQuota of the flavor");
}

char *edit_text(const char *text, const struct edit_ask *ask)
{
	struct edit e = { .text = text, .ask = ask };
	char *new = NULL;

	if (edit_open(&e) && ask->policy) {
		new = policy_edit(&e);
		if (!new)
			by_hand(node_find(e.item, "name")->line, "stopPolicy of the queue");
	} else if (e.item) {
		new = quota_edit(&e);
	}
	edit_close(&e);
	return new;
}
