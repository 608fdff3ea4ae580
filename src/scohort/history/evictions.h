/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evictions.h - the file of events goes into the database
 */
#ifndef SCOHORT_HISTORY_EVICTIONS_H
#define SCOHORT_HISTORY_EVICTIONS_H

#include "history/db.h"

/* Takes each eviction of the file (cohort.yaml(5), events) and of its older ones that
 * is not there yet, without people, and removes those that are older than so many days
 * (0: none), by the time of the last reading. Both are bounded: what is left is for the
 * next time. To be called within a transaction. -1 after a message: that is to be rolled
 * back. */
int evictions_take(const struct db *db, const char *path, int64_t keep_days);

#endif /* SCOHORT_HISTORY_EVICTIONS_H */
