/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.c - places in line and their places in local queues
 */
#include <stdlib.h>

#include "input/json_members.h"
#include "ledger/places.h"
#include "lib/sat.h"
#include "must.h"

#define PLACES_MAX 10000000	/* an upper bound for all files that we write */

struct told {
	int local;		/* 1 + number of the local queue; 0: not known */
	int64_t place;		/* its place in that queue */
	bool seen;
};

struct places {
	struct told *told;	/* by place - 1 */
	int64_t n;
	int64_t *totals;	/* by number of the local queue */
};

/* Reads the next run of "1-3,7"; false: there is none. `text` may be NULL. */
static bool run_next(const char **text, int64_t *first, int64_t *last)
{
	char *end;

	while (*text && **text) {
		*first = *last = strtoll(*text, &end, 10);
		if (end == *text)
			return false;
		if (*end == '-')
			*last = strtoll(end + 1, &end, 10);
		*text = end + (*end == ',');
		if (*first > 0 && *last >= *first && *last <= PLACES_MAX)
			return true;
	}
	return false;
}

static const char *local_text(struct json_object *queue, size_t i)
{
	return json_object_get_string(json_item(queue, "localQueues", i));
}

/* The places of a local queue. *left: how many may come in all: no place is listed twice. */
static void local_fill(struct places *p, int local, const char *text, int64_t *left)
{
	int64_t first, last;

	while (run_next(&text, &first, &last)) {
		if (last - first >= *left)
			continue;
		*left -= last - first + 1;
		for (int64_t place = first; place <= last; place++)
			p->told[place - 1] = (struct told) {
				.local = local + 1, .place = ++p->totals[local],
			};
	}
}

struct places *places_create(struct json_object *queue)
{
	struct places *p = must(calloc(1, sizeof(*p)));
	size_t n = json_items(queue, "localQueues");
	int64_t first, last, left;

	for (size_t i = 0; i < n; i++)
		for (const char *text = local_text(queue, i); run_next(&text, &first, &last);)
			p->n = max64(p->n, last);
	p->told = must(calloc((size_t) p->n + 1, sizeof(*p->told)));
	p->totals = must(calloc(n + 1, sizeof(*p->totals)));
	left = p->n;
	for (size_t i = 0; i < n; i++)
		local_fill(p, (int) i, local_text(queue, i), &left);
	return p;
}

void places_destroy(struct places *p)
{
	if (!p)
		return;
	free(p->told);
	free(p->totals);
	free(p);
}

static const struct told *told_at(const struct places *p, int64_t place)
{
	if (place < 1 || place > p->n || !p->told[place - 1].local)
		return NULL;
	return &p->told[place - 1];
}

int64_t places_local(const struct places *p, int64_t place, int64_t *total)
{
	const struct told *told = told_at(p, place);

	*total = told ? p->totals[told->local - 1] : 0;
	return told ? told->place : 0;
}

int places_local_queue(const struct places *p, int64_t place)
{
	const struct told *told = told_at(p, place);

	return told ? told->local - 1 : -1;
}

void places_mark_seen(struct places *p, int64_t first, int64_t n)
{
	for (int64_t place = first; place < first + n; place++) {
		if (place >= 1 && place <= p->n)
			p->told[place - 1].seen = true;
	}
}

bool places_next_unseen(const struct places *p, int64_t *first, int64_t *last)
{
	int64_t place = *first;

	while (place <= p->n && p->told[place - 1].seen)
		place++;
	if (place > p->n)
		return false;
	*first = *last = place;
	while (*last < p->n && !p->told[*last].seen)
		++*last;
	return true;
}
