/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sbatch_answer.c - the output of sbatch --test-only, in all versions of Slurm
 *
 *	sbatch: Job 7 to start at 2026-11-21T07:05:00 using 4 processors on nodes
 *	n[1-2] in partition gpu
 *	sbatch:   Preempts: 5,6
 *
 * 26.05 has " on cluster NAME" and a stray " a" before "using"; for a
 * heterogeneous job "nodes" and the partition are absent. All other lines
 * (errors, messages of a job_submit plugin) are kept as they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "output/text.h"
#include "whatif/whatif.h"

static bool number_read(const char **text, uint32_t *number)
{
	char *end;
	unsigned long n = strtoul(*text, &end, 10);

	if (end == *text || n > UINT32_MAX)
		return false;
	*text = end;
	*number = (uint32_t) n;
	return true;
}

static bool word_skip(const char **text, const char *word)
{
	const char *found = strstr(*text, word);

	if (!found)
		return false;
	*text = found + strlen(word);
	return true;
}

/* Up to the next blank or the end */
static void word_copy(const char **text, char *to, size_t size)
{
	size_t len = strcspn(*text, " ");

	snprintf(to, size, "%.*s", (int) len, *text);
	*text += len;
}

/* The line as a whole, or nothing of it */
static bool start_parse(const char *line, struct sbatch_answer *said)
{
	struct sbatch_answer s = *said;

	if (!word_skip(&line, "Job ") || !number_read(&line, &s.job_id)
	    || strncmp(line, " to start at ", 13))
		return false;
	line += 13;
	word_copy(&line, s.time, sizeof(s.time));
	if (!word_skip(&line, " using ") || !number_read(&line, &s.cpus)
	    || !word_skip(&line, " processors on "))
		return false;
	if (!strncmp(line, "nodes ", 6))
		line += 6;
	word_copy(&line, s.nodes, sizeof(s.nodes));
	if (word_skip(&line, " in partition "))
		word_copy(&line, s.partition, sizeof(s.partition));
	if (!text_date_read(s.time, &s.start))
		s.start = 0;
	s.starts = true;
	*said = s;
	return true;
}

static bool victims_parse(const char *line, struct sbatch_answer *said)
{
	uint32_t id;

	if (!said->starts || !word_skip(&line, "  Preempts: "))
		return false;
	while (number_read(&line, &id)) {
		said->victims = must_grow(said->victims, said->nvictims, sizeof(id));
		said->victims[said->nvictims++] = id;
		line += *line == ',';
	}
	return true;
}

static void rest_add(struct sbatch_answer *said, const char *line)
{
	size_t used = strlen(said->rest);

	if (!strncmp(line, "sbatch: ", 8))
		line += 8;
	snprintf(said->rest + used, sizeof(said->rest) - used, "%s%s", used ? "\n" : "", line);
}

void sbatch_answer_parse(const char *text, struct sbatch_answer *said)
{
	char *copy = must(strdup(text)), *next = copy, *line;

	memset(said, 0, sizeof(*said));
	while ((line = strsep(&next, "\n")))
		if (*line && !start_parse(line, said) && !victims_parse(line, said))
			rest_add(said, line);
	free(copy);
}

void sbatch_answer_free(struct sbatch_answer *said)
{
	free(said->victims);
	memset(said, 0, sizeof(*said));
}
