/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test job, places: what is read of published texts
 */
#include <json.h>

#include "input/json_members.h"
#include "ledger/job.h"
#include "ledger/places.h"
#include "test/outside.h"

/* ---- job.c: its cluster queue ---- */

static void test_rules(void **state)
{
	static const struct {
		struct view v;
		const char *queue;
		bool sure;
	} cases[] = {
		{ { .partition = "gpu,cpu", .account = "vision-x" }, "v", true },
		{ { .partition = "cpu,gpu", .account = "vision-x" }, "u", false },
		{ { .partition = "cpu", .account = "none" }, "u", false },
		{ { .partition = "cpu", .qos = "any" }, "w", false },
		{ { .qos = "any" }, "w", false },
	};
	struct published p = { .document = json_tokener_parse(
		"{\"clusterQueues\": [{\"name\": \"v\", \"match\": [{\"partition\": \"gpu\", "
		"\"account\": \"vision*\"}]}, {\"name\": \"u\", \"match\": [{\"user\": true}]}, "
		"{\"name\": \"w\", \"match\": [{\"qos\": \"a*\"}]}]}") };
	bool sure;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct json_object *q = published_match(&p, &cases[i].v, &sure);

		/* a rule that asks for a user matches no job for certain */
		assert_string_equal(q ? json_text(q, "name") : "u", cases[i].queue);
		assert_int_equal(sure, cases[i].sure);
	}
	json_object_put(p.document);
}

/* ---- job.c: what it asks for, in short ---- */

static void test_requests(void **state)
{
	static const struct {
		struct view v;
		const char *text;
	} cases[] = {
		{ { .tres_asked = NULL }, "" },
		{ { .tres_asked = "cpu=8,mem=64G,node=2,billing=8" }, "cpu=8,mem=64G,node=2" },
		{ { .tres_asked = "billing=1" }, "" },
		{ { .tres_asked = "cpu=8", .tres_per_node = "gres:gpu:2" },
		  "cpu=8,gres:gpu:2/node" },
		{ { .tres_asked = "cpu=8,gres/gpu=4",
		    .tres_per_node = "gres:gpu:2" }, "cpu=8,gres/gpu=4" },
		{ { .tres_asked = "cpu=8", .tres_per_job = "gres:gpu:4" }, "cpu=8,gres:gpu:4" },
	};
	char buf[256];

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(request_text(&cases[i].v, buf, sizeof(buf)), cases[i].text);
}

/* ---- job.c: a job that was preempted ---- */

#define BEGIN "preempted at 2026-11-21T09:31:07 by job 8140 (cluster queue audio)"
#define NUMBERS "vision held 38 of 32 gres/gpu@a100, audio held 10 of 16, " \
	"needed 6, free 0"

static void test_provenance(void **state)
{
	struct provenance p;

	zone_set("UTC");
	assert_true(provenance_parse(BEGIN ", rule InCohortReclamation, "
				     NUMBERS ", ran 3120 s, preemption 4, turns 1, "
				     "counted 2 of 3", &p));
	assert_string_equal(p.when, "2026-11-21T09:31:07");
	assert_int_equal(p.at, 1795253467);
	assert_int_equal(p.by, 8140);
	assert_string_equal(p.queue, "audio");
	assert_string_equal(p.rule, "InCohortReclamation");
	assert_string_equal(p.numbers, NUMBERS);
	assert_int_equal(p.ran, 3120);
	assert_int_equal(p.saved, 0);
	assert_int_equal(p.count, 4);
	assert_int_equal(p.counted, 2);
	assert_int_equal(p.max, 3);
	assert_true(provenance_parse(BEGIN ", rule InClusterQueue, for nodes, ran 0 s, preemption "
				     "1, counted 0", &p));
	assert_string_equal(p.numbers, "for nodes");
	assert_int_equal(p.max, 0);
	assert_true(provenance_parse(BEGIN ", rule InClusterQueue, for nodes, ran 4000 s, saved "
				     "3600 s, preemption 2, counted 1 of 3", &p));
	assert_int_equal(p.ran, 4000);
	assert_int_equal(p.saved, 3600);
	assert_int_equal(p.count, 2);
}

static void test_no_provenance(void **state)
{
	static const char *const texts[] = {
		"", "a note", BEGIN, BEGIN ", rule X, numbers",
		BEGIN ", rule X, numbers, ran 5 s",
		BEGIN ", rule X, numbers, ran 5 s, preemption 1",
		"by job 1 (cluster queue q), rule X, n, ran 1 s, preemption 1, counted 1",
	};
	struct provenance p;

	for (size_t i = 0; i < COUNT(texts); i++)
		assert_false(provenance_parse(texts[i], &p));
}

/* ---- places.c ---- */

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

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct json_object *o = queue_of(texts[i]);
		struct places *p = places_create(o);

		assert_non_null(p);
		assert_int_equal(places_local(p, 1, &total), 0);
		assert_int_equal(places_local(p, -4, &total), 0);
		assert_int_equal(places_local(p, 8, &total), 0);
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
	struct json_object *o = queue_of("{\"localQueues\": [\"1-3,1-3,2-3\", \"1\"]}");
	struct places *p = places_create(o);
	int64_t total;

	assert_int_equal(places_local(p, 4, &total), 0);
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
	struct json_object *o = queue_of("{\"localQueues\": [\"1-3,5-6\", \"4,7\"]}");
	struct places *p = places_create(o);
	int64_t total, first = 1, last = 0;

	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(places_local(p, cases[i].place, &total), cases[i].local);
		assert_int_equal(total, cases[i].total);
		assert_int_equal(places_local_queue(p, cases[i].place), cases[i].queue);
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

TESTS(cmocka_unit_test(test_rules), cmocka_unit_test(test_requests),
      cmocka_unit_test(test_provenance), cmocka_unit_test(test_no_provenance),
      cmocka_unit_test(test_nonsense), cmocka_unit_test(test_listed_twice),
      cmocka_unit_test(test_places))
