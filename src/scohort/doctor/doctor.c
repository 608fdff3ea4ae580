/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.c - scohort doctor: is all well with slurm-cohort on this cluster?
 *
 * Asks slurmctld, reads cohort.yaml and what is published, and then goes through a table of
 * looks. What a look needs and is not there, keeps it from being made, and is said.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "config.h"
#include "doctor/doctor.h"
#include "input/json_members.h"
#include "output/exit_status.h"

#define DATABASE "/var/lib/slurm-cohort/history.db"	/* DB_DEFAULT, also without SQLite */

/* ---- what is looked at ---- */

enum need {
	NEED_CONTROLLER = 1,	/* slurmctld has answered */
	NEED_FILE = 2,		/* cohort.yaml has no errors */
	NEED_CLUSTER = 4,	/* its nodes, partitions and jobs are known */
	NEED_PUBLISHED = 8,	/* what slurmctld publishes can be read */
	LOADED = 16,		/* only where slurmctld has slurm-cohort */
};

#define RULES (NEED_FILE | NEED_CONTROLLER)
#define CLUSTER (NEED_FILE | NEED_CONTROLLER | NEED_CLUSTER)
#define OURS (LOADED | NEED_CONTROLLER)
#define PUBLISHED (OURS | NEED_PUBLISHED)

static const struct look {
	const char *group, *name;
	unsigned needs;
	void (*look)(struct doctor *d);
} looks[] = {
	{ "Slurm", "PreemptType", NEED_CONTROLLER, look_plugins },
	{ "Slurm", "PluginDir", NEED_CONTROLLER, look_slurm_conf },
	{ "Slurm", "PreemptMode", NEED_CONTROLLER, look_preempt_mode },
	{ "Slurm", "other settings", NEED_CONTROLLER, look_settings },
	{ "Slurm", "SchedulerParameters", NEED_CONTROLLER, look_parameters },
	{ "Slurm", "memory", CLUSTER, look_memory },
	{ "Slurm", "bf_window", CLUSTER, look_window },
	{ "Rules", "accounts, QOS and users", RULES, look_accounts },
	{ "Rules", "policies", RULES, look_policies },
	{ "Rules", "min-runtimes and turns", CLUSTER, look_times },
	{ "Rules", "evictions without end", NEED_FILE, look_mutual },
	{ "Jobs", "jobs outside all queues", CLUSTER, look_outside },
	{ "In force", "enforcement", PUBLISHED, look_enforcement },
	{ "In force", "the file", PUBLISHED, look_in_force },
	{ "In force", "what slurmctld publishes", PUBLISHED, look_fresh },
	{ "For users", "who can read that", NEED_CONTROLLER, look_readable },
	{ "For users", "scohort record", OURS, look_recorder },
};

#define NLOOKS (sizeof(looks) / sizeof(*looks))

/* Why a look can't be made; NULL: it can */
static const char *hindrance(const struct doctor *d, unsigned needs)
{
	if ((needs & NEED_CONTROLLER) && *d->no_controller)
		return d->no_controller;
	if ((needs & NEED_FILE) && *d->no_file)
		return d->no_file;
	if ((needs & NEED_CLUSTER) && *d->file.err)
		return d->file.err;
	if ((needs & NEED_PUBLISHED) && *d->no_published)
		return d->no_published;
	return NULL;
}

/* After the look itself. What is well is told with its value, if it is a setting. */
static void look_count(struct doctor *d, const char *name, size_t before)
{
	char value[1024];

	d->looks++;
	if (d->said != before)
		return;
	controller_setting(&d->controller, name, value, sizeof(value));
	found(d, SEVERITY_OK, name, "%s", value);
}

static void looks_make(struct doctor *d)
{
	for (const struct look *l = looks; l < looks + NLOOKS; l++) {
		const char *why = hindrance(d, l->needs);
		size_t before = d->said;

		d->group = l->group;
		/* about our plugins, and slurmctld has none */
		if ((l->needs & LOADED) && !d->loaded && !*d->no_controller)
			continue;
		if (why) {
			found_unknown(d, l->name, why);
		} else {
			l->look(d);
			look_count(d, l->name, before);
		}
	}
}

