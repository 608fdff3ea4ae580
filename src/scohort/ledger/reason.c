/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reason.c - what the plugin shows as squeue's REASON of a waiting job
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/reason.h"

#define PREFIX "Cohort:"

static const struct {
	const char *name;
	enum reason_kind kind;
} reason_kinds[] = {
	{ "quota", REASON_QUOTA },
	{ "preempting", REASON_PREEMPTING },
	{ "protected", REASON_PROTECTED },
	{ "order", REASON_ORDER },
	{ "held", REASON_HELD },
	{ "never", REASON_NEVER },
	{ "nodes", REASON_NODES },
	{ "nonpreemptible", REASON_NONPREEMPTIBLE },
	{ "yields", REASON_YIELDS },
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
	switch (r->kind) {
	case REASON_QUOTA:
	case REASON_NONPREEMPTIBLE:
		pair_parse(detail, len, r);
		break;
	case REASON_PREEMPTING:
		r->victims = strtoll(detail, NULL, 10);
		break;
	case REASON_PROTECTED:
		if (len > 6 && !strncmp(detail, "until=", 6))
			copy(r->until, sizeof(r->until), detail + 6, len - 6);
		break;
	case REASON_NEVER:
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
	r->kind = REASON_OTHER;
	for (size_t i = 0; i < sizeof(reason_kinds) / sizeof(*reason_kinds);
	     i++)
		if (strlen(reason_kinds[i].name) == name
		    && !strncmp(reason_kinds[i].name, value, name))
			r->kind = reason_kinds[i].kind;
	if (value[name])
		detail_parse(value + name + 1, strcspn(value + name + 1, ")"),
			     r);
}

/* need=16_gres/gpu@a100 where the text does not name the pair before */
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
	else if (!strcmp(item, "cap"))
		r->cap = strtoll(value, NULL, 10);
	else if (!strcmp(item, "used"))
		r->used = strtoll(value, NULL, 10);
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
	char item[2 * REASON_SIZE];

	*r = (struct reason) { .kind = REASON_OTHER, .need = -1, .free = -1,
			       .max = -1, .cap = -1, .used = -1 };
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
