/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit_temporary.c - an item of temporaryQuota is added, or replaced
 *
 * As in edit.c each place that could be meant is tried, and the text is taken
 * that has the change that is wanted and no other.
 */
#define _GNU_SOURCE	/* asprintf, strchrnul */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply/edit.h"
#include "apply/place.h"
#include "diff/diff.h"
#include "input/json_members.h"
#include "value/tres.h"

struct edit {
	const char *text;
	const struct temporary_edit *t;
	const struct conf *conf;	/* what the text says */
	struct conf_temporary is;	/* what is to be */
	const struct conf_temporary *was;	/* what it replaces, or NULL */
	const char *queue_path;		/* of its keys */
};

/* ---- the only change ---- */

static bool same(const struct conf_temporary *a, const struct conf_temporary *b)
{
	return a->is_cohort == b->is_cohort && a->node == b->node
	       && a->flavor == b->flavor && a->resource == b->resource
	       && a->nominal == b->nominal && a->has_begin == b->has_begin
	       && a->has_end == b->has_end
	       && a->begin.weekly == b->begin.weekly
	       && a->begin.seconds == b->begin.seconds
	       && a->end.seconds == b->end.seconds;
}

/* All others are as they were, one is as it is to be. */
static bool items_are_wanted(const struct edit *e, const struct conf *new)
{
	const struct conf *old = e->conf;
	size_t i = 0, added = 0;

	if (new->ntemporaries + (e->was != NULL) != old->ntemporaries + 1)
		return false;
	for (size_t k = 0; k < new->ntemporaries; k++) {
		if (i < old->ntemporaries && &old->temporaries[i] == e->was)
			i++;
		if (i < old->ntemporaries
		    && same(&new->temporaries[k], &old->temporaries[i]))
			i++;
		else if (same(&new->temporaries[k], &e->is))
			added++;
		else
			return false;
	}
	return added == 1;
}

/* Nothing else has changed. */
static bool keys_are_wanted(const struct edit *e, const char *text)
{
	struct json_object *keys = diff_keys(e->text, text);
	bool wanted = keys != NULL;

	for (size_t i = 0; wanted && i < json_object_array_length(keys); i++) {
		const char *path = json_text(json_object_array_get_idx(keys, i),
					     "path");

		wanted = !strncmp(path, e->queue_path, strlen(e->queue_path))
			 && strstr(path, ".temporaryQuota");
	}
	json_object_put(keys);
	return wanted;
}

static void ignore(void *arg, bool warning, const char *message)
{
	(void) arg;
	(void) warning;
	(void) message;
}

static bool is_wanted(const struct edit *e, const char *text)
{
	struct conf *new = conf_read_text("", text, strlen(text), ignore,
					  NULL);
	struct json_object *quotas = new ? diff_quotas(e->conf, new) : NULL;
	bool wanted = quotas && !json_object_array_length(quotas)
		      && items_are_wanted(e, new) && keys_are_wanted(e, text);

	json_object_put(quotas);
	conf_destroy(new);
	return wanted;
}

static char *splice_try(const struct edit *e, const char *at, size_t len,
			const char *with)
{
	char *text = place_splice(e->text, at, len, with);

	if (text && is_wanted(e, text))
		return text;
	free(text);
	return NULL;
}

/* ---- as it is written ---- */

/* quoted: as JSON has it */
static char *item_make(const struct temporary_edit *t, bool quoted)
{
	char begin[32], end[32], *text;

	wall_format(t->begin, begin, sizeof(begin));
	wall_format(t->end, end, sizeof(end));
	if (asprintf(&text, quoted
		     ? "{\"begin\": \"%s\", \"end\": \"%s\", "
		       "\"nominalQuota\": {\"%s\": \"%s\"}}"
		     : "{begin: %s, end: %s, nominalQuota: {%s: %s}}",
		     begin, end, t->resource, t->amount) < 0)
		return NULL;
	return text;
}

/* "%s" is the item. Frees nothing. */
static char *insert_try(const struct edit *e, const char *at, size_t len,
			const char *format, int indent, bool quoted)
{
	char *item = item_make(e->t, quoted), *with, *text = NULL;

	if (item && asprintf(&with, format, indent, "", item) >= 0) {
		text = splice_try(e, at, len, with);
		free(with);
	}
	free(item);
	return text;
}

/* ---- where ---- */

/* In the place of what stands in braces on the line of the item that is in
 * force */
static char *item_replace(const struct edit *e)
{
	const char *begin = place_line(e->text, e->was->line);
	const char *end = strchrnul(begin, '\n');
	char *text = NULL;

	for (const char *open = begin; !text && open < end; open++) {
		if (*open != '{')
			continue;
		for (const char *close = open; !text && close < end; close++) {
			if (*close == '}')
				text = insert_try(e, open, (size_t)
						  (close + 1 - open), "%*s%s",
						  0, open[1] == '"');
		}
	}
	return text;
}

/* Does a key in quotes end before `at`, as in JSON? */
static bool is_quoted_key(const char *begin, const char *at)
{
	while (at > begin && strchr(" \t:", at[-1]))
		at--;
	return at > begin && at[-1] == '"';
}

/* Before the first item of a list, on a line of its own or behind the bracket */
static char *item_insert(const struct edit *e, const struct node *list)
{
	int line = list->nitems ? list->items[0]->line : list->line;
	const char *begin = place_line(e->text, line);
	const char *end = strchrnul(begin, '\n');
	size_t blanks = strspn(begin, " ");
	char *text = NULL;

	if (begin[blanks] == '-')
		text = insert_try(e, begin, 0, "%*s- %s\n", (int) blanks,
				  false);
	begin = place_line(e->text, list->line);
	end = strchrnul(begin, '\n');
	for (const char *at = begin; !text && at < end; at++) {
		if (*at == '[')
			text = insert_try(e, at + 1, 0, list->nitems
					  ? "%*s%s, " : "%*s%s", 0,
					  is_quoted_key(begin, at));
	}
	return text;
}

