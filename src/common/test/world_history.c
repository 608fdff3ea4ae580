/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world_history.c - usage histories for tests, described in words
 */
#include <stdio.h>
#include <stdlib.h>

#include "world_words.h"

/* "cpu=1.5": 0, and what it is of; else -1 */
static int past_read(const struct world *world, const char *word, struct usage_history *h)
{
	char resource[16];

	*h = (struct usage_history) { .at = INT64_MAX };
	if (sscanf(word, "%15[^=]=%lf", resource, &h->past) != 2)
		return SPEC_NONE;
	return spec_find_resource(world->spec, resource);
}

static void tell_past(struct words *words)
{
	const struct world *world = words->world;
	const char *name = word_need(words), *word;
	int queue = spec_find_queue(world->spec, name);
	int cohort = spec_find_cohort(world->spec, name);
	struct engine *e = world_engine(words->world);
	struct usage_history h;

	while ((word = word_next(words))) {
		int resource = past_read(world, word, &h);

		assert_int_equal(engine_restore_history(e, queue < 0, queue < 0 ? cohort : queue,
			resource, &h), 0);
	}
}

static void tell_local(struct words *words)
{
	struct world *world = words->world;
	int queue = spec_find_queue(world->spec, word_need(words));
	int local = (int) strtol(word_need(words), NULL, 10);
	struct engine *e = world_engine(world);
	struct usage_history h;
	const char *word;

	while ((word = word_next(words))) {
		if (value_of(word, "weight")) {
			double weight = strtod(value_of(word, "weight"), NULL);

			assert_int_equal(engine_weigh_local(e, queue, local, weight), 0);
			continue;
		}
		h.past = 0;
		assert_int_equal(engine_restore_local(
			e, queue, local, past_read(world, word, &h), &h), 0);
	}
}

bool tell_history(struct words *words, const char *verb)
{
	if (!strcmp(verb, "now"))
		engine_advance(world_engine(words->world), strtoll(word_need(words), NULL, 10));
	else if (!strcmp(verb, "past"))
		tell_past(words);
	else if (!strcmp(verb, "local"))
		tell_local(words);
	else
		return false;
	return true;
}