/* ---- what is known ---- */

static void controller_find(struct doctor *d)
{
	char path[CONF_PATH_MAX];

	conf_path("slurm.conf", path, sizeof(path));
	if (access(path, R_OK))
		snprintf(d->no_controller, sizeof(d->no_controller), "%.200s: %s", path,
			 strerror(errno));
	else
		(void) controller_open(&d->controller, d->no_controller,
				       sizeof(d->no_controller));
	d->loaded = d->controller.preempt_type
		    && !strcmp(d->controller.preempt_type, COHORT_PLUGIN);
}

/* What scohort check says is a look, too. */
static void file_find(struct doctor *d)
{
	size_t before = d->said;

	if (access(d->path, R_OK)) {
		snprintf(d->no_file, sizeof(d->no_file), "%s: %s", d->path, strerror(errno));
		found_unknown(d, "cohort.yaml", d->no_file);
		return;
	}
	d->group = "cohort.yaml";
	checked_load(&d->file, d->path, d->in_place, found_in_file, d);
	checked_judge(&d->file, d->path, d->in_place, *d->no_controller ? NULL : &d->controller,
		      found_in_file, d);
	if (!d->file.conf)
		snprintf(d->no_file, sizeof(d->no_file), "%s has errors", d->path);
	else if (!d->file.asked && !*d->file.err)
		snprintf(d->file.err, sizeof(d->file.err), "%s", d->no_controller);
	look_count(d, "scohort check", before);
}

static void doctor_see(struct doctor *d)
{
	d->findings = json_object_new_array();
	d->unknown = json_object_new_array();
	d->now = (int64_t) time(NULL);
	d->root = !geteuid();
	controller_find(d);
	file_find(d);
	if (!*d->no_controller)
		(void) published_open(&d->published, &d->controller, d->no_published,
				      sizeof(d->no_published));
	looks_make(d);
}

/* ---- the command ---- */

static const struct cli_option options[] = {
	{ "verbose", 'v', NULL, "list what is well, too", CLI_FLAG,
	  offsetof(struct doctor, verbose), 0 },
	{ "db", 0, "FILE", "the database of scohort record (" DATABASE ")", CLI_TEXT,
	  offsetof(struct doctor, db), 0 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "[FILE]", .max = 1, .options = options,
	.about = "Looks at slurmctld, at FILE (default: cohort.yaml beside $SLURM_CONF, or\n"
		 COHORT_SLURM_SYSCONFDIR "/cohort.yaml), at jobs and at what is published, "
		 "and\nsays what is wrong and what to do. Exit status 0: nothing has to be done; "
		 "1: there are\nerrors or warnings; 2: there are none, but slurmctld, FILE or what "
		 "is published\ncould not be looked at.\n",
	.output = CLI_DATA,
};

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_ino == y.st_ino && x.st_dev == y.st_dev;
}

static int status_of(const struct doctor *d)
{
	if (d->counts[SEVERITY_ERROR] || d->counts[SEVERITY_WARNING])
		return STATUS_FAILED;
	return *d->no_controller || *d->no_file || (d->loaded && *d->no_published)
	       ? STATUS_USAGE : STATUS_OK;
}

int cmd_doctor(int argc, char **argv)
{
	struct doctor d = { .db = DATABASE };
	char beside[CONF_PATH_MAX];
	struct json_object *document;
	struct call call;
	int status;

	if (!cli_parse(&cli, argc, argv, &d, &call))
		return call.status;
	conf_path("cohort.yaml", beside, sizeof(beside));
	d.in_place = !call.nargs || is_same_file(call.args[0], beside);
	d.path = d.in_place ? beside : call.args[0];
	doctor_see(&d);
	document = findings_document(&d);
	if (output_is_data(&call.out))
		output_document(&call.out, document);
	else
		findings_print(&d, &call.out);
	json_object_put(document);
	status = status_of(&d);
	json_object_put(d.findings);
	json_object_put(d.unknown);
	published_close(&d.published);
	checked_free(&d.file);
	controller_close(&d.controller);
	return status;
}
