/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apply.c - scohort apply: another cohort.yaml is put in force
 *
 * slurmctld publishes which text it has taken or rejected; scontrol reconfigure
 * alone returns 0 in both cases.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apply/apply.h"
#include "check/acceptable.h"
#include "cli/options.h"
#include "input/json_members.h"
#include "lib/hash.h"
#include "output/exit_status.h"
#include "slurm/api.h"
#include "slurm/conf_path.h"
#include "slurm/timed_call.h"
#include "yaml/file.h"

#define SECONDS_MAX 60		/* until slurmctld has read it and said so */
#define POLL_NS 200000000

/* ---- slurmctld reads it ---- */

static void reconfigure(void *arg)
{
	int *error = arg;

	*error = slurm_reconfigure() ? errno : 0;
}

/* The text that slurmctld has read last, as it publishes it */
static void hash_text(const char *text, size_t len, char *buf, size_t size)
{
	snprintf(buf, size, "%016" PRIx64, hash_bytes(HASH_INIT, text, len));
}

/* 1: in force; 0: not yet; -1: rejected after `since`, and err says why */
static int answer_look(const struct controller *controller, const char *hash,
		       int64_t reading, char *err, size_t size)
{
	char ignored[PATH_MAX + 256];
	struct published p;
	struct json_object *c;
	int rc = 0;

	if (!published_open(&p, controller, ignored, sizeof(ignored))) {
		c = json_member(p.document, "configuration");
		if (json_number(c, "reading") == reading)
			rc = 0;
		else if (!json_truth(c, "valid"))
			rc = -1;
		else if (!strcmp(json_text(c, "hash"), hash))
			rc = 1;
		if (rc < 0)
			snprintf(err, size, "slurmctld rejected it: %s",
				 json_text(c, "error"));
	}
	published_close(&p);
	return rc;
}

/* Has slurmctld read cohort.yaml, and waits until this text is in force. False:
 * it is not, err says why. */
static bool text_take(const char *text, size_t len,
		      const struct controller *controller, int64_t reading,
		      char *err, size_t size)
{
	/* a call that took too long may still return later */
	static int error;
	struct timespec pause = { .tv_nsec = POLL_NS };
	time_t end = time(NULL) + SECONDS_MAX;
	char hash[20];
	int rc = 0;

	hash_text(text, len, hash, sizeof(hash));
	if (!timed_call(reconfigure, &error, SECONDS_MAX)) {
		snprintf(err, size, "scontrol reconfigure takes longer than "
			 "%d seconds", SECONDS_MAX);
		return false;
	}
	if (error) {
		snprintf(err, size, "scontrol reconfigure: %s",
			 slurm_strerror(error));
		return false;
	}
	while (!(rc = answer_look(controller, hash, reading, err, size))
	       && time(NULL) < end)
		nanosleep(&pause, NULL);
	if (!rc)
		snprintf(err, size, "slurmctld has not taken it in %d seconds",
			 SECONDS_MAX);
	return rc > 0;
}

/* ---- in place, and back ---- */

static int64_t reading_of(const struct controller *controller)
{
	char ignored[PATH_MAX + 256];
	struct published p;
	int64_t reading = 0;

	if (!published_open(&p, controller, ignored, sizeof(ignored)))
		reading = json_number(json_member(p.document, "configuration"),
				    "reading");
	published_close(&p);
	return reading;
}

static void put_back(const char *path, const char *new, size_t len,
		     const struct kept *old, const struct controller *controller, const char *command)
{
	int64_t reading = reading_of(controller);
	char err[PATH_MAX + 1024];

	if (!file_holds(path, new, len)) {
		stderr_line("%s: %s was changed by others meanwhile: what they "
			    "wrote stays; the file before is %s", command, path,
			    old->path);
		return;
	}
	if (install_text(path, NULL, old->text, old->len, err, sizeof(err)))
		stderr_line("%s: the old file cannot be put back: %s", command,
			    err);
	else if (!text_take(old->text, old->len, controller, reading, err,
			    sizeof(err)))
		stderr_line("%s: the old file is in its place again, but %s",
			    command, err);
	else
		stderr_line("%s: the old file is in its place again, and in "
			    "force", command);
}

