/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpoint.c - what the comment of a job says of its checkpoints
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/report.h"
#include "value/checkpoint.h"
#include "value/times.h"

#define SECOND INT64_C(1000000000)

int checkpoint_word(const char *comment, const char *key, char *word, size_t size)
{
	const char *at = comment ? strstr(comment, key) : NULL;

	if (!at)
		return -1;
	at += strlen(key);
	snprintf(word, size, "%.*s", (int) strcspn(at, " ,;"), at);
	return 0;
}

int checkpoint_each_parse(const char *word, int64_t *seconds, char *err, size_t size)
{
	int64_t ns;

	if (duration_parse(word, &ns, err, size) < 0)
		return -1;
	if (!ns)
		return errprintf(err, size, "is no time between checkpoints");
	*seconds = ns / SECOND;
	return 0;
}

int checkpoint_last_parse(const char *word, int64_t *at, char *err, size_t size)
{
	char *end;

	errno = 0;
	*at = strtoll(word, &end, 10);
	if (errno || *end || !isdigit((unsigned char) *word) || *at <= 0)
		return errprintf(err, size, "is not a number of seconds since 1970 (date +%%s)");
	return 0;
}

struct checkpoint checkpoint_of(const char *comment)
{
	struct checkpoint c = { 0 };
	char word[CHECKPOINT_WORD], err[256];
	int64_t value;

	if (!checkpoint_word(comment, CHECKPOINT_EACH, word, sizeof(word))
	    && !checkpoint_each_parse(word, &value, err, sizeof(err)))
		c.each = value;
	if (!checkpoint_word(comment, CHECKPOINT_LAST, word, sizeof(word))
	    && !checkpoint_last_parse(word, &value, err, sizeof(err)))
		c.last = value;
	return c;
}

int64_t checkpoint_lost(const struct checkpoint *c, int64_t start, int64_t now, int64_t ran)
{
	if (ran <= 0)
		return 0;
	if (c->last > start && c->last <= now)
		return now - c->last < ran ? now - c->last : ran;
	return c->each ? ran % c->each : ran;
}
