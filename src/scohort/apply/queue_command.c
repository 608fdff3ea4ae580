/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_command.c - scohort hold, drain, resume, set: one value of cohort.yaml
 * is changed and put in force
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apply/apply.h"
#include "apply/edit.h"
#include "cli/options.h"
#include "ledger/config_state.h"
#include "output/exit_status.h"
#include "slurm/conf_path.h"
#include "value/times.h"
#include "yaml/file.h"

/* The new text for what is in the file; NULL with a message in err */
typedef char *(*edit_f)(const char *text, char **args, const char *value,
			char *err, size_t size);

static char *policy_edit(const char *text, char **args, const char *policy,
			 char *err, size_t size)
{
	return edit_stop_policy(text, args[0], policy, err, size);
}

/* "2026-12-15", "2026-12-15T08:00", "now+4h". -1 with a message in err */
static int until_parse(const char *text, time_t now, time_t *until, char *err,
		       size_t size)
{
	struct wall wall;
	char why[160];
	int64_t ns;

	if (!strncmp(text, "now+", 4)) {
		if (duration_parse(text + 4, &ns, why, sizeof(why)) < 0) {
			snprintf(err, size, "--until: \"%s\" %s", text, why);
			return -1;
		}
		*until = now + ns / SPEC_SEC;
	} else if (moment_parse(text, &wall) < 0 || wall.weekly) {
		snprintf(err, size, "--until: \"%s\" is not a time "
			 "(2026-12-15T08:00, or now+4h, would be right)", text);
		return -1;
	} else {
		*until = wall_time(wall.seconds);
	}
	if (*until > now)
		return 0;
	snprintf(err, size, "--until: %s is past", text);
	return -1;
}

static char *temporary_edit(const char *text, char **args,
			    const char *resource, const char *amount,
			    const char *until, char *err, size_t size)
{
	struct temporary_edit t = {
		.queue = args[0], .flavor = args[1], .resource = resource,
		.amount = amount, .begin = time(NULL),
	};

	if (until_parse(until, t.begin, &t.end, err, size) < 0)
		return NULL;
	return edit_temporary_quota(text, &t, err, size);
}

/* QUEUE FLAVOR RESOURCE=AMOUNT; until: NULL for good */
static char *quota_edit(const char *text, char **args, const char *until,
			char *err, size_t size)
{
	char *resource = strdup(args[2]), *amount, *new = NULL;

	amount = resource ? strchr(resource, '=') : NULL;
	if (amount) {
		*amount++ = '\0';
		new = until ? temporary_edit(text, args, resource, amount,
					     until, err, size)
			    : edit_nominal_quota(text, args[0], args[1],
						 resource, amount, err, size);
	} else {
		snprintf(err, size, "\"%s\" is not RESOURCE=AMOUNT, like "
			 "gres/gpu=16", args[2]);
	}
	free(resource);
	return new;
}

/* Ends in '\0'. NULL with a message: it cannot be read, or is not in force, so
 * that a change of it would bring others with it. */
static char *text_in_force(const char *path, const struct published *p,
			   char *err, size_t size)
{
	size_t len;
	char *text, *grown;

	if (!config_is_in_force(p->document, time(NULL), err, size))
		return NULL;
	text = file_read(path, &len);
	grown = text ? realloc(text, len + 1) : NULL;
	if (!grown) {
		snprintf(err, size, "%s: %s", path, strerror(errno));
		free(text);
		return NULL;
	}
	grown[len] = '\0';
	return grown;
}

static int new_apply(const char *old, const char *new, const char *path,
		     const struct published *p,
		     const struct controller *controller, const char *command)
{
	struct conf *from = conf_read_text(path, old, strlen(old), NULL, NULL);
	struct conf *to = conf_read_text(path, new, strlen(new), NULL, NULL);
	struct json_object *diff = NULL;
	struct output out;
	char err[256];
	int status = STATUS_FAILED;

	output_init(&out);
	if (from && to)
		diff = diff_make(from, to, p, err, sizeof(err));
	if (diff)
		diff_print(&out, diff);
	fflush(stdout);
	if (!file_holds(path, old, strlen(old)))
		stderr_line("%s: %s was changed by others meanwhile; nothing "
			    "was changed", command, path);
	else
		status = strcmp(old, new) ? apply_text(new, strlen(new), old, p,
						       controller, command)
					  : STATUS_OK;
	json_object_put(diff);
	conf_destroy(from);
	conf_destroy(to);
	return status;
}

static int file_edit(const struct call *call, edit_f edit, const char *value,
		     const struct published *p,
		     const struct controller *controller, const char *command)
{
	char path[CONF_PATH_MAX], err[PATH_MAX + 1024], *old, *new = NULL;
	int status = STATUS_FAILED;

	conf_path("cohort.yaml", path, sizeof(path));
	old = text_in_force(path, p, err, sizeof(err));
	if (old)
		new = edit(old, call->args, value, err, sizeof(err));
	if (new)
		status = new_apply(old, new, path, p, controller, command);
	else
		stderr_line("%s: %s", command, err);
	free(old);
	free(new);
	return status;
}

struct set_options {
	const char *until;
};

/* policy: NULL for set, which has its value as an option */
static int command_run(const struct cli *cli, int argc, char **argv,
		       edit_f edit, const char *policy)
{
	struct set_options o = { NULL };
	struct controller controller;
	struct published p;
	struct call call;
	int status;

	if (!cli_parse(cli, argc, argv, &o, &call))
		return call.status;
	if (!apply_begin(argv[0]))
		return STATUS_FAILED;
	status = published_open_live(&p, &controller, argv[0]);
	if (!status)
		status = file_edit(&call, edit, policy ? policy : o.until, &p,
				   &controller, argv[0]);
	published_close(&p);
	controller_close(&controller);
	return status;
}

#define AS_APPLY "The file is changed there only, and put in force as apply " \
	"does.\n"

int cmd_hold(int argc, char **argv)
{
	static const struct cli cli = {
		.operands = "QUEUE", .min = 1, .max = 1,
		.about = "Starts no more jobs of QUEUE; what runs goes on "
			 "(stopPolicy: Hold).\n" AS_APPLY,
	};

	return command_run(&cli, argc, argv, policy_edit, "Hold");
}

int cmd_drain(int argc, char **argv)
{
	static const struct cli cli = {
		.operands = "QUEUE", .min = 1, .max = 1,
		.about = "Starts no more jobs of QUEUE, and evicts those that "
			 "run (stopPolicy: HoldAndDrain).\n" AS_APPLY,
	};

	return command_run(&cli, argc, argv, policy_edit, "HoldAndDrain");
}

int cmd_resume(int argc, char **argv)
{
	static const struct cli cli = {
		.operands = "QUEUE", .min = 1, .max = 1,
		.about = "Starts jobs of QUEUE again (stopPolicy: None).\n"
			 AS_APPLY,
	};

	return command_run(&cli, argc, argv, policy_edit, "None");
}

int cmd_set(int argc, char **argv)
{
	static const struct cli_option options[] = {
		{ "until", 'u', "TIME", "from now until TIME only: "
		  "2026-12-15T08:00, now+4h", CLI_TEXT,
		  offsetof(struct set_options, until), 0 },
		{ .name = NULL }
	};
	static const struct cli cli = {
		.operands = "QUEUE FLAVOR RESOURCE=AMOUNT", .min = 3, .max = 3,
		.about = "Changes nominalQuota of QUEUE. With --until it comes "
			 "back by itself\n(temporaryQuota).\n" AS_APPLY,
		.options = options,
	};

	return command_run(&cli, argc, argv, quota_edit, NULL);
}