static int text_apply(const char *path, const char *text, size_t len,
		      const struct kept *old, const struct published *p,
		      const struct controller *controller,
		      const char *command)
{
	int64_t reading = json_number(json_member(p->document, "configuration"),
				    "reading");
	char err[PATH_MAX + 1024];

	if (install_text(path, old, text, len, err, sizeof(err))) {
		stderr_line("%s: %s; nothing was changed", command, err);
		return STATUS_FAILED;
	}
	if (text_take(text, len, controller, reading, err, sizeof(err))) {
		printf("%s is in force; the old file is %s\n", path,
		       old->path);
		return STATUS_OK;
	}
	stderr_line("%s: %s", command, err);
	put_back(path, text, len, old, controller, command);
	return STATUS_FAILED;
}

int apply_text(const char *text, size_t len, const char *in_force,
	       const struct published *p, const struct controller *controller,
	       const char *command)
{
	char path[CONF_PATH_MAX], keep[CONF_PATH_MAX + 8], *disk;
	struct kept old = { .path = keep };
	int status = STATUS_FAILED;

	conf_path("cohort.yaml", path, sizeof(path));
	snprintf(keep, sizeof(keep), "%s.old", path);
	disk = file_read(path, &old.len);
	old.text = disk;
	if (disk && in_force && old.len == len && !memcmp(disk, text, len)) {
		if (!strcmp(in_force, text)) {
			printf("%s is in force already\n", path);
			free(disk);
			return STATUS_OK;
		}
		old.text = in_force;
		old.len = strlen(in_force);
	}
	if (!json_member(p->document, "configuration"))
		stderr_line("%s: slurmctld does not tell which configuration "
			    "is in force", command);
	else if (!disk)
		stderr_line("%s: %s: %s", command, path, strerror(errno));
	else
		status = text_apply(path, text, len, &old, p, controller,
				    command);
	free(disk);
	return status;
}

/* ---- the command ---- */

static const struct cli cli = {
	.operands = "FILE", .min = 1, .max = 1,
	.about = "Checks FILE, shows what it would change, puts it in the place "
		 "of the cohort.yaml\nbeside slurm.conf, keeps the old one as "
		 "cohort.yaml.old, and waits until it is in force.\nIf "
		 "slurmctld does not take it, the old one is put back.\n",
	.output = CLI_PLAIN,
};

static int file_apply(const struct call *call, const struct published *p,
		      const struct controller *controller,
		      const char *command)
{
	struct conf *to = acceptable_load(call->args[0], controller);
	struct conf *from = NULL;
	struct json_object *diff = NULL;
	char err[PATH_MAX + 256];
	int status = STATUS_FAILED;

	if (to)
		from = diff_in_force(p, controller, err, sizeof(err));

	if (from)
		diff = diff_make(from, to, p, err, sizeof(err));
	if (diff)
		diff_print(&call->out, diff);
	else if (to)
		stderr_line("%s: %s", command, err);
	fflush(call->out.file);
	if (to)
		status = apply_text(to->source, strlen(to->source),
				    from ? from->source : NULL, p, controller,
				    command);
	json_object_put(diff);
	conf_destroy(from);
	conf_destroy(to);
	return status;
}

int cmd_apply(int argc, char **argv)
{
	struct controller controller;
	struct published p;
	struct call call;
	int status;

	if (!cli_parse(&cli, argc, argv, NULL, &call))
		return call.status;
	if (!apply_begin(argv[0]))
		return STATUS_FAILED;
	status = published_open_live(&p, &controller, argv[0]);
	if (!status)
		status = file_apply(&call, &p, &controller, argv[0]);
	published_close(&p);
	controller_close(&controller);
	return status;
}
