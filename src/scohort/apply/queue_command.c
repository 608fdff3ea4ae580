/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_command.c - scohort hold, drain, resume, set: one value of cohort.yaml
 * is changed and put in force
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apply/apply.h"
#include "apply/edit.h"
#include "cli/options.h"
#include "ledger/config_state.h"
#include "output/exit_status.h"
#include "slurm/conf_path.h"
#include "yaml/file.h"

/* The new text for what is in the file; NULL with a message in err */
typedef char *(*edit_f)(const char *text, char **args, const char *policy,
			char *err, size_t size);

static char *policy_edit(const char *text, char **args, const char *policy,
			 char *err, size_t size)
{
	return edit_stop_policy(text, args[0], policy, err, size);
}

/* QUEUE FLAVOR RESOURCE=AMOUNT */
static char *quota_edit(const char *text, char **args, const char *policy,
			char *err, size_t size)
{
	char *resource = strdup(args[2]), *amount, *new = NULL;

	(void) policy;
	amount = resource ? strchr(resource, '=') : NULL;
	if (amount) {
		*amount++ = '\0';
		new = edit_nominal_quota(text, args[0], args[1], resource,
					 amount, err, size);
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
	int status;

	output_init(&out);
	if (from && to)
		diff = diff_make(from, to, p, err, sizeof(err));
	if (diff)
		diff_print(&out, diff);
	fflush(stdout);
	status = strcmp(old, new) ? apply_text(new, strlen(new), old, p,
					       controller, command)
				  : STATUS_OK;
	json_object_put(diff);
	conf_destroy(from);
	conf_destroy(to);
	return status;
}

static int file_edit(const struct call *call, edit_f edit, const char *policy,
		     const struct published *p,
		     const struct controller *controller, const char *command)
{
	char path[CONF_PATH_MAX], err[PATH_MAX + 1024], *old, *new = NULL;
	int status = STATUS_FAILED;

	conf_path("cohort.yaml", path, sizeof(path));
	old = text_in_force(path, p, err, sizeof(err));
	if (old)
		new = edit(old, call->args, policy, err, sizeof(err));
	if (new)
		status = new_apply(old, new, path, p, controller, command);
	else
		stderr_line("%s: %s", command, err);
	free(old);
	free(new);
	return status;
}

static int command_run(const struct cli *cli, int argc, char **argv,
		       edit_f edit, const char *policy)
{
	struct controller controller;
	struct published p;
	struct call call;
	int status;

	if (!cli_parse(cli, argc, argv, NULL, &call))
		return call.status;
	status = published_open_live(&p, &controller, argv[0]);
	if (!status)
		status = file_edit(&call, edit, policy, &p, &controller,
				   argv[0]);
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
	static const struct cli cli = {
		.operands = "QUEUE FLAVOR RESOURCE=AMOUNT", .min = 3, .max = 3,
		.about = "Changes nominalQuota of QUEUE.\n" AS_APPLY,
	};

	return command_run(&cli, argc, argv, quota_edit, NULL);
}
