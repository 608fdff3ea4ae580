/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * db.c - the database of `scohort record`: what queues had, over time
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "history/db.h"
#include "output/output.h"

#define APPLICATION 0x436f6874		/* "Coht": PRAGMA application_id */
#define HOUR 3600
#define CACHED_MAX 64

/* Small rows: numbers instead of names, and a zero needs no room. */
static const char schema[] =
	/* what the last reading told: `seen` is the time here, most others are
	 * the document's. newest: the largest `since` of all readings; kept: up
	 * to when time is believed to have gone; zone: of the days (db.h) */
	"CREATE TABLE reading(one INTEGER PRIMARY KEY CHECK (one = 1),"
	" begun INTEGER NOT NULL, since INTEGER NOT NULL, at INTEGER NOT NULL,"
	" seen INTEGER NOT NULL, busy INTEGER NOT NULL,"
	" gaps INTEGER NOT NULL, gap_seconds INTEGER NOT NULL,"
	" newest INTEGER NOT NULL, kept INTEGER NOT NULL,"
	" zone TEXT NOT NULL);"
	/* cohorts and cluster queues. gone: the last reading had none */
	"CREATE TABLE node(id INTEGER PRIMARY KEY, is_cohort INTEGER NOT NULL,"
	" name TEXT NOT NULL, gone INTEGER NOT NULL DEFAULT 0,"
	" UNIQUE (is_cohort, name));"
	"CREATE TABLE pair(id INTEGER PRIMARY KEY, node INTEGER NOT NULL,"
	" resource TEXT NOT NULL, flavor TEXT NOT NULL,"
	" gone INTEGER NOT NULL DEFAULT 0, UNIQUE (node, resource, flavor));"
	"CREATE TABLE link(id INTEGER PRIMARY KEY, lender INTEGER NOT NULL,"
	" borrower INTEGER NOT NULL, resource TEXT NOT NULL,"
	" flavor TEXT NOT NULL, gone INTEGER NOT NULL DEFAULT 0,"
	" UNIQUE (lender, borrower, resource, flavor));"
	/* starts, evicted RULE, caused RULE, delay BOUND (inf: above all) */
	"CREATE TABLE what(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
	/* what each counter was when it was seen last, the reading's `since`,
	 * and the largest that it was seen with; kind: enum counted */
	"CREATE TABLE counter(kind INTEGER, id INTEGER, what INTEGER,"
	" value INTEGER NOT NULL, since INTEGER NOT NULL,"
	" newest INTEGER NOT NULL,"
	" PRIMARY KEY (kind, id, what)) WITHOUT ROWID;"
	"CREATE TABLE usage(level INTEGER, slot INTEGER, pair INTEGER,"
	" nominal INTEGER DEFAULT 0, own INTEGER DEFAULT 0,"
	" borrowed INTEGER DEFAULT 0, lent INTEGER DEFAULT 0,"
	" shared INTEGER DEFAULT 0, idle INTEGER DEFAULT 0,"
	" lost INTEGER DEFAULT 0, PRIMARY KEY (level, slot, pair))"
	" WITHOUT ROWID;"
	"CREATE TABLE loan(level INTEGER, slot INTEGER, link INTEGER,"
	" amount INTEGER DEFAULT 0, PRIMARY KEY (level, slot, link))"
	" WITHOUT ROWID;"
	"CREATE TABLE tally(level INTEGER, slot INTEGER, node INTEGER,"
	" what INTEGER, n INTEGER DEFAULT 0,"
	" PRIMARY KEY (level, slot, node, what)) WITHOUT ROWID;"
	/* kind: enum db_gap; seconds may be fewer than from begin to end */
	"CREATE TABLE gap(kind INTEGER, begin INTEGER, end INTEGER,"
	" seconds INTEGER NOT NULL, PRIMARY KEY (kind, begin, end))"
	" WITHOUT ROWID;"
	/* what: "evicted RULE"; by_queue 0: the job was in none */
	"CREATE TABLE event(id INTEGER PRIMARY KEY, job INTEGER NOT NULL,"
	" started INTEGER NOT NULL, ended INTEGER NOT NULL,"
	" ran INTEGER NOT NULL, queue INTEGER NOT NULL, what INTEGER NOT NULL,"
	" by_job INTEGER NOT NULL, by_queue INTEGER NOT NULL,"
	" UNIQUE (job, started));"
	"CREATE INDEX event_ended ON event(ended);"
	"CREATE TABLE event_lost(event INTEGER, pair INTEGER,"
	" amount INTEGER NOT NULL, PRIMARY KEY (event, pair)) WITHOUT ROWID;"
	/* struct event_place of evictions.c */
	"CREATE TABLE event_place(one INTEGER PRIMARY KEY CHECK (one = 1),"
	" device INTEGER NOT NULL, inode INTEGER NOT NULL,"
	" offset INTEGER NOT NULL, mark INTEGER NOT NULL);";

