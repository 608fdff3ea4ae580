/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catalog.c - which cluster queues, resources and events a database knows
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "report/catalog.h"

#define NUMBER_MAX 100000000

static int fail_memory(void)
{
	stderr_line("scohort report: out of memory");
	return -1;
}

/* ---- lists ---- */

int index_find(const struct index_list *list, int64_t number)
{
	return number >= 0 && (uint64_t) number < list->n ? list->of[number]
							  : -1;
}

int index_put(struct index_list *list, int64_t number, int index)
{
	size_t n = (size_t) number + 1;
	int *of;

	if (number < 0 || number > NUMBER_MAX)
		return fail_memory();
	if (n > list->n) {
		size_t size = n > 2 * list->n ? n : 2 * list->n;

		if (!(of = realloc(list->of, size * sizeof(*of))))
			return fail_memory();
		for (size_t i = list->n; i < size; i++)
			of[i] = -1;
		list->of = of;
		list->n = size;
	}
	list->of[number] = index;
	return 0;
}

int name_put(struct name_list *list, const char *name)
{
	char **names;

	if (list->n && !strcmp(list->names[list->n - 1], name))
		return 0;
	names = realloc(list->names, (list->n + 1) * sizeof(*names));
	if (!names)
		return fail_memory();
	list->names = names;
	if (!(names[list->n] = strdup(name)))
		return fail_memory();
	list->n++;
	return 0;
}

void name_list_free(struct name_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->names[i]);
	free(list->names);
	*list = (struct name_list) { .n = 0 };
}

static int name_find(const struct name_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->names[i], name))
			return (int) i;
	return -1;
}

/* ---- loading ---- */

static const char *text_of(sqlite3_stmt *s, int column)
{
	const unsigned char *text = sqlite3_column_text(s, column);

	return text ? (const char *) text : "";
}

static bool is_chosen(const struct choice *choice, const char *queue)
{
	for (size_t i = 0; i < choice->nqueues; i++)
		if (!strcmp(choice->queues[i], queue))
			return true;
	return !choice->nqueues;
}

/* Calls row() for each; -1 after a message. */
static int rows_each(struct catalog *c, const struct db *db,
		     const struct choice *choice, const char *sql,
		     int (*row)(struct catalog *c, const struct choice *choice,
				sqlite3_stmt *s))
{
	sqlite3_stmt *s = db_prepare(db, sql);
	int rc = s ? sqlite3_step(s) : SQLITE_ERROR, result = s ? 0 : -1;

	while (!result && rc == SQLITE_ROW) {
		result = row(c, choice, s);
		rc = sqlite3_step(s);
	}
	if (!result && rc != SQLITE_DONE)
		result = db_error(db);
	sqlite3_finalize(s);
	return result;
}

static int queue_row(struct catalog *c, const struct choice *choice,
		     sqlite3_stmt *s)
{
	const char *name = text_of(s, 1);

	if (!is_chosen(choice, name))
		return 0;
	if (name_put(&c->queues, name) < 0)
		return -1;
	return index_put(&c->queue_of_node, sqlite3_column_int64(s, 0),
			 (int) c->queues.n - 1);
}

/* By resource: id, node, resource, flavor */
static int pair_row(struct catalog *c, const struct choice *choice,
		    sqlite3_stmt *s)
{
	int queue = index_find(&c->queue_of_node, sqlite3_column_int64(s, 1));
	const char *resource = text_of(s, 2);

	if (queue < 0
	    || (choice->resource && strcmp(choice->resource, resource) != 0)
	    || (choice->flavor && strcmp(choice->flavor, text_of(s, 3)) != 0))
		return 0;
	if (name_put(&c->resources, resource) < 0
	    || index_put(&c->queue_of_pair, sqlite3_column_int64(s, 0),
			 queue) < 0)
		return -1;
	return index_put(&c->resource_of_pair, sqlite3_column_int64(s, 0),
			 (int) c->resources.n - 1);
}

