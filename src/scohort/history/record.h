/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - scohort record: the published counters and evictions, into a database
 */
#ifndef SCOHORT_HISTORY_RECORD_H
#define SCOHORT_HISTORY_RECORD_H

#include <json.h>

#include "history/db.h"

/* ---- names.c: numbers for cohorts and cluster queues (nodes), their pairs of resource and
 * flavor, links from a lender to a borrower, and events; within a transaction ----
 *
 * Names are kept for ever: a queue that comes back is the same, a renamed one is
 * another. */

/* What has a number, and its key as values of db_ask() */
enum named {
	NAMED_NODE,		/* "it": is it a cohort? its name */
	NAMED_PAIR,		/* "itt": of a node; resource, flavor */
	NAMED_LINK,		/* "iitt": lender, borrower; resource, flavor */
	NAMED_WHAT,		/* "t": of an event; it is never gone */
};

struct names {
	const struct db *db;
	bool failed;			/* after a message */
};

/* -1 after a message */
int names_begin(struct names *n, const struct db *db);

/* The number of that name, made if there is none. *gone: the last reading did not have it, or
 * none had. With `gone` NULL it isn't taken for seen. */
int64_t name_number(struct names *n, bool *gone, enum named kind, const char *kinds, ...);

/* RESOURCE@FLAVOR, cut in two: the resource in buf. NULL: it is none. */
const char *pair_key_cut(const char *key, char *buf, size_t size);

/* What was not seen is gone. */
void names_mark_gone(struct names *n);

/* ---- take.c: a reading of the published counters ---- */

/* For how many days what is kept; 0: for ever */
struct keeping {
	int64_t days[SPAN_LEVELS];
	int64_t events;			/* evictions */
};

/* Adds what each counter has grown by since the last reading (reading.h), spread
 * evenly over the time between (reading.h). `now` is the time here, in seconds. To
 * be called within a transaction that began before the document was read, so that
 * no other process takes a newer one first. -1 after a message: the transaction is
 * to be rolled back. */
int take_reading(const struct db *db, struct json_object *document, int64_t now,
		 const struct keeping *keep);

/* ---- evictions.c ---- */

/* Takes each eviction of the file (cohort.yaml(5), events) and of its older ones that
 * is not there yet, without people, and removes those that are older than so many days
 * (0: none), by the time of the last reading. Both are bounded: what is left is for the
 * next time. To be called within a transaction. -1 after a message: that is to be rolled
 * back. */
int evictions_take(const struct db *db, const char *path, int64_t keep_days);

#endif /* SCOHORT_HISTORY_RECORD_H */