int db_fail(const struct db *db, const char *fmt, ...)
{
	char text[DB_ERROR_SIZE - 16];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!db->error)
		complain("%s%s", db->path, text);
	else if (!*db->error && *text == ':')
		snprintf(db->error, DB_ERROR_SIZE, "%s", text + 2);
	else if (!*db->error)
		snprintf(db->error, DB_ERROR_SIZE, "The database%s", text);
	return -1;
}

int db_error(const struct db *db)
{
	return db_fail(db, ": %s", sqlite3_errmsg(db->handle));
}

int db_run(const struct db *db, const char *sql)
{
	return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : db_error(db);
}

/* The place of the statement among those that are kept, or the one before the end, which is
 * taken again and again. NULL after a message */
static sqlite3_stmt *prepared(const struct db *db, const char *sql)
{
	sqlite3_stmt **at = db->cached;

	while (*at && strcmp(sqlite3_sql(*at), sql) != 0)
		at++;
	if (*at)
		return *at;
	if (at == db->cached + CACHED_MAX)
		sqlite3_finalize(*--at);
	*at = NULL;
	if (sqlite3_prepare_v2(db->handle, sql, -1, at, NULL) != SQLITE_OK)
		db_error(db);
	return *at;
}

int db_vask(const struct db *db, db_row_f row, void *arg, const char *sql,
	    const char *kinds, va_list args)
{
	sqlite3_stmt *s = prepared(db, sql);
	int rc;

	for (int i = 1; s && kinds[i - 1]; i++) {
		if (kinds[i - 1] == 'i')
			sqlite3_bind_int64(s, i, va_arg(args, int64_t));
		else
			sqlite3_bind_text(s, i, va_arg(args, const char *), -1, SQLITE_STATIC);
	}
	if (!s)
		return -1;
	do {
		rc = sqlite3_step(s);
	} while (rc == SQLITE_ROW && row && row(arg, s));
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		db_error(db);
	sqlite3_reset(s);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
}

int db_ask(const struct db *db, db_row_f row, void *arg, const char *sql, const char *kinds, ...)
{
	va_list args;
	int rc;

	va_start(args, kinds);
	rc = db_vask(db, row, arg, sql, kinds, args);
	va_end(args);
	return rc;
}

/* The numbers of the first row */
struct numbers {
	int64_t *list;
	int n;
	bool found;
};

static bool numbers_take(void *arg, sqlite3_stmt *row)
{
	struct numbers *numbers = arg;

	for (int i = 0; i < numbers->n; i++)
		numbers->list[i] = sqlite3_column_int64(row, i);
	numbers->found = true;
	return false;
}

int db_vnumbers(const struct db *db, int64_t *list, int n, const char *sql,
		const char *kinds, va_list args)
{
	struct numbers numbers = { list, n, false };

	memset(list, 0, (size_t) n * sizeof(*list));
	return db_vask(db, numbers_take, &numbers, sql, kinds, args) < 0 ? -1 : numbers.found;
}

int db_numbers(const struct db *db, int64_t *list, int n, const char *sql, const char *kinds, ...)
{
	va_list args;
	int rc;

	va_start(args, kinds);
	rc = db_vnumbers(db, list, n, sql, kinds, args);
	va_end(args);
	return rc;
}

/* ---- opening ---- */

static int tables_make(const struct db *db)
{
	char sql[128];

	snprintf(sql, sizeof(sql), "PRAGMA application_id = %d;"
		 "PRAGMA user_version = %d;", APPLICATION, DB_VERSION);
	return db_run(db, schema) < 0 || db_run(db, sql) < 0 ? -1 : 0;
}

/* Within a transaction if it may be created, as another process may do so, too */
static int check_tables(struct db *db, bool create)
{
	int64_t id = 0, version = 0, tables = 0;

	if (db_numbers(db, &id, 1, "PRAGMA application_id", "") < 0
	    || db_numbers(db, &version, 1, "PRAGMA user_version", "") < 0
	    || db_numbers(db, &tables, 1, "SELECT count(*) FROM sqlite_master", "") < 0)
		return -1;
	if (!tables && !id && !version && create)
		return tables_make(db);
	if (id != APPLICATION)
		return db_fail(db, " is no database of scohort record");
	if (version == DB_VERSION)
		return 0;
	return db_fail(db, " is of version %lld, and this scohort knows version %d only: use the "
		       "scohort that wrote it", (long long) version, DB_VERSION);
}

