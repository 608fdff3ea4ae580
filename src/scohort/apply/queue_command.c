/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_command.c - scohort hold, drain, resume, set: one value of cohort.yaml
 * is changed and put in force
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apply/apply.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "ledger/published.h"
#include "must.h"
#include "output/exit_status.h"
#include "value/times.h"
#include "yaml/file.h"

/* "2026-12-15", "2026-12-15T08:00", "now+4h". False after a message */
static bool until_parse(const char *text, time_t now, time_t *until)
{
	struct wall wall;
	char why[160];
	int64_t ns;

	if (!strncmp(text, "now+", 4)) {
		if (duration_parse(text + 4, &ns, why, sizeof(why)) < 0)
			return complain("--until: \"%s\" %s", text, why);
		*until = now + ns / SPEC_SEC;
	} else if (moment_parse(text, &wall) < 0 || wall.weekly) {
		return complain("--until: \"%s\" is not a time (2026-12-15T08:00, or now+4h, "
				"would be right)", text);
	} else {
		*until = wall_time(wall.seconds);
	}
	return *until > now || complain("--until: %s is past", text);
}

/* FLAVOR RESOURCE=AMOUNT behind the queue; until: NULL for good. False after a message */
static bool quota_parse(struct edit_ask *ask, char **args, const char *until)
{
	char *amount = strchr(args[2], '=');

	if (!amount)
		return complain("\"%s\" is not RESOURCE=AMOUNT, like gres/gpu=16", args[2]);
	*amount++ = '\0';
	ask->flavor = args[1];
	ask->resource = args[2];
	ask->amount = amount;
	ask->begin = time(NULL);
	return !until || until_parse(until, ask->begin, &ask->end);
}

static int new_apply(const struct apply *a, const char *old, const char *new)
{
	struct conf *from = conf_read_text(a->path, old, strlen(old), NULL, NULL);
	struct conf *to = conf_read_text(a->path, new, strlen(new), NULL, NULL);

	apply_diff(a, from, to);
	conf_destroy(from);
	conf_destroy(to);
	if (!file_holds(a->path, &(struct text) { old, strlen(old) })) {
		complain("%s was changed by others meanwhile; nothing was changed",
			 a->path);
		return STATUS_FAILED;
	}
	return strcmp(old, new) ? apply_text(a, new, old) : STATUS_OK;
}

/* policy: NULL for set, which has its quota in the arguments. A text on disk that is not in
 * force is not changed: that would bring other changes with it. */
static int file_edit(const struct apply *a, char **args, const char *policy, const char *until)
{
	struct edit_ask ask = { .queue = args[0], .policy = policy };
	char err[PATH_MAX + 1024], *text, *old, *new = NULL;
	int status = STATUS_FAILED;
	size_t len;

	if (!config_is_in_force(a->p.document, time(NULL), err, sizeof(err))) {
		complain("%s", err);
		return STATUS_FAILED;
	}
	text = file_read(a->path, &len);
	if (!text) {
		complain("%s: %s", a->path, strerror(errno));
		return STATUS_FAILED;
	}
	old = must_format("%.*s", (int) len, text);
	if (policy || quota_parse(&ask, args, until))
		new = edit_text(old, &ask);
	if (new)
		status = new_apply(a, old, new);
	free(text);
	free(old);
	free(new);
	return status;
}

struct set_options {
	const char *until;
};

static int command_run(const struct cli *cli, int argc, char **argv, const char *policy)
{
	struct set_options o = { NULL };
	struct apply a;
	struct call call;
	int status;

	if (!cli_parse(cli, argc, argv, &o, &call))
		return call.status;
	status = apply_open(&a);
	if (!status)
		status = file_edit(&a, call.args, policy, o.until);
	apply_close(&a);
	return status;
}

#define AS_APPLY "The file is changed there only, and put in force as apply does.\n"

#define ONE_QUEUE .operands = "QUEUE", .min = 1, .max = 1

int cmd_stop_policy(int argc, char **argv)
{
	static const struct {
		const char *name, *policy;
		struct cli cli;
	} commands[] = {
		{ "hold", "Hold", { ONE_QUEUE, .about = "Starts no more jobs of QUEUE; what runs "
		  "goes on (stopPolicy: Hold).\n" AS_APPLY } },
		{ "drain", "HoldAndDrain", { ONE_QUEUE, .about = "Starts no more jobs of QUEUE, "
		  "and evicts those that run (stopPolicy: HoldAndDrain).\n" AS_APPLY } },
		{ "resume", "None", { ONE_QUEUE, .about = "Starts jobs of QUEUE again "
		  "(stopPolicy: None).\n" AS_APPLY } },
	};
	const char *name = strrchr(argv[0], ' ') + 1;
	size_t i = 0;

	while (strcmp(commands[i].name, name))
		i++;
	return command_run(&commands[i].cli, argc, argv, commands[i].policy);
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

	return command_run(&cli, argc, argv, NULL);
}
