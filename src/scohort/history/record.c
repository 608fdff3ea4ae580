/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.c - scohort record: the published counters and evictions, into a database
 *
 * slurmctld is not asked: what it has published stays true while it is down.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "conf.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "history/record.h"
#include "ledger/published.h"
#include "output/exit_status.h"
#include "slurm/conf_path.h"

#define DAYS_MAX 1000000
#define BUSY_MS 10000

struct options {
	const char *path, *events;
	bool no_events;
	int64_t every;
	bool again;
	struct keeping keep;
};

static const struct cli_option options[] = {
	{ "db", 0, "FILE", "the database, made if it is not there "
	  "(" DB_DEFAULT ")", OPTION(TEXT, path) },
	{ "every", 0, "SECONDS", "take a reading again and again, until killed",
	  OPTION_SEEN(NUMBER, every, again) },
	{ "events", 0, "FILE", "the file of events (events.file of cohort.yaml, or "
	  "cohort_events.jsonl in StateSaveLocation)", OPTION(TEXT, events) },
	{ "no-events", 0, NULL, "leave evictions out", OPTION(FLAG, no_events) },
	{ "keep-minutes", 0, "DAYS", "for so long; 0: for ever (7)", OPTION(NUMBER, keep.days[SPAN_MINUTE]) },
	{ "keep-hours", 0, "DAYS", "for so long; 0: for ever (92)", OPTION(NUMBER, keep.days[SPAN_HOUR]) },
	{ "keep-days", 0, "DAYS", "for so long; 0: for ever (0)", OPTION(NUMBER, keep.days[SPAN_DAY]) },
	{ "keep-events", 0, "DAYS", "evictions for so long; 0: for ever (366)",
	  OPTION(NUMBER, keep.events) },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "",
	.about = "Takes what the plugin counts, and evictions, into a database, for "
		 "scohort\nreport: one reading, or one every so many seconds.\n",
	.options = options,
};

/* In the transaction: what is read is not older than what is there. */
static int reading_take(const struct options *o, const struct db *db)
{
	struct published p = { .path = NULL };
	char err[PATH_MAX + 256] = "";
	int status = published_open_alone(&p, err, sizeof(err));

	if (status)
		complain("%s", err);
	else if (take_reading(db, p.document, (int64_t) time(NULL), &o->keep) < 0)
		status = STATUS_FAILED;
	published_close(&p);
	return status;
}

static bool is_missing(const char *path)
{
	return access(path, F_OK) && errno == ENOENT;
}

/* Neither the file of events nor an older one is there. */
static bool are_missing(const char *path)
{
	char older[CONF_PATH_MAX + sizeof(".1")];

	snprintf(older, sizeof(older), "%s.1", path);
	return is_missing(path) && is_missing(older);
}

/* Not where jobs are private and others can read the database: it says so. 1: they may;
 * 0: not; -1: it is not known */
static int may_be_shown(const struct db *db, const char *events)
{
	char unread[CONF_PATH_MAX];
	int private = conf_jobs_are_private(unread);
	struct stat st;

	if (!private || stat(db->path, &st) || !(st.st_mode & S_IROTH))
		return 1;
	/* such as on a host without slurm.conf that takes only sums */
	if (private < 0 && are_missing(events))
		return 0;
	if (private < 0) {
		complain("evictions are left out: %s cannot be read, and jobs may be private "
			 "there; all users can read %s; chmod o= %s*, or --no-events",
			 unread, db->path, db->path);
		return -1;
	}
	complain("evictions are left out: slurm.conf has PrivateData=jobs, and all users can read "
		 "%s; chmod o= %s*, or --no-events", db->path, db->path);
	return 0;
}

/* In Slurm's StateSaveLocation. -1 after a message */
static int default_find(char *path, size_t size)
{
	char state_dir[PATH_MAX], unread[CONF_PATH_MAX];

	if (!conf_value("StateSaveLocation", state_dir, sizeof(state_dir), unread)) {
		if (*unread) {
			complain("evictions are left out: %s cannot be read, and StateSaveLocation "
				 "may be there; --events names the file", unread);
			return -1;
		}
		strcpy(state_dir, "/var/spool"); /* Slurm's default */
	}
	snprintf(path, size, "%s/cohort_events.jsonl", state_dir);
	return 1;
}

