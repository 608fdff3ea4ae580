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
#include "diff/diff.h"
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

/* "2 amounts of quota and 1 other key differ"; "": none does, or that can't be told */
static void differences_format(const struct doctor *d, char *buf, size_t size)
{
	char err[CONF_PATH_MAX + 256];
	struct conf *from = diff_in_force(&d->published, &d->controller, err, sizeof(err));
	struct json_object *diff = from && d->file.good
		? diff_make(from, d->file.conf, &d->published, &d->controller, err, sizeof(err))
		: NULL;
	size_t quotas = json_items(diff, "quotas"), keys = json_items(diff, "keys");

	*buf = '\0';
	if (quotas + keys)
		snprintf(buf, size, "%zu amount%s of quota and %zu other key%s differ", quotas,
			 text_s((int64_t) quotas), keys, text_s((int64_t) keys));
	json_object_put(diff);
	conf_destroy(from);
}

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
	char sentence[1024], differences[128];
	size_t path = strlen(d->path);

	if (d->in_place && !config_is_in_force(d->published.document, d->now, sentence,
					       sizeof(sentence))) {
		differences_format(d, differences, sizeof(differences));
		path = strncmp(sentence, d->path, path) ? 0 : path + 1;
		found_at(d, json_truth(c, "valid") ? SEVERITY_WARNING : SEVERITY_ERROR, 0,
			 "%s%s%s%s", sentence + path, *differences ? " " : "", differences,
			 *differences ? " (scohort diff)" : "");
	} else if (d->in_place && !has_text_in_force(d)) {
		found_at(d, SEVERITY_WARNING, 0, "has changed since slurmctld read it: run scohort "
			 "diff, then scontrol reconfigure");
	} else if (!d->in_place) {
		differences_format(d, differences, sizeof(differences));
		if (*differences)
			found_at(d, SEVERITY_NOTE, 0, "is not in force: %s (scohort diff %s). "
				 "scohort apply %s puts it in force", differences, d->path,
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

/* Finds what keeps others from the path: a folder of it, or itself. Each has to give them this
 * right. 1: there is one, in `path`, with its mode; 0: none; -1: `path` can't be looked at */
static int barrier_find(char *path, mode_t *mode)
{
	char whole[CONF_PATH_MAX];
	struct stat st;

	snprintf(whole, sizeof(whole), "%s", path);
	for (size_t i = 1; i <= strlen(whole); i++) {
		bool last = !whole[i];

		if (!last && whole[i] != '/')
			continue;
		snprintf(path, CONF_PATH_MAX, "%.*s", (int) i, whole);
		if (stat(path, &st))
			return last && errno == ENOENT ? 0 : -1;
		*mode = st.st_mode & 07777;
		if (!(st.st_mode & (S_ISDIR(st.st_mode) ? S_IXOTH : S_IROTH)))
			return 1;
	}
	return 0;
}

void look_readable(struct doctor *d)
{
	char path[CONF_PATH_MAX], real[PATH_MAX];
	mode_t mode = 0;
	int rc;

	snprintf(path, sizeof(path), "%s", realpath(d->published.path, real) ? real
		 : d->published.path);
	rc = barrier_find(path, &mode);
	if (rc < 0)
		found_unknown(d, "whether users can read what slurmctld publishes",
			      strerror(errno));
	else if (rc)
		found(d, SEVERITY_WARNING, d->published.path, "users can't read what slurmctld "
		      "publishes, and scohort has no answers for them: %s has mode %04o. Set "
		      "visibility.publish to a file that all can read", path, (unsigned) mode);
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
