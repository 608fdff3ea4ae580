/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evictions.c - new lines of the file of events, and of its older ones, go into the database
 *
 * slurmctld appends to PATH, and renames it to PATH.1, that to PATH.2, and so on. A
 * place says up to where all was read. A file is known by device and inode, and by the
 * bytes before the place, as an inode is used again. slurmctld may rename the files at any
 * moment: all are opened before the first is read. If the place is in none of them any
 * more, all are read anew.
 *
 * A run of a job is evicted once: its job id and start tell whether an event is there
 * already, whatever has become of the files. The place up to which they were read is
 * in the same transaction; it only saves work. All users may read the database: it has
 * numbers of jobs, but no users, accounts and names.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/reading.h"
#include "history/record.h"
#include "input/json_members.h"
#include "lib/hash.h"
#include "output/output.h"

#define DAY 86400
#define VERSION 1			/* of an event */
#define BYTES_MAX (16 * 1024 * 1024)	/* that are read at a time */
#define REMOVE_MAX "20000"		/* that are removed at a time */
#define EVENT_NAME_MAX 512
#define OLDER_MAX 1000		/* as cohort.yaml allows */
#define MISSING_MAX 8		/* a crash leaves out a number */
#define MARK_BYTES 4096		/* a line or more: its end may be that of others */

struct event_place {
	int64_t device, inode;	/* of a file; inode 0: nothing was read */
	int64_t offset;		/* what is before it was read */
	int64_t mark;		/* of the last bytes before it */
};

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

	return *queue ? name_number(&t->names, NULL, NAMED_NODE, "it", (int64_t) false, queue) : 0;
}

