/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test in_force.c - what slurmctld has taken, publishes, and what is recorded of that
 */
#include <inttypes.h>
#include <sys/stat.h>

#include "patient.h"
#include "config.h"
#include "lib/hash.h"

#ifdef HAVE_SQLITE
#include "history/reading.h"
#endif

static const char yaml[] = "clusterQueues: []\n";

/* With such a published document */
static struct doctor *published_make(const char *document)
{
	struct doctor *d = patient_make(yaml, "");

	zone_set("UTC");
	d->published.document = json_tokener_parse(document);
	d->published.path = strdup("/p");
	assert_non_null(d->published.document);
	return d;
}

static void published_says(void (*look)(struct doctor *d), const char *document, const char *want)
{
	struct doctor *d = published_make(document);

	d->controller.boot_time = 500;
	d->controller.state_dir = strdup("/nowhere");
	patient_says(d, look, want);
	patient_free(d);
}

static void observe(void **state)
{
	published_says(look_enforcement, "{\"enforcement\": \"enforce\"}", "");
	published_says(look_enforcement, "{\"enforcement\": \"observe\"}",
		       "note enforcement: slurmctld only observes: no job waits for quota, and "
		       "none is evicted. Remove enforcement: observe when scohort observed shows what you "
		       "want\n");
}

static void old_document(void **state)
{
	published_says(look_fresh, "{\"time\": 500}", "");
	published_says(look_fresh, "{\"time\": 499}",
		       "warning /p: was written at 1970-01-01T00:08:19, before slurmctld started: "
		       "slurmctld can't write it (see its log), or the plugins do nothing\n");
}

/* A document with a configuration of this hash, and more of it */
static void configuration_says(const char *text, const char *more, const char *want)
{
	char document[512];

	snprintf(document, sizeof(document), "{\"configuration\": {\"file\": \"f\", \"since\": "
		"400, "
		 "\"hash\": \"%016" PRIx64 "\", %s}}", hash_bytes(HASH_INIT, text, strlen(text)),
		 more);
	published_says(look_in_force, document, want);
}

#define SINCE "The configuration of 00:06:40 is in force"

static void file_in_force(void **state)
{
	configuration_says(yaml, "\"valid\": true, \"onDisk\": \"same\"", "");
	/* changed a moment ago */
	configuration_says("x", "\"valid\": true, \"onDisk\": \"same\"",
			   "warning f: has changed since slurmctld read it: run scohort diff, then "
			   "scontrol reconfigure\n");
	configuration_says("x", "\"valid\": true, \"onDisk\": \"changed\"",
			   "warning f: has changed since slurmctld read it. " SINCE ": run "
			   "scohort check, then scontrol reconfigure.\n");
	configuration_says("x", "\"valid\": false, \"rejectedAt\": 420, \"error\": \"f:1: wrong\", "
			   "\"errors\": 1, \"onDisk\": \"same\"",
			   "error f: is not in force. slurmctld rejected it at 00:07:00: f:1: "
			   "wrong. " SINCE ".\n");
}

/* ---- who can read it ---- */

static char folder[] = "/tmp/test_doctor.XXXXXX";

static void mode_says(mode_t mode, mode_t file_mode, const char *want)
{
	char path[64], whole[512] = "";
	struct doctor *d = published_make("{}");

	snprintf(path, sizeof(path), "%s/p", folder);
	fclose(fopen(path, "w"));
	assert_int_equal(chmod(path, file_mode) | chmod(folder, mode), 0);
	free(d->published.path);
	d->published.path = strdup(path);
	if (*want)
		snprintf(whole, sizeof(whole), "warning %s: users can't read what slurmctld "
			 "publishes, and scohort has no answers for them: %s%s. Set "
			 "visibility.publish to a file that all can read\n", path, folder, want);
	patient_says(d, look_readable, whole);
	unlink(path);
	/* where it is not there yet, its folder counts */
	if (*want == '/')
		*whole = '\0';
	patient_says(d, look_readable, whole);
	patient_free(d);
}

static void who_can_read(void **state)
{
	assert_non_null(mkdtemp(folder));
	mode_says(0755, 0644, "");
	mode_says(0711, 0604, "");
	mode_says(0750, 0644, " has mode 0750");
	mode_says(0755, 0640, "/p has mode 0640");
	assert_int_equal(rmdir(folder), 0);
}

static void folder_that_is_not_there(void **state)
{
	struct doctor *d = published_make("{}");

	free(d->published.path);
	d->published.path = strdup("/nowhere/at/all");
	patient_says(d, look_readable, "warning /nowhere/at/all: there is no folder /nowhere "
		     "here. Make it, or set visibility.publish to a file that slurmctld can write "
		     "and all can read\n");
	/* before slurm-cohort is switched on, where the file says */
	d->file.conf->publish = strdup("/etc/published");
	patient_says(d, look_readable, "");
	d->loaded = true;
	patient_says(d, look_readable, "warning /nowhere/at/all: there is no folder /nowhere "
		     "here. Make it, or set visibility.publish to a file that slurmctld can write "
		     "and all can read\n");
	patient_free(d);
}

/* ---- scohort record ---- */

static void recorder(void **state)
{
#ifdef HAVE_SQLITE
	char path[] = "/tmp/test_doctor_db.XXXXXX", want[256];
	struct doctor *d = published_make("{}");
	struct reading r = { .begun = 1, .since = 1, .at = 2, .newest = 1, .seen = 1000 };
	struct db db = { .error = NULL };

	assert_int_equal(close(mkstemp(path)) | unlink(path), 0);
	d->db = path;
	snprintf(want, sizeof(want), "note %s: there is no such database, so scohort report knows "
		 "nothing: systemctl enable --now slurm-cohort-record.timer\n", path);
	patient_says(d, look_recorder, want);
	assert_int_equal(db_open(&db, path, true, 0), 0);
	assert_int_equal(reading_store(&r, &db), 0);
	db_close(&db);
	d->now = 1600;
	patient_says(d, look_recorder, "");
	d->now = 1601;
	snprintf(want, sizeof(want), "warning %s: the last reading is 10:01 old: scohort record "
		 "does not run. Look at slurm-cohort-record.timer\n", path);
	patient_says(d, look_recorder, want);
	assert_int_equal(truncate(path, 5), 0);
	snprintf(want, sizeof(want), "file is not a database? does scohort record run, with %s?\n",
		 path);
	patient_says(d, look_recorder, want);
	patient_free(d);
	unlink(path);
#else
	skip();
#endif
}

TESTS(cmocka_unit_test(observe), cmocka_unit_test(old_document), cmocka_unit_test(file_in_force),
      cmocka_unit_test(who_can_read), cmocka_unit_test(folder_that_is_not_there),
      cmocka_unit_test(recorder))