/* The log stays when the last process ends, so that users who may not write to the
 * folder can read. */
static int write_ahead(const struct db *db)
{
	int on = 1;

	sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
	return db_run(db, "PRAGMA journal_mode = WAL;"
			  "PRAGMA synchronous = NORMAL;"
			  "PRAGMA temp_store = MEMORY");
}

static int prepare_database(struct db *db, bool create, int busy_ms)
{
	sqlite3_busy_timeout(db->handle, busy_ms);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	if (!create)
		return check_tables(db, false);
	if (db_run(db, "BEGIN IMMEDIATE") < 0)
		return -1;
	if (check_tables(db, true) < 0) {
		db_run(db, "ROLLBACK");
		return -1;
	}
	return db_run(db, "COMMIT") < 0 ? -1 : write_ahead(db);
}

int db_open(struct db *db, const char *path, bool create, int busy_ms)
{
	int flags = create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
	struct stat st;

	*db = (struct db) { .path = path, .error = db->error };
	/* SQLite would wait for who writes to a pipe. It says what else is wrong. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return db_fail(db, " is not a regular file");
	db->cached = calloc(CACHED_MAX + 1, sizeof(*db->cached));
	if (!db->cached)
		return db_fail(db, ": out of memory");
	if (sqlite3_open_v2(path, &db->handle, flags, NULL) != SQLITE_OK) {
		db_error(db);
	} else if (!prepare_database(db, create, busy_ms)) {
		db->ours = create;
		return 0;
	}
	db_close(db);
	return -1;
}

/* The log is emptied here, as one that stays is read, and copied, whole by the next
 * process; not if a reader still needs it, and never that of another program. */
void db_close(struct db *db)
{
	for (sqlite3_stmt **at = db->cached; at && *at; at++)
		sqlite3_finalize(*at);
	free(db->cached);
	db->cached = NULL;
	if (db->ours) {
		sqlite3_busy_timeout(db->handle, 0);
		sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	}
	sqlite3_close(db->handle);
	db->handle = NULL;
	db->ours = false;
}

/* ---- slots ---- */

/* Hours are those of the local clock, which in some zones begin at half past. */
int64_t span_begin(enum span_by by, int64_t at)
{
	time_t when = (time_t) at;
	struct tm tm;

	if (by == SPAN_WHOLE)
		return INT64_MIN;
	if (by == SPAN_MINUTE || !localtime_r(&when, &tm))
		return at - at % 60;
	if (by == SPAN_HOUR)
		return at - tm.tm_min * 60 - tm.tm_sec;
	if (by == SPAN_WEEK)
		tm.tm_mday -= (tm.tm_wday + 6) % 7;
	if (by == SPAN_MONTH)
		tm.tm_mday = 1;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_isdst = -1;
	return (int64_t) mktime(&tm);
}

int64_t span_next(enum span_by by, int64_t begin)
{
	/* surely in the next one: a day has 23 to 25 hours */
	static const int64_t behind[] = {
		[SPAN_DAY] = 30 * HOUR, [SPAN_WEEK] = (7 * 24 + 6) * HOUR,
		[SPAN_MONTH] = 32 * 24 * HOUR,
	};
	int64_t next;

	if (by == SPAN_WHOLE)
		return INT64_MAX;
	if (by < SPAN_DAY)
		return begin + (by == SPAN_MINUTE ? 60 : HOUR);
	next = span_begin(by, begin + behind[by]);
	return next > begin ? next : begin + 24 * HOUR;
}

/* ---- zones ---- */

#define LOCALTIME "/etc/localtime"
#define FOLDER "/zoneinfo/"

/* A file without a name: its last line has the rules, as TZ has them (RFC 8536). */
static void rules_read(FILE *f, char *buf, size_t size)
{
	char line[ZONE_MAX];

	*buf = '\0';
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		snprintf(buf, size, "%s", line);
	}
	fclose(f);
}

void zone_here(char *buf, size_t size)
{
	const char *zone = getenv("TZ");
	char path[PATH_MAX];
	FILE *f;

	if (zone) {
		snprintf(buf, size, "%s", *zone ? zone : "UTC");
		return;
	}
	zone = realpath(LOCALTIME, path) ? strstr(path, FOLDER) : NULL;
	if (zone)
		snprintf(buf, size, "%s", zone + strlen(FOLDER));
	else if ((f = fopen(LOCALTIME, "re")))
		rules_read(f, buf, size);
	else
		snprintf(buf, size, "UTC");
}

void zone_use(const char *zone)
{
	if (*zone)
		setenv("TZ", zone, 1);
	tzset();
}