static bool losses_add(struct taking *t, int64_t event, int64_t queue, struct json_object *lost)
{
	char resource[EVENT_NAME_MAX];

	if (!json_object_is_type(lost, json_type_object))
		return true;
	json_object_object_foreach(lost, key, sum) {
		const char *flavor = pair_key_cut(key, resource, sizeof(resource));
		int64_t amount = json_object_is_type(sum, json_type_int)
				 ? json_object_get_int64(sum) : 0;

		if (!flavor || amount <= 0)
			continue;
		if (db_do(t->db, "INSERT INTO event_lost VALUES (?1, ?2, ?3)"
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
	char what[EVENT_NAME_MAX];

	snprintf(what, sizeof(what), "evicted %s", json_text(event, "rule"));
	if (db_do(t->db, "INSERT INTO event(job, started, ended, ran,"
		  " queue, what, by_job, by_queue)"
		  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
		  " ON CONFLICT(job, started) DO NOTHING", "iiiiiiii",
		  json_number(event, "job"), json_number(event, "started"),
		  json_number(event, "time"), json_number(event, "ran"), queue,
		  name_number(&t->names, NULL, NAMED_WHAT, "t", what),
		  json_number(by, "job"), for_queue) < 0 || t->names.failed)
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
	       && json_number(o, "time") > 0 && *json_text(o, "queue") && *json_text(o, "rule");
}

static bool is_observed(struct json_object *o)
{
	return json_object_is_type(o, json_type_object) && json_member(o, "observed");
}

/* A complete line without its newline, and where it begins. false: after a message */
static bool line_take(struct taking *t, const char *line, size_t len, int64_t at)
{
	struct json_object *event;
	bool ok = true;

	json_tokener_reset(t->tokener);
	event = json_tokener_parse_ex(t->tokener, line, (int) len);
	if (is_observed(event)) {
		;	/* nobody was evicted: scohort observed tells it */
	} else if (!is_event(event)) {
		t->odd++;
		t->odd_at = at;
	} else if (json_number(event, "time") >= t->oldest) {
		ok = event_add(t, event);
	}
	json_object_put(event);
	return ok;
}

struct event_files {
	const char *path;
	struct event_place *place;
	int64_t budget;
	struct taking *t;
	char *line;
	size_t room;		/* of the line */
};

/* A file that is open */
struct file {
	FILE *f;
	struct stat st;
};

/* ---- one file ---- */

static int fail(const char *path, const char *why)
{
	complain("%s: %s", path, why);
	return -1;
}

/* Nothing that makes a reader wait. 1: it is open; 0: there is none; -1 after a message */
static int file_open(struct file *file, const char *name)
{
	int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0
		       : fail(name, errno == ELOOP ? "is not a regular file" : strerror(errno));
	if (fstat(fd, &file->st) || !S_ISREG(file->st.st_mode)) {
		close(fd);
		return fail(name, "is not a regular file");
	}
	file->f = fdopen(fd, "r");
	if (file->f)
		return 1;
	close(fd);
	return fail(name, "out of memory");
}

/* FNV-1a of the last bytes before the offset */
static int64_t mark_of(int fd, int64_t offset)
{
	unsigned char bytes[MARK_BYTES];
	int64_t from = offset > MARK_BYTES ? offset - MARK_BYTES : 0;
	ssize_t n = pread(fd, bytes, (size_t) (offset - from), from);

	return (int64_t) (hash_bytes(HASH_INIT, bytes, n > 0 ? (size_t) n : 0) >> 1);
}

static bool has_place(const struct event_place *p, const struct file *file)
{
	return p->inode == (int64_t) file->st.st_ino
	       && p->device == (int64_t) file->st.st_dev
	       && p->offset <= (int64_t) file->st.st_size
	       && p->mark == mark_of(fileno(file->f), p->offset);
}

/* Up to the last newline: what follows is not complete yet. 1: it is read; 0: the budget is
 * used up, the rest is for the next time; -1 after a message */
static int file_read(struct event_files *e, const struct file *file)
{
	struct event_place *p = e->place;
	ssize_t n = 0;

	if (!has_place(p, file))
		*p = (struct event_place) { .device = (int64_t) file->st.st_dev,
					    .inode = (int64_t) file->st.st_ino };
	(void) fseeko(file->f, p->offset, SEEK_SET);
	while (e->budget > 0 && (n = getline(&e->line, &e->room, file->f)) > 0
	       && e->line[n - 1] == '\n') {
		if (!line_take(e->t, e->line, (size_t) n - 1, p->offset))
			return -1;
		p->offset += n;
		e->budget -= n;
	}
	if (n < 0 && !feof(file->f))
		return fail(e->path, strerror(errno));
	p->mark = mark_of(fileno(file->f), p->offset);
	return e->budget > 0;
}

/* ---- which files ---- */

/* From the newest to that with the place, or to the oldest; *n: how many. One that is renamed
 * meanwhile is opened twice, and then has the place, but none is missed. 1, or -1 after a
 * message */
static int files_open(const struct event_files *e, struct file *files, int *n)
{
	char name[PATH_MAX];
	int missing = 0, rc;

	for (int i = 0; i <= OLDER_MAX && missing < MISSING_MAX; i++) {
		snprintf(name, sizeof(name), i ? "%s.%d" : "%s", e->path, i);
		if ((rc = file_open(&files[*n], name)) < 0)
			return -1;
		missing = rc ? 0 : missing + 1;
		*n += rc;
		if (rc && has_place(e->place, &files[*n - 1]))
			break;
	}
	return 1;
}

/* Takes each complete line behind the place, the oldest first, and moves the place on; after
 * BYTES_MAX the rest is left for the next time. That there is no file is no error. -1 after a
 * message */
static int lines_read(struct taking *t, const char *path, struct event_place *place)
{
	struct event_files e = { .path = path, .place = place, .budget = BYTES_MAX, .t = t };
	struct file *files = calloc(OLDER_MAX + 1, sizeof(*files));
	int n = 0, rc;

	rc = files ? files_open(&e, files, &n) : fail(path, "out of memory");
	for (int i = n - 1; i >= 0; i--) {
		if (rc > 0)
			rc = file_read(&e, &files[i]);
		fclose(files[i].f);
	}
	free(files);
	free(e.line);
	return rc < 0 ? -1 : 0;
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
	return db_do(db, "INSERT OR REPLACE INTO event_place"
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
	return db_do(db, "DELETE FROM event_lost WHERE event IN " OLD, "i", oldest) < 0
	       || db_do(db, "DELETE FROM event WHERE id IN " OLD, "i", oldest) < 0 ? -1 : 0;
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
		complain("out of memory");
	else if (!names_begin(&t.names, db)
		 && !lines_read(&t, path, &place) && !place_store(&place, db))
		rc = old_remove(db, t.oldest);
	if (t.odd)
		complain("%s: %lld line(s) were left out: they are no events of version %d; the "
			 "last one begins at byte %lld", path, (long long) t.odd, VERSION,
			 (long long) t.odd_at);
	json_tokener_free(t.tokener);
	return rc;
}
