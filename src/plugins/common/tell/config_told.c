/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  config_told.c - which cohort.yaml is in force, for the published document
 *
 *  A file with errors is not in force, and neither is one that was written
 *  after slurmctld has read it. Both must be seen. The file is looked at by the
 *  thread that publishes, without any lock: it may lie on a file system of the
 *  network.
\*****************************************************************************/
#include <inttypes.h>
#include <sys/stat.h>

#include "tell/config_told.h"

#include "lib/hash.h"
#include "state/state.h"
#include "state/json.h"
#include "yaml/file.h"

struct config_seen {
	char *path;
	struct stat identity;	/* all 0: there was none */
	bool taken;
	uint64_t hash;		/* of its text, if it was taken */
	uid_t owner;
};

/* under the job lock */
static struct config_seen last;
static struct {
	time_t since;		/* what is in force was read then; 0: nothing is */
	time_t rejected;	/* 0: the last one read is in force */
	char *error;
	int errors;
	int64_t reading;	/* when it was read, in microseconds */
} told;

static struct stat _identity(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		memset(&st, 0, sizeof(st));
	return st;
}

/* The same file, and not written in between? */
static bool _same(const struct stat *a, const struct stat *b)
{
	return (a->st_dev == b->st_dev) && (a->st_ino == b->st_ino) &&
		(a->st_size == b->st_size) && (a->st_mtim.tv_sec == b->st_mtim.tv_sec) &&
		(a->st_mtim.tv_nsec == b->st_mtim.tv_nsec);
}

extern void config_told_reading(const char *path)
{
	struct timespec now;

	xfree(last.path);
	last.path = xstrdup(path);
	last.identity = _identity(path);
	last.owner = slurm_conf.slurm_user_id;
	last.taken = false;
	/* slurmctld may be executed anew for each: the time tells them apart */
	clock_gettime(CLOCK_REALTIME, &now);
	told.reading = (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

extern void config_told_taken(const char *text)
{
	last.taken = true;
	last.hash = hash_bytes(HASH_INIT, text, strlen(text));
	told.since = time(NULL);
	told.rejected = 0;
	told.errors = 0;
	xfree(told.error);
}

/* All users may read this, but not which users the file names. */
static char *_error_for_all(const char *error)
{
	char *copy = xstrdup(error), *user = copy ? strstr(copy, ".user: ") : NULL;

	if (user)
		user[strlen(".user")] = '\0';
	return copy;
}

extern void config_told_rejected(const char *error, int errors, time_t since)
{
	told.rejected = time(NULL);
	told.errors = errors;
	xfree(told.error);
	told.error = _error_for_all(error);
	if (since)
		told.since = since;
}

extern struct json_object *config_told_json(void)
{
	struct json_object *o = json_object_new_object();
	char hash[20];

	snprintf(hash, sizeof(hash), "%016" PRIx64, last.hash);
	json_add_text(o, "file", last.path);
	json_add_number(o, "reading", told.reading);
	json_add_text(o, "hash", last.taken ? hash : NULL);
	json_add_bool(o, "valid", !told.rejected);
	json_add_number(o, "since", told.since);
	if (told.rejected) {
		json_add_number(o, "rejectedAt", told.rejected);
		json_add_text(o, "error", told.error);
		json_add_number(o, "errors", told.errors);
	}
	return o;
}

extern struct config_seen *config_told_seen(void)
{
	struct config_seen *seen = xmalloc(sizeof(*seen));

	*seen = last;
	seen->path = xstrdup(last.path);
	return seen;
}

/* Does the file have the text that was taken? One that is not to be trusted
 * would be rejected: it differs. */
static bool _has_text(const struct config_seen *seen)
{
	char err[200], *text;
	size_t len;
	bool same;

	text = file_read_trusted(seen->path, seen->owner, &len, err, sizeof(err));
	same = text && (hash_bytes(HASH_INIT, text, len) == seen->hash);
	free(text);
	return same;
}

static const char *_look(const struct config_seen *seen)
{
	struct stat now = _identity(seen->path);

	if (_same(&now, &seen->identity))
		return "same";
	if (!now.st_ino)
		return "missing";
	return seen->taken && _has_text(seen) ? "same" : "changed";
}

extern void config_told_look(struct config_seen *seen, struct json_object *document)
{
	if (seen->path)
		json_add_text(json_object_object_get(document, "configuration"),
			     "onDisk", _look(seen));
	xfree(seen->path);
	xfree(seen);
}
