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

enum named { NAMED_NODE, NAMED_PAIR, NAMED_LINK, NAMED_KINDS };	/* that may be gone */

struct names {
	const struct db *db;
	bool failed;			/* after a message */
};

/* -1 after a message */
int names_begin(struct names *n, const struct db *db);

/* The number of a cohort or cluster queue, a pair of it, a link from a lender to a borrower,
 * or an event, made if there is none. *gone: the last reading did not have it, or none had.
 * With `gone` NULL it isn't taken for seen. */
int64_t name_node(struct names *n, bool *gone, bool is_cohort, const char *name);
int64_t name_pair(struct names *n, bool *gone, int64_t node, const char *resource,
		  const char *flavor);
int64_t name_link(struct names *n, bool *gone, int64_t lender, int64_t borrower,
		  const char *resource, const char *flavor);
int64_t name_what(struct names *n, const char *name);

/* RESOURCE@FLAVOR, cut in two: the resource in buf. NULL: it is none. */
const char *pair_key_cut(const char *key, char *buf, size_t size);

/* What was not seen is gone. */
void names_mark_gone(struct names *n);

#endif /* SCOHORT_HISTORY_NAMES_H */
