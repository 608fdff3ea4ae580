/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test places.c - places in line, and those in local queues
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <json.h>

#include "ledger/places.h"

static struct json_object *queue_of(const char *json)
{
	struct json_object *o = json_tokener_parse(json);

	assert_non_null(o);
	return o;
}

/* Text that no file of ours has must do no harm. */
static void test_nonsense(void **state)
{
	static const char *const texts[] = {
		"{}", "{\"localQueues\": 3}", "{\"localQueues\": [7, null]}",
		"{\"localQueues\": [\"\", \",\", \"x\", \"-1\", \"0\"]}",
		"{\"localQueues\": [\"5-3\", \"1-99999999999999\"]}",
	};
	int64_t total, first = 1, last;

	(void) state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct json_object *o = queue_of(texts[i]);
		struct places *p = places_create(o);

		assert_non_null(p);
		assert_int_equal(places_local(p, 1, &total), 0);
		assert_int_equal(places_local(p, -4, &total), 0);
		assert_true(places_told(p) <= 7);
		places_mark_seen(p, -2, 5);
		places_next_unseen(p, &first, &last);
		places_destroy(p);
		json_object_put(o);
	}
}

/* A file that is not ours may list the same places again and again: that takes no longer
 * than to list each once. */
static void test_listed_twice(void **state)
{
	struct json_object *o = queue_of(
		"{\"localQueues\": [\"1-3,1-3,2-3\", \"1\"]}");
	struct places *p = places_create(o);
	int64_t total;

	(void) state;
	assert_int_equal(places_told(p), 3);
	assert_int_equal(places_local(p, 3, &total), 3);
	assert_int_equal(total, 3);
	places_destroy(p);
	json_object_put(o);
}

static void test_places(void **state)
{
	static const struct {
		int64_t place, local, total;
		int queue;
	} cases[] = {
		{ 1, 1, 5, 0 }, { 3, 3, 5, 0 }, { 4, 1, 2, 1 }, { 5, 4, 5, 0 },
		{ 6, 5, 5, 0 }, { 7, 2, 2, 1 }, { 8, 0, 0, -1 },
		{ 0, 0, 0, -1 },
	};
	struct json_object *o = queue_of(
		"{\"localQueues\": [\"1-3,5-6\", \"4,7\"]}");
	struct places *p = places_create(o);
	int64_t total, first = 1, last = 0;

	(void) state;
	assert_int_equal(places_told(p), 7);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(places_local(p, cases[i].place, &total),
				 cases[i].local);
		assert_int_equal(total, cases[i].total);
		assert_int_equal(places_local_queue(p, cases[i].place),
				 cases[i].queue);
	}
	places_mark_seen(p, 1, 1);
	places_mark_seen(p, 4, 2);
	assert_true(places_next_unseen(p, &first, &last));
	assert_true(first == 2 && last == 3);
	first = last + 1;
	assert_true(places_next_unseen(p, &first, &last));
	assert_true(first == 6 && last == 7);
	first = last + 1;
	assert_false(places_next_unseen(p, &first, &last));
	places_destroy(p);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_listed_twice),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