static struct event_kind event_kind_of(const char *name)
{
	struct event_kind kind = { .event = EVENT_OTHER };

	if (!strncmp(name, "evicted ", 8))
		kind.event = EVENT_EVICTED;
	else if (!strncmp(name, "caused ", 7))
		kind.event = EVENT_CAUSED;
	else if (!strcmp(name, "delay inf"))
		kind = (struct event_kind) { EVENT_DELAY, INFINITY };
	else if (sscanf(name, "delay %lf", &kind.bound) == 1)
		kind.event = EVENT_DELAY;
	return kind;
}

static int event_row(struct catalog *c, const struct choice *choice,
		     sqlite3_stmt *s)
{
	int64_t number = sqlite3_column_int64(s, 0);
	size_t n = (size_t) number + 1;
	struct event_kind *events;

	(void) choice;
	if (number < 0 || number > NUMBER_MAX)
		return fail_memory();
	if (n > c->nevents) {
		events = realloc(c->events, n * sizeof(*events));
		if (!events)
			return fail_memory();
		memset(&events[c->nevents], 0,
		       (n - c->nevents) * sizeof(*events));
		c->events = events;
		c->nevents = n;
	}
	c->events[number] = event_kind_of(text_of(s, 1));
	return 0;
}

static int choice_check(const struct catalog *c, const struct db *db,
			const struct choice *choice)
{
	for (size_t i = 0; i < choice->nqueues; i++) {
		if (name_find(&c->queues, choice->queues[i]) >= 0)
			continue;
		stderr_line("scohort report: %s knows no cluster queue \"%s\"",
			    db->path, choice->queues[i]);
		return -1;
	}
	if (!choice->resource || c->resources.n)
		return 0;
	stderr_line("scohort report: %s knows no quota for resource \"%s\"",
		    db->path, choice->resource);
	return -1;
}

int catalog_load(struct catalog *c, const struct db *db,
		 const struct choice *choice)
{
	*c = (struct catalog) { .nevents = 0 };
	if (rows_each(c, db, choice, "SELECT id, name FROM node"
		      " WHERE NOT is_cohort ORDER BY name", queue_row) < 0
	    || rows_each(c, db, choice, "SELECT id, node, resource, flavor FROM pair"
			 " ORDER BY resource", pair_row) < 0
	    || rows_each(c, db, choice, "SELECT id, name FROM what",
			 event_row) < 0)
		return -1;
	return choice_check(c, db, choice);
}

void catalog_destroy(struct catalog *c)
{
	name_list_free(&c->queues);
	name_list_free(&c->resources);
	free(c->queue_of_node.of);
	free(c->queue_of_pair.of);
	free(c->resource_of_pair.of);
	free(c->events);
	*c = (struct catalog) { .nevents = 0 };
}

size_t resource_find(const struct catalog *c, const char *name)
{
	for (size_t i = 0; i < c->resources.n; i++)
		if (name ? !strcmp(c->resources.names[i], name)
			 : !strncmp(c->resources.names[i], "gres/", 5))
			return i;
	return 0;
}

/* ---- for lists that others keep ---- */

int naming_load(struct naming *to, const struct db *db, const char *sql)
{
	sqlite3_stmt *s = db_prepare(db, sql);
	int rc = SQLITE_ERROR, result = s ? 0 : -1;

	to->texts = json_object_new_array();
	while (!result && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		if (name_put(&to->names, text_of(s, 1)) < 0
		    || index_put(&to->index, sqlite3_column_int64(s, 0),
				 (int) to->names.n - 1) < 0)
			result = -1;
	}
	if (!result && rc != SQLITE_DONE)
		result = db_error(db);
	sqlite3_finalize(s);
	for (size_t i = 0; i < to->names.n; i++)
		json_object_array_add(to->texts, json_object_new_string(
					      to->names.names[i]));
	return result;
}

void naming_free(struct naming *naming)
{
	json_object_put(naming->texts);
	name_list_free(&naming->names);
	free(naming->index.of);
}
