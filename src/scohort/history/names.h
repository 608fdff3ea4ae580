/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - numbers for names: cohorts and cluster queues (nodes), their pairs of
 * resource and flavor, links from a lender to a borrower, and events
 *
 * Names are kept for ever: a queue that comes back is the same, a renamed one is
 * another. Within the transaction of a reading.
 */
#ifndef SCOHORT_HISTORY_NAMES_H
#define SCOHORT_HISTORY_NAMES_H

#include "history/db.h"

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

#endif /* SCOHORT_HISTORY_NAMES_H */
