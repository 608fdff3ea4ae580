/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * split.c - which arguments of scohort whatif are its own, and which sbatch's
 *
 * sbatch has no --at, --json and --yaml. A script's own arguments may have
 * them, so the place of the script has to be found: the first word that is
 * neither an option nor the value of one.
 */
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "whatif/whatif.h"

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
