/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_texts.c - the fixed texts that the plugin leaves in job records
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/job_texts.h"

#define PREFIX "Cohort:"

static const struct {
	const char *name;
	enum wait_word word;
} wait_words[] = {
	{ "quota", WORD_QUOTA },
	{ "preempting", WORD_PREEMPTING },
	{ "protected", WORD_PROTECTED },
	{ "order", WORD_ORDER },
	{ "held", WORD_HELD },
	{ "never", WORD_NEVER },
	{ "nodes", WORD_NODES },
};

static void copy(char *to, size_t size, const char *from, size_t len)
{
	if (len >= size)
		len = size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

/* "3/41", "4000+", "3/4000+" */
static void place_parse(const char *value, struct reason *r)
{
	char *end;

	r->place = strtoll(value, &end, 10);
	if (*end == '+') {
		r->known = r->place;
		r->place = 0;
	} else if (*end == '/') {
		r->total = strtoll(end + 1, &end, 10);
		if (*end == '+') {
			r->known = r->total;
			r->total = 0;
		}
	}
}

/* "gres/gpu@a100" */
static void pair_parse(const char *text, size_t len, struct reason *r)
{
	const char *at = memchr(text, '@', len);

	if (!at) {
		copy(r->resource, sizeof(r->resource), text, len);
		return;
	}
	copy(r->resource, sizeof(r->resource), text, (size_t) (at - text));
	copy(r->flavor, sizeof(r->flavor), at + 1,
	     len - (size_t) (at + 1 - text));
}

static void detail_parse(const char *detail, size_t len, struct reason *r)
{
	switch (r->word) {
	case WORD_QUOTA:
		pair_parse(detail, len, r);
		break;
	case WORD_PREEMPTING:
		r->victims = strtoll(detail, NULL, 10);
		break;
	case WORD_PROTECTED:
		if (len > 6 && !strncmp(detail, "until=", 6))
			copy(r->until, sizeof(r->until), detail + 6, len - 6);
		break;
	case WORD_NEVER:
		if (len > 4 && !strncmp(detail, "max=", 4))
			r->max = strtoll(detail + 4, NULL, 10);
		break;
	default:
		break;
	}
}

static void wait_parse(const char *value, struct reason *r)
{
	size_t name = strcspn(value, "(");

	snprintf(r->wait, sizeof(r->wait), "%s", value);
	r->word = WORD_OTHER;
	for (size_t i = 0; i < sizeof(wait_words) / sizeof(*wait_words); i++)
		if (strlen(wait_words[i].name) == name
		    && !strncmp(wait_words[i].name, value, name))
			r->word = wait_words[i].word;
	if (value[name])
		detail_parse(value + name + 1, strcspn(value + name + 1, ")"),
			     r);
}

/* need=16_gres/gpu@a100 where the pair is not said before */
static void need_parse(const char *value, struct reason *r)
{
	char *end;

	r->need = strtoll(value, &end, 10);
	if (*end == '_')
		pair_parse(end + 1, strlen(end + 1), r);
}

static void item_parse(char *item, struct reason *r)
{
	char *value = strchr(item, '=');

	if (!value)
		return;
	*value++ = '\0';
	if (!strcmp(item, "pos"))
		place_parse(value, r);
	else if (!strcmp(item, "wait"))
		wait_parse(value, r);
	else if (!strcmp(item, "need"))
		need_parse(value, r);
	else if (!strcmp(item, "free"))
		r->free = strtoll(value, NULL, 10);
	else if (!strcmp(item, "evicts"))
		snprintf(r->until, sizeof(r->until), "%s", value);
	else if (!strcmp(item, "cq"))
		snprintf(r->queue, sizeof(r->queue), "%s", value);
}

/* Up to the next comma that is not in parentheses */
static size_t item_length(const char *text)
{
	size_t i = 0;

	for (int depth = 0; text[i] && (depth || text[i] != ','); i++)
		depth += (text[i] == '(') - (text[i] == ')');
	return i;
}

bool reason_parse(const char *text, struct reason *r)
{
	char item[2 * WORD_SIZE];

	*r = (struct reason) { .word = WORD_OTHER, .need = -1, .free = -1,
			       .max = -1 };
	if (!text || strncmp(text, PREFIX, strlen(PREFIX)))
		return false;
	text += strlen(PREFIX);
	while (*text) {
		size_t len = item_length(text);

		copy(item, sizeof(item), text, len);
		item_parse(item, r);
		text += len + (text[len] == ',');
	}
	return true;
}

/* What stands between two texts; the rest is after the second one */
static const char *between(const char *text, const char *before,
			   const char *after, char *to, size_t size)
{
	const char *begin = text ? strstr(text, before) : NULL, *end;

	if (!begin)
		return NULL;
	begin += strlen(before);
	end = *after ? strstr(begin, after) : begin + strlen(begin);
	if (!end)
		return NULL;
	copy(to, size, begin, (size_t) (end - begin));
	return end;
}

bool provenance_parse(const char *text, struct provenance *p)
{
	char number[WORD_SIZE], *end;

	memset(p, 0, sizeof(*p));
	text = between(text, "preempted at ", " by job ", p->when,
		       sizeof(p->when));
	text = between(text, " by job ", " (", number, sizeof(number));
	if (!text)
		return false;
	p->by = strtoll(number, NULL, 10);
	text = between(text, "(cluster queue ", ")", p->queue,
		       sizeof(p->queue));
	text = between(text, "rule ", ", ", p->rule, sizeof(p->rule));
	text = between(text, ", ", ", ran ", p->numbers, sizeof(p->numbers));
	text = between(text, ", ran ", " s", number, sizeof(number));
	if (!text)
		return false;
	p->ran = strtoll(number, NULL, 10);
	if (!between(text, "preemption ", "", number, sizeof(number)))
		return false;
	p->count = strtoll(number, &end, 10);
	if (!strncmp(end, " of ", 4))
		p->max = strtoll(end + 4, NULL, 10);
	return true;
}
