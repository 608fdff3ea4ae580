/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evictions.c - the file of events goes into the database
 *
 * A run of a job is evicted once: its job id and start tell whether an event is there
 * already, whatever has become of the files. The place up to which they were read is
 * in the same transaction; it only saves work. All users may read the database: it has
 * numbers of jobs, but no users, accounts and names.
 */
#include <stdio.h>

#include "history/event_lines.h"
#include "history/evictions.h"
#include "history/names.h"
#include "history/reading.h"
#include "input/json_members.h"
#include "output/output.h"

#define DAY 86400
#define VERSION 1			/* of an event */
#define BYTES_MAX (16 * 1024 * 1024)	/* that are read at a time */
#define REMOVE_MAX "20000"		/* that are removed at a time */
#define NAME_MAX 512

struct taking {
	const struct db *db;
	struct names names;
	struct json_tokener *tokener;
	int64_t oldest;			/* what ended before is not kept */
	int64_t odd, odd_at;		/* lines that are no events; the last one */
};

/* ---- one event ---- */

/* The number of a queue, or 0 */
static int64_t queue_number(struct taking *t, struct json_object *of)
{
	const char *queue = json_text(of, "queue");

	return *queue ? name_number(&t->names, NULL, NAMED_NODE, "it", (int64_t) false, queue)
		      : 0;
}

static bool losses_add(struct taking *t, int64_t event, int64_t queue,
		       struct json_object *lost)
{
	char resource[NAME_MAX];

	if (!json_object_is_type(lost, json_type_object))
		return true;
	json_object_object_foreach(lost, key, sum) {
		const char *flavor = pair_key_cut(key, resource,
						  sizeof(resource));
		int64_t amount = json_object_is_type(sum, json_type_int)
				 ? json_object_get_int64(sum) : 0;

		if (!flavor || amount <= 0)
			continue;
		if (db_ask(t->db, NULL, NULL, "INSERT INTO event_lost VALUES (?1, ?2, ?3)"
			    " ON CONFLICT(event, pair) DO UPDATE SET amount = amount + ?3",
			    "iii", event, name_number(&t->names, NULL, NAMED_PAIR, "itt", queue,
						      resource, flavor), amount) < 0)
			return false;
	}
	return !t->names.failed;
}

static bool event_add(struct taking *t, struct json_object *event)
{
	struct json_object *by = json_member(event, "by");
	int64_t queue = queue_number(t, event), for_queue = queue_number(t, by);
	char what[NAME_MAX];

	snprintf(what, sizeof(what), "evicted %s", json_text(event, "rule"));
	if (db_ask(t->db, NULL, NULL, "INSERT INTO event(job, started, ended, ran,"
		    " queue, what, by_job, by_queue)"
		    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
		    " ON CONFLICT(job, started) DO NOTHING", "iiiiiiii",
		    json_number(event, "job"), json_number(event, "started"),
		    json_number(event, "time"), json_number(event, "ran"), queue,
		    name_number(&t->names, NULL, NAMED_WHAT, "t", what), json_number(by, "job"), for_queue) < 0
	    || t->names.failed)
		return false;
	/* it is known already */
	if (!sqlite3_changes(t->db->handle))
		return true;
	return losses_add(t, sqlite3_last_insert_rowid(t->db->handle), queue,
			  json_member(event, "lost"));
}

static bool is_event(struct json_object *o)
{
	return json_object_is_type(o, json_type_object)
	       && json_number(o, "version") == VERSION
	       && json_number(o, "job") > 0 && json_number(o, "started") > 0
	       && json_number(o, "time") > 0 && *json_text(o, "queue")
	       && *json_text(o, "rule");
}

static bool line_take(void *arg, const char *line, size_t len, int64_t at)
{
	struct taking *t = arg;
	struct json_object *event;
	bool ok = true;

	json_tokener_reset(t->tokener);
	event = json_tokener_parse_ex(t->tokener, line, (int) len);
	if (!is_event(event)) {
		t->odd++;
		t->odd_at = at;
	} else if (json_number(event, "time") >= t->oldest) {
		ok = event_add(t, event);
	}
	json_object_put(event);
	return ok;
}

/* ---- the place ---- */

static int place_load(struct event_place *p, const struct db *db)
{
	int64_t n[4];
	int rc = db_numbers(db, n, 4, "SELECT device, inode, offset, mark"
				      " FROM event_place", "");

	*p = (struct event_place) { n[0], n[1], n[2], n[3] };
	return rc < 0 ? -1 : 0;
}

static int place_store(const struct event_place *p, const struct db *db)
{
	return db_ask(db, NULL, NULL, "INSERT OR REPLACE INTO event_place"
		       " VALUES (1, ?1, ?2, ?3, ?4)", "iiii", p->device,
		       p->inode, p->offset, p->mark);
}

/* ---- all ---- */

static int old_remove(const struct db *db, int64_t oldest)
{
#define OLD "(SELECT id FROM event WHERE ended < ?1 ORDER BY ended LIMIT " \
	    REMOVE_MAX ")"
	if (!oldest)
		return 0;
	return db_ask(db, NULL, NULL, "DELETE FROM event_lost WHERE event IN " OLD,
		       "i", oldest) < 0
	       || db_ask(db, NULL, NULL, "DELETE FROM event WHERE id IN " OLD, "i",
			  oldest) < 0 ? -1 : 0;
}

int evictions_take(const struct db *db, const char *path, int64_t keep_days)
{
	struct taking t = { .db = db };
	struct event_place place;
	struct reading last;
	int rc = -1;

	if (reading_load(&last, db) < 0 || place_load(&place, db) < 0)
		return -1;
	if (keep_days)
		t.oldest = last.kept - keep_days * DAY;
	t.tokener = json_tokener_new();
	if (!t.tokener)
		stderr_line("scohort: out of memory");
	else if (!names_begin(&t.names, db)
		 && !event_lines_read(path, &place, BYTES_MAX, line_take, &t)
		 && !place_store(&place, db))
		rc = old_remove(db, t.oldest);
	if (t.odd)
		stderr_line("scohort: %s: %lld line(s) were left out: they are "
			    "no events of version %d; the last one begins at "
			    "byte %lld", path, (long long) t.odd, VERSION,
			    (long long) t.odd_at);
	json_tokener_free(t.tokener);
	return rc;
}
