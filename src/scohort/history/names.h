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

enum named { NAMED_NODE, NAMED_PAIR, NAMED_LINK, NAMED_WHAT, NAMED_KINDS };

struct names {
	const struct db *db;
	sqlite3_stmt *get[NAMED_KINDS], *add[NAMED_KINDS], *see;
	bool failed;			/* after a message */
};

/* -1 after a message; names_end() in any case */
int names_begin(struct names *n, const struct db *db);
void names_end(struct names *n);

/* The number of what has these values (db_bind()), made if there is none: a node has
 * is_cohort and name, a pair node, resource and flavor, a link lender, borrower, resource and
 * flavor, what a name. *gone: the last reading did not have it, or none had. With `gone` NULL
 * it isn't taken for seen. */
int64_t name_number(struct names *n, enum named kind, bool *gone,
		    const char *kinds, ...);

/* RESOURCE@FLAVOR, cut in two: the resource in buf. NULL: it is none. */
const char *pair_key_cut(const char *key, char *buf, size_t size);

/* What was not seen is gone. */
void names_mark_gone(struct names *n);

#endif /* SCOHORT_HISTORY_NAMES_H */
