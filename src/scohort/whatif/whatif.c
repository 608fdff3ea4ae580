/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif.c - scohort whatif: what would happen to a submission
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "input/json_members.h"
#include "must.h"
#include "output/exit_status.h"
#include "story/story.h"
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
	.about = "What would come of this submission, without submitting it: would it start, "
		 "where,\nwhom would it evict, what would be borrowed then, or what is missing. "
		 "All but the\noptions below goes to sbatch --test-only. Exit status 1: no start "
		 "is foreseen.\n",
	.options = options, .output = CLI_DATA,
};

/* ---- which arguments are scohort's own, and which sbatch's ----
 *
 * sbatch has no --at, --json and --yaml. A script's own arguments may have
 * them, so the place of the script has to be found: the first word that is
 * neither an option nor the value of one.
 */

static bool is_in(const char *word, const char *const *list)
{
	while (*list && strcmp(*list, word) != 0)
		list++;
	return *list;
}

/* Options of sbatch whose value, if any, follows a '=' */
static const char *const flags[] = {
	"--contiguous", "--exclusive", "--get-user-env", "--help", "--hold",
	"--ignore-pbs", "--nice", "--no-kill", "--no-requeue", "--overcommit",
	"--oversubscribe", "--parsable", "--propagate", "--quiet", "--reboot",
	"--requeue", "--spread-job", "--test-only", "--usage",
	"--use-min-nodes", "--verbose", "--version", "--wait", NULL
};
static const char flag_letters[] = "hHkOsQvVW";

/* "-A", "-HA", "--account": does the next word belong to it? */
static bool wants_value(const char *word)
{
	if (word[0] != '-' || !word[1])
		return false;
	if (word[1] == '-')
		return !strchr(word, '=') && !is_in(word, flags);
	for (word++; *word; word++)
		if (!strchr(flag_letters, *word))
			return !word[1];
	return false;
}

static bool is_own(const char *word, bool first)
{
	static const char *const anywhere[] = { "--at", "--json", "--yaml", NULL };
	static const char *const leading[] = { "--help", "-h", "--version", "-V", NULL };

	return !strncmp(word, "--at=", 5) || is_in(word, anywhere)
	       || (first && is_in(word, leading));
}

void split_make(struct split *s, int argc, char **argv)
{
	int i = 1;

	s->own = must(calloc((size_t) argc + 1, sizeof(*s->own)));
	s->rest = must(calloc((size_t) argc + 1, sizeof(*s->rest)));
	s->nown = s->nrest = 0;
	s->own[s->nown++] = argv[0];
	while (i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0) {
		bool own = is_own(argv[i], !s->nrest);
		bool two = own ? !strcmp(argv[i], "--at") : wants_value(argv[i]);

		for (int end = i + 1 + two; i < end && i < argc; i++) {
			if (own)
				s->own[s->nown++] = argv[i];
			else
				s->rest[s->nrest++] = argv[i];
		}
	}
	if (i < argc && !strcmp(argv[i], "--") && !s->nrest)
		i++;
	while (i < argc)
		s->rest[s->nrest++] = argv[i++];
}

void split_free(struct split *s)
{
	free(s->own);
	free(s->rest);
}

/* ---- the answer ---- */

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
		story_print(&call->out, o);
	json_object_put(o);
	return said->starts ? STATUS_OK : STATUS_FAILED;
}

int whatif_put(struct question *q, const struct controller *controller, struct published *p,
	       struct sbatch_answer *said, int *code, struct json_object **answer, char *err,
	       size_t size)
{
	int status = whatif_ask(q, said, code, err, size);

	*answer = NULL;
	if (!status && (said->starts || strstr(said->rest, "allocation failure") || !*code))
		*answer = answer_await(p, controller, q, said);
	return status;
}

static int whatif_show(const struct call *call, const struct controller *controller,
		       struct question *q)
{
	struct published p = { .document = NULL };
	struct json_object *answer;
	struct sbatch_answer said;
	int code = 0, status;
	char err[256];

	status = whatif_put(q, controller, &p, &said, &code, &answer, err, sizeof(err));
	if (status) {
		complain("%s", err);
		return status;
	}
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
		status = controller_open_cohort(&controller);
		if (!status)
			status = whatif_show(&call, &controller, &q);
		controller_close(&controller);
	}
	split_free(&split);
	return status;
}
