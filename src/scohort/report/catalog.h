/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catalog.h - which cluster queues, resources and events a database knows
 *
 * Names are sorted. The database's numbers lead to indices; -1: none, or not one
 * that the report is about.
 */
#ifndef SCOHORT_REPORT_CATALOG_H
#define SCOHORT_REPORT_CATALOG_H

#include <json-c/json.h>
#include <stddef.h>

#include "history/db.h"

/* What is left out: a queue or resource that was not asked for. All NULL or 0: all */
struct choice {
	char **queues;
	size_t nqueues;
	const char *resource, *flavor;
};

struct name_list {
	char **names;
	size_t n;
};

/* An index for each number of the database */
struct index_list {
	int *of;
	size_t n;
};

/* Numbers of the database lead to indices of names in order */
struct naming {
	struct name_list names;
	struct index_list index;
	struct json_object *texts;	/* an array of the names, for rows to share */
};

enum event { EVENT_OTHER, EVENT_EVICTED, EVENT_CAUSED, EVENT_DELAY };

struct event_kind {
	enum event event;
	double bound;		/* of a delay, seconds; INFINITY: the last one */
};

struct catalog {
	struct name_list queues, resources;
	struct index_list queue_of_node, queue_of_pair, resource_of_pair;
	struct event_kind *events;	/* by the number of `what` */
	size_t nevents;
};

/* -1 after a message, which may be that there is no such queue or resource;
 * catalog_destroy() in any case */
int catalog_load(struct catalog *c, const struct db *db,
		 const struct choice *choice);
void catalog_destroy(struct catalog *c);

/* The resource of that name; NULL: the first of gres/, else the first one */
size_t resource_find(const struct catalog *c, const char *name);

/* -1 if the list has no such number */
int index_find(const struct index_list *list, int64_t number);

/* ---- for lists that others keep ---- */

/* -1 with a message: no memory */
int index_put(struct index_list *list, int64_t number, int index);
/* The last name, added unless it is the same one */
int name_put(struct name_list *list, const char *name);
void name_list_free(struct name_list *list);
/* Rows of sql: a number and its name, by name. -1 after a message; naming_free()
 * in any case */
int naming_load(struct naming *to, const struct db *db, const char *sql);
void naming_free(struct naming *naming);

#endif /* SCOHORT_REPORT_CATALOG_H */
