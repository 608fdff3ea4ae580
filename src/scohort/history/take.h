/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * take.h - a reading of the published counters goes into the database
 */
#ifndef SCOHORT_HISTORY_TAKE_H
#define SCOHORT_HISTORY_TAKE_H

#include <json.h>

#include "history/db.h"

/* For how many days what is kept; 0: for ever */
struct keeping {
	int64_t days[DB_LEVELS];
	int64_t events;			/* evictions */
};

/* Adds what each counter has grown by since the last reading (growth.h), spread
 * evenly over the time between (growth.h). `now` is the time here, in seconds. To
 * be called within a transaction that began before the document was read, so that
 * no other process takes a newer one first. -1 after a message: the transaction is
 * to be rolled back. */
int take_reading(const struct db *db, struct json_object *document, int64_t now,
		 const struct keeping *keep);

#endif /* SCOHORT_HISTORY_TAKE_H */
