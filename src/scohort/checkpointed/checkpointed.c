/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpointed.c - scohort checkpointed: a job has just written a checkpoint
 *
 * The job runs it, or its owner. The time becomes a word of the job's comment, where slurmctld
 * finds it when it looks for victims (config/value/checkpoint.h); all else in the comment stays.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "slurm/controller.h"
#include "slurm/job_views.h"
#include "value/checkpoint.h"

static const struct cli cli = {
	.operands = "[JOBID]", .max = 1,
	.about = "Notes that a running job has just written a checkpoint: if it is evicted, only "
		 "what\ncame after that counts as lost. Without JOBID (8123, or 8123_4) it is the "
		 "job in which\nthis runs. The time becomes a word of the job's comment.\n",
};

/* 8123, as SLURM_JOB_ID has it: of an array one task; or 8123_4 */
static bool id_parse(const char *text, uint32_t *id, int64_t *task)
{
	char number[24];
	size_t len = strcspn(text, "_");
	int64_t n;

	*task = -1;
	snprintf(number, sizeof(number), "%.*s", (int) len, text);
	if (len >= sizeof(number) || !text_number(number, &n) || n < 1 || n > UINT32_MAX)
		return false;
	*id = (uint32_t) n;
	return !text[len] || text_number(text + len + 1, task);
}

/* The components of a heterogeneous job write one checkpoint. */
static bool is_asked(const struct view *v, uint32_t id, int64_t task)
{
	if (v->state != VIEW_RUNNING)
		return false;
	if (task >= 0)
		return v->array_id == id && v->task_id == task;
	return v->id == id || v->het_id == id;
}

/* The comment with the new time in it; to be freed. NULL: no memory */
static char *comment_with(const char *comment, int64_t now)
{
	const char *old = comment ? comment : "", *at = strstr(old, CHECKPOINT_LAST);
	const char *rest = at ? at + strlen(CHECKPOINT_LAST) : "";
	size_t before = at ? (size_t) (at - old) : strlen(old), size = strlen(old) + 64;
	char *text = malloc(size);

	rest += strcspn(rest, " ,;");
	if (text)
		snprintf(text, size, "%.*s%s" CHECKPOINT_LAST "%" PRId64 "%s", (int) before, old,
			 before && !at ? " " : "", now, rest);
	return text;
}

static int view_note(const struct view *v, int64_t now)
{
	char *comment = comment_with(v->comment, now), err[256] = "out of memory";
	char name[64];
	int status = comment ? job_set_comment(v->id, comment, err, sizeof(err)) : STATUS_FAILED;

	free(comment);
	if (status)
		complain("Job %s: its comment can't be changed (its owner and operators may): %s",
			 view_name(v, name, sizeof(name)), err);
	return status;
}

static int note(const char *text, uint32_t id, int64_t task)
{
	int64_t now = time(NULL);
	struct view_list list;
	char err[256];
	bool any = false;
	int status = views_load(&list, id, err, sizeof(err));

	if (status)
		complain("%s", err);
	for (size_t i = 0; !status && i < list.n; i++) {
		if (!is_asked(&list.views[i], id, task))
			continue;
		any = true;
		status = view_note(&list.views[i], now);
	}
	if (!status && !any) {
		complain("Job %s does not run: only a running job has a checkpoint to note", text);
		status = STATUS_FAILED;
	}
	views_free(&list);
	return status;
}

int cmd_checkpointed(int argc, char **argv)
{
	struct controller controller;
	struct call call;
	const char *text;
	int64_t task;
	uint32_t id;
	int status;

	if (!cli_parse(&cli, argc, argv, NULL, &call))
		return call.status;
	text = call.nargs ? call.args[0] : getenv("SLURM_JOB_ID");
	if (!text) {
		complain("which job? Name one: this runs in none (SLURM_JOB_ID is not set)");
		return STATUS_USAGE;
	}
	if (!id_parse(text, &id, &task)) {
		complain("\"%s\" is not a job id (8123 or 8123_4)", text);
		return STATUS_USAGE;
	}
	status = controller_open_cohort(&controller);
	if (status)
		return status;
	status = note(text, id, task);
	controller_close(&controller);
	return status;
}
