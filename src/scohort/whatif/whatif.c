/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif.c - scohort whatif: what would happen to a submission
 */
#include <limits.h>
#include <string.h>
#include <time.h>

#include "cli/options.h"
#include "input/json_members.h"
#include "output/exit_status.h"
#include "whatif/whatif.h"

#define TRIES 40		/* for the plugin's part of the answer */
#define TRY_NS 50000000

struct options {
	const char *at;
};

static const struct cli_option options[] = {
	{ "at", 0, "TIME", "earliest start of the job (sbatch --begin)",
	  CLI_TEXT, offsetof(struct options, at), 0 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "[SBATCH-OPTION...] [SCRIPT [ARG...]]", .max = 0,
	.about = "What would come of this submission, without submitting it: "
		 "would it start, where,\nwhom would it evict, what would be "
		 "borrowed then, or what is missing. All but the\noptions "
		 "below goes to sbatch --test-only. Exit status 1: no start "
		 "is foreseen.\n",
	.options = options, .output = CLI_DATA,
};

/* The plugin publishes within a second. Without its part: read errors are
 * reported here, and whatif_tell() tells that there is no such part. */
static struct json_object *answer_await(struct published *p, const struct controller *controller,
					const struct question *q, const struct sbatch_answer *said)
{
	struct timespec pause = { .tv_nsec = TRY_NS };
	char err[PATH_MAX + 256];

	for (int i = 0; i < TRIES; i++) {
		struct json_object *found;

		published_close(p);
		if (published_open(p, controller, err, sizeof(err))) {
			complain("%s", err);
			return NULL;
		}
		found = whatif_find(p, q, said);
		if (found || !strcmp(json_text(p->document, "enforcement"), "observe"))
			return found;
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static void sentences_print(const struct output *out, struct json_object *o)
{
	for (size_t i = 0; i < json_items(o, "sentences"); i++)
		output_wrap(out, i ? 2 : 0, i ? 4 : 2,
			    json_object_get_string(json_item(o, "sentences", i)));
}

static int answer_show(const struct call *call, const struct published *p,
		       const struct sbatch_answer *said, struct json_object *answer)
{
	struct json_object *o;

	/* if the question did not get as far as the plugin, sbatch and
	 * slurmctld give the reason why there is no start */
	if (*said->rest && (said->starts || !answer))
		complain("%s", said->rest);
	if (!said->starts && !answer)
		return STATUS_FAILED;
	o = whatif_tell(p, said, answer, time(NULL));
	if (output_is_data(&call->out))
		output_document(&call->out, o);
	else
		sentences_print(&call->out, o);
	json_object_put(o);
	return said->starts ? STATUS_OK : STATUS_FAILED;
}

static int whatif_show(const struct call *call, const struct controller *controller,
		       struct question *q)
{
	struct published p = { .document = NULL };
	struct json_object *answer = NULL;
	struct sbatch_answer said;
	int code = 0, status;
	char err[256];

	status = whatif_ask(q, &said, &code, err, sizeof(err));
	if (status) {
		complain("%s", err);
		return status;
	}
	if (said.starts || strstr(said.rest, "allocation failure") || !code)
		answer = answer_await(&p, controller, q, &said);
	status = answer_show(call, &p, &said, answer);
	published_close(&p);
	sbatch_answer_free(&said);
	return status;
}

int cmd_whatif(int argc, char **argv)
{
	struct options values = { .at = NULL };
	struct question q = { .at = NULL };
	struct controller controller;
	struct split split;
	struct call call;
	int status;

	split_make(&split, argc, argv);
	if (!cli_parse(&cli, split.nown, split.own, &values, &call)) {
		status = call.status;
	} else {
		q.at = values.at;
		q.args = split.rest;
		q.nargs = (size_t) split.nrest;
		status = controller_open_cohort(&controller, argv[0]);
		if (!status)
			status = whatif_show(&call, &controller, &q);
		controller_close(&controller);
	}
	split_free(&split);
	return status;
}