/* Where slurmctld writes events. 1: there; 0: it does not; -1 after a message */
static int events_find(char *path, size_t size)
{
	struct conf *conf = local_conf_load();
	char yaml[CONF_PATH_MAX];
	int rc = !conf || conf->events.enable;

	conf_path("cohort.yaml", yaml, sizeof(yaml));
	if (!conf && (!access(yaml, F_OK) || errno != ENOENT)) {
		complain("evictions are left out: %s cannot be read or has errors, which scohort "
			 "check tells", yaml);
		rc = -1;
	} else if (rc && conf && conf->events.file) {
		snprintf(path, size, "%s", conf->events.file);
	} else if (rc) {
		rc = default_find(path, size);
	}
	conf_destroy(conf);
	return rc;
}

/* slurmctld makes the file with the first eviction, but no folder. */
static bool has_folder(const char *path)
{
	char copy[CONF_PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	return !is_missing(dirname(copy));
}

static int events_take(const struct options *o, const struct db *db)
{
	char path[CONF_PATH_MAX];
	int rc = 1;

	if (o->events && !has_folder(o->events)) {
		complain("--events: %s: there is no such folder", o->events);
		return STATUS_FAILED;
	}
	if (!o->events)
		rc = o->no_events ? 0 : events_find(path, sizeof(path));
	if (rc > 0 && !o->events)
		rc = may_be_shown(db, path);
	if (rc < 1)
		return rc ? STATUS_FAILED : STATUS_OK;
	if (db_run(db, "BEGIN IMMEDIATE") < 0)
		return STATUS_FAILED;
	rc = evictions_take(db, o->events ? o->events : path, o->keep.events);
	if (db_run(db, rc < 0 ? "ROLLBACK" : "COMMIT") < 0 || rc < 0)
		return STATUS_FAILED;
	return STATUS_OK;
}

/* As a service it is opened each time: another program may have taken the file
 * away, or have moved a backup to its place. */
static int record_once(const struct options *o)
{
	struct db db = { .error = NULL };
	int status = STATUS_FAILED;

	if (db_open(&db, o->path, true, BUSY_MS) < 0)
		return status;
	if (!db_run(&db, "BEGIN IMMEDIATE")) {
		status = reading_take(o, &db);
		if (db_run(&db, status ? "ROLLBACK" : "COMMIT") < 0)
			status = STATUS_FAILED;
	}
	if (!status)
		status = events_take(o, &db);
	db_close(&db);
	return status;
}

static bool options_check(const struct options *o)
{
	if (o->again && !o->every)
		return complain("--every=0: at least 1 second");
	if (o->events && o->no_events)
		return complain("--events and --no-events exclude each other");
	for (int level = 0; level <= SPAN_LEVELS; level++)
		if ((level < SPAN_LEVELS ? o->keep.days[level] : o->keep.events) > DAYS_MAX)
			return complain("more than %d days: 0 would be for ever", DAYS_MAX);
	return true;
}

int cmd_record(int argc, char **argv)
{
	struct options o = {
		.path = DB_DEFAULT, .keep = { { 7, 92, 0 }, 366 },
	};
	struct call call;
	int status;

	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
	if (!options_check(&o))
		return STATUS_USAGE;
	/* once: it may be a typing error */
	if (o.events && are_missing(o.events) && has_folder(o.events))
		complain("--events: %s: there is no such file; slurmctld makes it with the first "
			 "eviction", o.events);
	status = record_once(&o);
	/* A service goes on: slurmctld may come later. */
	while (o.again) {
		struct timespec pause = { .tv_sec = (time_t) o.every };

		nanosleep(&pause, NULL);
		record_once(&o);
	}
	return status;
}
