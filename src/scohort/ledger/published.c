/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * published.c - finding and reading the file that the plugin publishes
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conf.h"
#include "input/json_members.h"
#include "ledger/published.h"
#include "lib/sat.h"
#include "model/model.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "output/text.h"
#include "slurm/conf_path.h"

#define DEFAULT_NAME "cohort_status.json"
#define VERSION 1

/* ---- where it is ---- */

struct conf *local_conf_load(void)
{
	char path[CONF_PATH_MAX];

	return conf_load(conf_path("cohort.yaml", path, sizeof(path)), NULL, NULL);
}

/* visibility.publish of the cohort.yaml here, or NULL */
static char *path_from_conf(void)
{
	struct conf *conf = local_conf_load();
	char *found = NULL;

	if (conf && conf->publish)
		found = strdup(conf->publish);
	conf_destroy(conf);
	return found;
}

static char *path_find(const struct controller *controller)
{
	const char *env = getenv("SCOHORT_PUBLISH");
	char *path;

	if (env && *env)
		return strdup(env);
	path = path_from_conf();
	if (path)
		return path;
	if (asprintf(&path, "%s/" DEFAULT_NAME, controller->state_dir) < 0)
		return NULL;
	return path;
}

/* ---- can slurmctld have written it? ----
 *
 * What the commands rely on: lists hold objects, cohorts have names of their own and form
 * trees. The owner of the file is not checked, so its shape is. */

static const char *const lists[] = {
	"flavors", "cohorts", "clusterQueues", "asked",
};

static bool items_are_objects(struct json_object *document, char *err, size_t size)
{
	for (size_t l = 0; l < sizeof(lists) / sizeof(*lists); l++)
		for (size_t i = 0; i < json_items(document, lists[l]); i++) {
			if (json_object_is_type(json_item(document, lists[l], i), json_type_object))
				continue;
			snprintf(err, size, "%s[%zu] is not an object", lists[l], i);
			return false;
		}
	return true;
}

/* Cohorts by name; NULL with a message if two have one name, or one has none */
static struct json_object *cohorts_by_name(struct json_object *document, char *err, size_t size)
{
	struct json_object *by_name = json_object_new_object();

	for (size_t i = 0; i < json_items(document, "cohorts"); i++) {
		struct json_object *c = json_item(document, "cohorts", i);
		const char *name = json_text(c, "name");

		if (*name && !json_member(by_name, name)) {
			json_object_object_add(by_name, name, json_object_get(c));
			continue;
		}
		snprintf(err, size, *name ? "cohorts[%zu] has the name of "
			 "another" : "cohorts[%zu] has no name", i);
		json_object_put(by_name);
		return NULL;
	}
	return by_name;
}

static bool cohorts_are_trees(struct json_object *document, char *err, size_t size)
{
	struct json_object *by_name = cohorts_by_name(document, err, size);
	bool good = by_name != NULL;

	for (size_t i = 0; good && i < json_items(document, "cohorts"); i++) {
		struct json_object *c = json_item(document, "cohorts", i);
		int depth = 0;

		while (c && depth++ < COHORT_LEVELS_MAX)
			c = json_member(by_name, json_text(c, "parent"));
		good = !c;
		if (!good)
			snprintf(err, size, "cohorts[%zu] is below itself, or more than %d levels "
				 "deep", i, COHORT_LEVELS_MAX);
	}
	json_object_put(by_name);
	return good;
}

/* ---- reading ---- */

static int fail(const char *path, int error, char *err, size_t size)
{
	const char *hint = "";

	if (error == EACCES)
		hint = "; an administrator can set visibility.publish in cohort.yaml to a file "
		       "that you may read";
	else if (error == ENOENT)
		hint = "; if slurmctld runs on another host, set visibility.publish in "
		       "cohort.yaml, or SCOHORT_PUBLISH, to a file that this host can read";
	snprintf(err, size, "%s: %s%s", path, strerror(error), hint);
	return error == EACCES ? STATUS_DENIED : STATUS_FAILED;
}

