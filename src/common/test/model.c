/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.c - the model check: random sequences of all events of engine.h
 *
 * A sequence is a random world and EVENTS events in it. After every other
 * event or so the plan is judged (model_check/rules.c), and compared with that of
 * an engine which was built anew (model_check/again.c). What fails is made as short
 * as it will get, and printed with the seed.
 *
 *	build/test/common_model			20,000 events, part of make unit; with COHORT_LONG=1
 *						twenty times as many
 *	COHORT_MODEL_EVENTS=1000000 build/test/common_model
 *						this many
 *	COHORT_MODEL_FIRST=5000			begin with this seed, not 1
 *	COHORT_MODEL_FAILURES=9			go on until this many failed
 *	COHORT_MODEL_SEED=17			this sequence alone
 */
#include <stdio.h>
#include <stdlib.h>

#include "model_check/model.h"
#include "random/draw.h"

#define EVENTS 100

struct sequence {
	uint64_t seed;
	bool left_out[EVENTS];
	char error[sizeof(((struct model *) 0)->error)];
};

static uint64_t mix(uint64_t a, uint64_t b)
{
	return (a * UINT64_C(0xd1342543de82ef95) + b) * UINT64_C(0x2545f4914f6cdd1d);
}

static void check(struct model *m, uint64_t seed)
{
	m->random = seed;
	model_judge(m);
	if (!*m->error)
		model_compare(m);
}

/* Returns the index of the event after which something was wrong, or EVENTS */
static size_t sequence_play(struct sequence *s, bool told)
{
	struct model m = { .random = s->seed, .now = 1000 };
	size_t i;

	m.spec = model_spec(&m);
	m.engine = engine_create(m.spec);
	assert_non_null(m.engine);
	engine_advance(m.engine, m.now);
	m.told = told;
	if (told)
		model_spec_tell(&m);
	for (i = 0; i < EVENTS; i++) {
		bool last = i + 1 == EVENTS;

		if ((!s->left_out[i] && model_event(&m, mix(s->seed, 2 * i))) || last)
			check(&m, mix(s->seed, 2 * i + 1));
		if (*m.error)
			break;
	}
	memcpy(s->error, m.error, sizeof(m.error));
	engine_destroy(m.engine);
	spec_destroy(m.spec);
	return i;
}

/* The messages are the same except for the numbers. */
static bool is_like(const char *a, const char *b)
{
	while (*a && *b) {
		a += strspn(a, "-0123456789");
		b += strspn(b, "-0123456789");
		if (*a != *b)
			return false;
		a += *a != '\0';
		b += *b != '\0';
	}
	return *a == *b;
}

/* Leaves out the events from..to if it fails without them as well */
static void events_drop(struct sequence *s, size_t from, size_t to)
{
	struct sequence less = *s;
	size_t failed;

	for (size_t i = from; i < to && i < EVENTS; i++)
		less.left_out[i] = true;
	if (!memcmp(&less, s, sizeof(less)))
		return;
	failed = sequence_play(&less, false);
	if (failed == EVENTS || !is_like(less.error, s->error))
		return;
	for (size_t i = failed + 1; i < EVENTS; i++)
		less.left_out[i] = true;
	*s = less;
}

static void sequence_shrink(struct sequence *s)
{
	for (size_t size = EVENTS / 2; size; size /= 2) {
		for (size_t i = 0; i < EVENTS; i += size)
			events_drop(s, i, i + size);
	}
	for (size_t i = EVENTS; i-- > 0; )
		events_drop(s, i, i + 1);
}

static bool sequence_fails(uint64_t seed)
{
	struct sequence s = { .seed = seed };

	if (sequence_play(&s, false) == EVENTS)
		return false;
	printf("# seed %llu: %s\n", (unsigned long long) seed, s.error);
	sequence_shrink(&s);
	sequence_play(&s, true);
	printf("# COHORT_MODEL_SEED=%llu: %s\n", (unsigned long long) seed, s.error);
	return true;
}

static uint64_t number_from(const char *name, uint64_t dflt)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : dflt;
}

static uint64_t current;		/* seed; 0: none is played */

static void test_model(void **state)
{
	uint64_t only = number_from("COHORT_MODEL_SEED", 0);
	uint64_t first = only ? only : number_from("COHORT_MODEL_FIRST", 1);
	uint64_t events = only ? EVENTS
			       : number_from("COHORT_MODEL_EVENTS", EVENTS * seeds_wanted(200));
	uint64_t most = number_from("COHORT_MODEL_FAILURES", 1), failed = 0;
	uint64_t n = (events + EVENTS - 1) / EVENTS;

	for (current = first; current < first + n && failed < most; current++)
		failed += sequence_fails(current);
	printf("# %llu events, %llu of %llu sequences failed\n",
	       (unsigned long long) (current - first) * EVENTS, (unsigned long long) failed,
	       (unsigned long long) (current - first));
	current = 0;
	assert_int_equal(failed, 0);
}

/* The test crashed in the middle of a sequence. */
static int crash_tell(void **state)
{
	if (current)
		printf("# in sequence COHORT_MODEL_SEED=%llu\n", (unsigned long long) current);
	return 0;
}

TESTS(cmocka_unit_test_teardown(test_model, crash_tell))
