/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slots.h - rows of a table of the database, in the order of their slots
 *
 * Whole days are read from the days, the rest of a range from hours; by minute all from
 * minutes.
 */
#ifndef SCOHORT_REPORT_SLOTS_H
#define SCOHORT_REPORT_SLOTS_H

#include "history/db.h"
#include "report/span.h"

#define SEGMENTS 3

struct segment {
	enum db_level level;
	int64_t begin, end;
};

struct range {
	int64_t start, end;		/* full hours; by minute: full minutes */
	enum span_by by;
	struct segment segments[SEGMENTS];
	size_t n;
};

void range_make(struct range *r, int64_t start, int64_t end, enum span_by by);

/* Do all days of the database in the range begin as those of the local time do? `zone` is
 * what the database has. 0; -1 after a message */
int range_check(const struct range *r, const struct db *db, const char *zone);

struct slots {
	const struct db *db;
	const struct range *range;
	sqlite3_stmt *s;	/* the current row, from column 1 on */
	size_t segment;
	int64_t slot;		/* INT64_MAX: there are no more */
	bool failed;
};

/* sql: columns begin with the slot; ?1 is the level, ?2 and ?3 are the first slot
 * and the one after the last. -1 after a message; slots_end() in any case */
int slots_begin(struct slots *c, const struct db *db, const struct range *range,
		const char *sql);
void slots_next(struct slots *c);
/* -1: it has failed, after a message */
int slots_end(struct slots *c);

#endif /* SCOHORT_REPORT_SLOTS_H */