int published_open(struct published *p, const struct controller *controller, char *err, size_t size)
{
	char wrong[256];
	int fd;

	*p = (struct published) { .path = path_find(controller) };
	fd = p->path ? open(p->path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return fail(p->path ? p->path : DEFAULT_NAME, errno, err, size);
	(void) fstat(fd, &p->file);
	p->document = json_object_from_fd(fd);
	close(fd);
	if (json_number(p->document, "version") != VERSION)
		snprintf(err, size, "%s: is not of version %d", p->path, VERSION);
	else if (!items_are_objects(p->document, wrong, sizeof(wrong))
		 || !cohorts_are_trees(p->document, wrong, sizeof(wrong)))
		snprintf(err, size, "%s: %s; slurmctld did not write this", p->path, wrong);
	else
		return STATUS_OK;
	json_object_put(p->document);
	p->document = NULL;
	return STATUS_FAILED;
}

int published_open_alone(struct published *p, char *err, size_t size)
{
	char state_dir[PATH_MAX];
	const struct controller here = { .state_dir = state_dir };

	if (!conf_value("StateSaveLocation", state_dir, sizeof(state_dir), NULL))
		strcpy(state_dir, "/var/spool");	/* Slurm's default */
	return published_open(p, &here, err, size);
}

void published_close(struct published *p)
{
	json_object_put(p->document);
	free(p->path);
	memset(p, 0, sizeof(*p));
}

int published_open_live(struct published *p, struct controller *controller)
{
	char err[PATH_MAX + 256];
	int status = controller_open_cohort(controller);
	int64_t written;

	memset(p, 0, sizeof(*p));
	if (status)
		return status;
	status = published_open(p, controller, err, sizeof(err));
	if (status) {
		complain("%s", err);
		return status;
	}
	written = json_number(p->document, "time");
	if (written < controller->boot_time)
		complain("%s was written at %s, before slurmctld started", p->path,
			 text_date(TEXT_BUF, written));
	return STATUS_OK;
}

/* ---- the configuration ---- */

/* since: from when the configuration is that is in force, or 0 */
static void rejected_say(struct json_object *c, int64_t since, int64_t now, char *buf, size_t size)
{
	int64_t others = sat_sub(json_number(c, "errors"), 1);

	snprintf(buf, size, "%s is not in force. slurmctld rejected it at %s: %s",
		 json_text(c, "file"), text_time(TEXT_BUF, json_number(c, "rejectedAt"), now),
		 json_text(c, "error"));
	if (others > 0)
		text_append(buf, size, " (and %ld more error%s)", (long) others, text_s(others));
	if (since)
		text_append(buf, size, ". The configuration of %s is in force.",
			    text_time(TEXT_BUF, since, now));
	else
		text_append(buf, size, ". There was no valid one before: all jobs are scheduled "
			    "without quota.");
	if (!strcmp(json_text(c, "onDisk"), "changed"))
		text_append(buf, size, " The file has changed since: run scohort check, then "
			    "scontrol reconfigure.");
}

bool config_is_in_force(struct json_object *document, int64_t now, char *buf, size_t size)
{
	struct json_object *c = json_member(document, "configuration");
	const char *on_disk = json_text(c, "onDisk"), *file = json_text(c, "file");
	int64_t since = json_number(c, "since");

	if (!c)
		return true;
	if (!json_truth(c, "valid"))
		rejected_say(c, since, now, buf, size);
	else if (!strcmp(on_disk, "changed"))
		snprintf(buf, size, "%s has changed since slurmctld read it. The configuration of "
			 "%s is in force: run scohort check, then scontrol reconfigure.", file,
			 text_time(TEXT_BUF, since, now));
	else if (!strcmp(on_disk, "missing"))
		snprintf(buf, size, "%s is missing. The configuration of %s is in force.", file,
			 text_time(TEXT_BUF, since, now));
	else
		return true;
	return false;
}
