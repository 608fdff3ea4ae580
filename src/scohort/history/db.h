/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * db.h - the database of `scohort record`: what queues had, over time
 *
 * SQLite 3.24 or newer, with a write-ahead log. Amounts are whole base units
 * times seconds. Each is kept three times, by minute, hour and day of one time zone
 * (below), as the finer levels are kept for a shorter time. A slot
 * is the second in which a minute, hour or day begins.
 */
#ifndef SCOHORT_HISTORY_DB_H
#define SCOHORT_HISTORY_DB_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#define DB_VERSION 3
#define DB_ERROR_SIZE 512
#define DB_DEFAULT "/var/lib/slurm-cohort/history.db"	/* as etc/systemd has it */

/* By what time is divided. The first SPAN_LEVELS are the levels of the database, which
 * has their numbers. */
enum span_by {
	SPAN_MINUTE, SPAN_HOUR, SPAN_DAY, SPAN_LEVELS,
	SPAN_WEEK = SPAN_LEVELS, SPAN_MONTH, SPAN_WHOLE
};

/* The columns of `usage` that follow its key, in this order */
enum db_amount {
	DB_NOMINAL, DB_OWN, DB_BORROWED, DB_LENT, DB_SHARED, DB_IDLE, DB_LOST,
	DB_AMOUNTS
};

/* Why something is not known exactly: `gap` */
enum db_gap {
	DB_GAP_UNKNOWN,		/* no sums were kept: slurmctld was down */
	DB_GAP_SPREAD,		/* no reading: the sums are right, their time is
				 * not known within it */
};

struct db {
	sqlite3 *handle;
	const char *path;		/* the caller's */
	bool ours;			/* to write, and its tables are those of
					 * scohort record */
	sqlite3_stmt **cached;		/* of db_ask() */
	char *error;			/* DB_ERROR_SIZE bytes, "" at first, where messages are
					 * not printed: the first one, without the path */
};

/* Opens it; db->error has been set, as this may fail. With `create` to write, and makes it if
 * it is not there. busy_ms: how long to wait for a lock. -1: it cannot be opened, is none of
 * ours, or is of another version; then it is not changed. */
int db_open(struct db *db, const char *path, bool create, int busy_ms);
/* One that was not opened may be closed, too. */
void db_close(struct db *db);

/* A message, of what follows the path: ": why" or " is wrong". -1 */
int db_fail(const struct db *db, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* That of SQLite. -1 */
int db_error(const struct db *db);
/* -1 after a message */
int db_run(const struct db *db, const char *sql);

/* false: no more rows are wanted */
typedef bool (*db_row_f)(void *arg, sqlite3_stmt *row);

/* Runs a statement, which is prepared once, with these values, a letter for each: "i"
 * (int64_t), "t" (const char *, or NULL). Calls row() for each row. -1 after a message */
int db_ask(const struct db *db, db_row_f row, void *arg, const char *sql, const char *kinds, ...);
int db_vask(const struct db *db, db_row_f row, void *arg, const char *sql,
	    const char *kinds, va_list args);

/* The same, for a statement that has no rows */
#define db_do(db, ...) db_ask(db, NULL, NULL, __VA_ARGS__)

/* The first n columns of the first row, which are 0 if there is no row. 1: there is one; 0: no
 * row; -1 after a message */
int db_numbers(const struct db *db, int64_t *list, int n, const char *sql, const char *kinds, ...);
int db_vnumbers(const struct db *db, int64_t *list, int n, const char *sql,
		const char *kinds, va_list args);

/* The begin of the minute, hour, day, week (Monday) or month of that time, and of the next
 * one; of the whole, INT64_MIN and INT64_MAX */
int64_t span_begin(enum span_by by, int64_t at);
int64_t span_next(enum span_by by, int64_t begin);

/* ---- the time zone whose days a database has ----
 *
 * A day of the database is one of the zone in which its first reading was taken. All
 * later readings and all reports take the same zone, whatever their own is. */

#define ZONE_MAX 256

/* What TZ would have to be for the local time of this process: TZ itself, or the name or
 * rules that /etc/localtime has. Cut if there is no room. */
void zone_here(char *buf, size_t size);

/* Local time is that of the zone from now on. "": nothing changes */
void zone_use(const char *zone);

#endif /* SCOHORT_HISTORY_DB_H */
