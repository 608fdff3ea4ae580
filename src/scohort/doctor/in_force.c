/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * in_force.c - what slurmctld has taken, publishes, and what is recorded of that
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "doctor/doctor.h"
#include "input/json_members.h"
#include "lib/hash.h"
#include "output/text.h"

#ifdef HAVE_SQLITE
#include "history/reading.h"
#endif

void look_enforcement(struct doctor *d)
{
	if (!strcmp(json_text(d->published.document, "enforcement"), "observe"))
		found(d, SEVERITY_NOTE, "enforcement", "slurmctld only observes: no job waits for "
		      "quota, and none is evicted. Remove enforcement: observe when scohort observed "
		      "shows what you want");
}

/* ---- is the file in force? ---- */

/* What is published of the file on disk may be some seconds old. */
static bool has_text_in_force(const struct doctor *d)
{
	const char *text = d->file.conf ? d->file.conf->source : "";
	char hash[20];

	snprintf(hash, sizeof(hash), "%016" PRIx64, hash_bytes(HASH_INIT, text, strlen(text)));
	return !d->file.conf || !strcmp(hash, json_text(json_member(d->published.document,
								    "configuration"), "hash"));
}

void look_in_force(struct doctor *d)
{
	struct json_object *c = json_member(d->published.document, "configuration");
	char sentence[1024];
	size_t path = strlen(d->path);

	if (d->in_place && !config_is_in_force(d->published.document, d->now, sentence,
					       sizeof(sentence))) {
		path = strncmp(sentence, d->path, path) ? 0 : path + 1;
		found(d, json_truth(c, "valid") ? SEVERITY_WARNING : SEVERITY_ERROR,
		      found_line(d, 0), "%s", sentence + path);
	} else if (has_text_in_force(d)) {
		return;
	} else if (d->in_place) {
		found(d, SEVERITY_WARNING, found_line(d, 0), "has changed since slurmctld read it: "
		      "run scohort diff, then scontrol reconfigure");
	} else if (d->file.good) {
		found(d, SEVERITY_NOTE, found_line(d, 0), "is not in force. scohort diff %s shows "
		      "what it would change, and scohort apply %s puts it in force", d->path,
		      d->path);
	}
}

/* ---- what is published ---- */

void look_fresh(struct doctor *d)
{
	int64_t written = json_number(d->published.document, "time");

	if (written < d->controller.boot_time)
		found(d, SEVERITY_WARNING, d->published.path, "was written at %s, before slurmctld "
		      "started: slurmctld can't write it (see its log), or the plugins do nothing",
		      text_date(TEXT_BUF, written));
}

/* In the path each folder has to let others in, and the file let them read. */
void look_readable(struct doctor *d)
{
	const struct conf *conf = d->file.conf;
	const char *file = !d->loaded && conf && conf->publish ? conf->publish : d->published.path;
	char whole[PATH_MAX], path[PATH_MAX];
	struct stat st;

	if (!realpath(file, whole))
		snprintf(whole, sizeof(whole), "%s", file);
	for (size_t i = 1, len = strlen(whole); i <= len; i++) {
		if (i < len && whole[i] != '/')
			continue;
		snprintf(path, sizeof(path), "%.*s", (int) i, whole);
		if (stat(path, &st)) {
			if (errno != ENOENT)
				found_unknown(d, "whether users can read what slurmctld publishes",
					      strerror(errno));
			else if (i < len)
				found(d, SEVERITY_WARNING, file, "there is no folder %s here. Make "
				      "it, or set visibility.publish to a file that slurmctld can "
				      "write and all can read", path);
			return;
		}
		if (st.st_mode & (S_ISDIR(st.st_mode) ? S_IXOTH : S_IROTH))
			continue;
		found(d, SEVERITY_WARNING, file, "users can't read what slurmctld publishes, and "
		      "scohort has no answers for them: %s has mode %04o. Set "
		      "visibility.publish to a file that all can read", path,
		      (unsigned) st.st_mode & 07777);
		return;
	}
}

/* ---- what is recorded ---- */

#ifdef HAVE_SQLITE
#define LATE 600		/* seconds: the timer takes a reading once a minute */
#define BUSY_MS 2000

void look_recorder(struct doctor *d)
{
	char err[DB_ERROR_SIZE] = "", what[CONF_PATH_MAX];
	struct db db = { .error = err };
	struct reading last = { .at = 0 };

	if (access(d->db, F_OK) && errno == ENOENT) {
		found(d, SEVERITY_NOTE, d->db, "there is no such database, so scohort report knows "
		      "nothing: systemctl enable --now slurm-cohort-record.timer");
		return;
	}
	snprintf(what, sizeof(what), "does scohort record run, with %s?", d->db);
	if (db_open(&db, d->db, false, BUSY_MS) < 0 || reading_load(&last, &db) < 0)
		found_unknown(d, what, err);
	else if (d->now - last.seen > LATE)
		found(d, SEVERITY_WARNING, d->db, "the last reading is %s old: scohort record does "
		      "not run. Look at slurm-cohort-record.timer",
		      text_duration(TEXT_BUF, d->now - last.seen));
	db_close(&db);
}
#else
void look_recorder(struct doctor *d)
{
	found_unknown(d, "does scohort record run?", "scohort was built without libsqlite3");
}
#endif