/* A key of the flavor beside "name", which stands at `at` on the line that
 * begins at `begin` */
static char *key_try(const struct edit *e, const char *begin, const char *at)
{
	const char *end = strchrnul(at, '\n'), *value = strchr(at, ':');
	bool quoted = at > begin && strchr("\"'", at[-1]);
	int column = (int) (at - begin) - quoted;
	char format[80], *text;

	if (!value || value > end)
		return NULL;
	snprintf(format, sizeof(format), "\n%*stemporaryQuota:\n%%*s- %%s",
		 column, "");
	text = insert_try(e, end, 0, format, column, false);
	value += 1 + strspn(value + 1, " \t");
	value += *value && strchr("\"'", *value) ? 1 : 0;
	if ((size_t) (end - value) < strlen(e->t->flavor))
		return text;
	value += strlen(e->t->flavor);
	value += *value && strchr("\"'", *value) ? 1 : 0;
	if (text || value > end)
		return text;
	return insert_try(e, value, 0, quoted
			  ? ", \"temporaryQuota\": [%*s%s]"
			  : ", temporaryQuota: [%*s%s]", 0, quoted);
}

static char *key_insert(const struct edit *e, const struct node *name)
{
	const char *begin = place_line(e->text, name->line);
	const char *end = strchrnul(begin, '\n');
	char *text = NULL;

	for (const char *at = begin; !text && (at = strstr(at, "name"))
				     && at < end; at++)
		text = key_try(e, begin, at);
	return text;
}

/* ---- what is there ---- */

static bool of_quota(const struct conf_temporary *a,
		     const struct conf_temporary *b)
{
	return !a->is_cohort && a->node == b->node && a->flavor == b->flavor
	       && a->resource == b->resource && !a->begin.weekly;
}

/* Another resource has its amount in that item, too. */
static bool is_shared(const struct conf *conf, const struct conf_temporary *t)
{
	for (size_t i = 0; i < conf->ntemporaries; i++) {
		const struct conf_temporary *other = &conf->temporaries[i];

		if (other != t && other->line == t->line
		    && other->node == t->node && other->flavor == t->flavor
		    && other->begin.seconds == t->begin.seconds
		    && other->end.seconds == t->end.seconds)
			return true;
	}
	return false;
}

/* Finds the one that is in force. -1 with a message: another one is in the
 * way. */
static int was_find(struct edit *e, char *err, size_t size)
{
	int64_t begin = e->t->begin, end = e->t->end, from, until;

	for (size_t i = 0; i < e->conf->ntemporaries; i++) {
		const struct conf_temporary *other = &e->conf->temporaries[i];

		if (!of_quota(other, &e->is))
			continue;
		temporary_times(other, &from, &until);
		if (from >= end || until <= begin)
			continue;
		if (from <= begin && !e->was && !is_shared(e->conf, other)) {
			e->was = other;
			continue;
		}
		snprintf(err, size, "line %d has another amount of %s for a "
			 "time before that: edit the file, then scohort apply",
			 other->line, e->t->resource);
		return -1;
	}
	return 0;
}

/* The indexes of the quota. -1 with a message */
static int quota_find(struct edit *e, char *err, size_t size)
{
	const struct temporary_edit *t = e->t;
	const struct spec *spec = e->conf->spec;
	char why[160];

	e->is = (struct conf_temporary) {
		.node = spec_find_queue(spec, t->queue),
		.flavor = spec_find_flavor(spec, t->flavor),
		.resource = spec_find_resource(spec, t->resource),
		.has_begin = true, .has_end = true,
		.begin = { .seconds = wall_seconds(t->begin) },
		.end = { .seconds = wall_seconds(t->end) },
	};
	if (amount_parse(t->resource, t->amount, &e->is.nominal, why,
			 sizeof(why)) < 0) {
		snprintf(err, size, "%s=%s %s", t->resource, t->amount, why);
		return -1;
	}
	return was_find(e, err, size);
}

static char *flavor_edit(struct edit *e, const struct node *flavor, char *err,
			 size_t size)
{
	const struct node *name = node_find(flavor, "name");
	const struct node *list = node_find(flavor, "temporaryQuota");
	char *text;

	if (quota_find(e, err, size) < 0)
		return NULL;
	if (e->was)
		text = item_replace(e);
	else if (list)
		text = item_insert(e, list);
	else
		text = key_insert(e, name);
	if (!text)
		snprintf(err, size, "temporaryQuota of the flavor of line %d "
			 "cannot be changed as it is written: edit the file, "
			 "then scohort apply", name->line);
	return text;
}

char *edit_temporary_quota(const char *text, const struct temporary_edit *t,
			   char *err, size_t size)
{
	struct edit e = { .text = text, .t = t };
	struct document *doc = place_document(text);
	const struct node *item = place_queue(doc, t->queue, err, size);
	const struct node *flavor = item ? place_flavor(item, t->flavor,
							t->resource) : NULL;
	struct conf *conf = conf_read_text("", text, strlen(text), ignore,
					   NULL);
	char *new = NULL, *path = NULL;

	e.conf = conf;
	if (item && !flavor)
		snprintf(err, size, "\"%s\" has no quota of %s in flavor "
			 "\"%s\"", t->queue, t->resource, t->flavor);
	if (flavor && conf
	    && asprintf(&path, "clusterQueues[%s].", t->queue) >= 0) {
		e.queue_path = path;
		new = flavor_edit(&e, flavor, err, size);
		free(path);
	}
	conf_destroy(conf);
	document_destroy(doc);
	return new;
}
