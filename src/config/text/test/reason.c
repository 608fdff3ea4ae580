/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test reason.c - each reason of the engine has its words, and squeue's REASON can be read
 */
#include "text/reason.h"
#include "test/tests.h"

static void test_foreign(void **state)
{
	static const char *const texts[] = {
		NULL, "", "Cohor", "Resources", "cohort:pos=1/1", " Cohort:",
	};
	struct reason r;

	for (size_t i = 0; i < COUNT(texts); i++)
		assert_false(reason_parse(texts[i], &r));
	assert_int_equal(r.numbers[REASON_NEED], -1);
}

/* "place/total(known) word wait resource@flavor need free max cap used victims until
 * queue" */
static const char *shown(const char *text)
{
	static char buf[1024];
	struct reason r;
	size_t n;

	assert_true(reason_parse(text, &r));
	n = (size_t) snprintf(buf, sizeof(buf), "%ld/%ld(%ld) %s %s %s@%s ", (long) r.place,
			      (long) r.total, (long) r.known, reason_forms[r.kind].word, r.shown,
			      r.resource, r.flavor);
	for (int i = 0; i < REASON_NUMBERS; i++)
		n += (size_t) snprintf(buf + n, sizeof(buf) - n, "%ld ", (long) r.numbers[i]);
	snprintf(buf + n, sizeof(buf) - n, "[%s] %s", r.until, r.queue);
	return buf;
}

static void test_reasons(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "Cohort:pos=3/41,wait=quota(gres/gpu@a100),need=8,free=2,cq=vision",
		  "3/41(0) quota quota(gres/gpu@a100) gres/gpu@a100 8 2 -1 -1 -1 -1 [] vision" },
		{ "Cohort:pos=4000+,wait=order,cq=a.b-c",
		  "0/0(4000) order order @ -1 -1 -1 -1 -1 -1 [] a.b-c" },
		{ "Cohort:pos=7/4000+,wait=held(cq),cq=q",
		  "7/0(4000) held held(cq) @ -1 -1 -1 -1 -1 -1 [] q" },
		{ "Cohort:pos=1/1,wait=preempting(12),cq=q",
		  "1/1(0) preempting preempting(12) @ -1 -1 -1 -1 -1 12 [] q" },
		{ "Cohort:pos=1/1,wait=protected(until=14:05:00),cq=q",
		  "1/1(0) protected protected(until=14:05:00) @ -1 -1 -1 -1 -1 -1 [14:05:00] q" },
		{ "Cohort:pos=1/1,wait=never(max=16),need=80_cpu@any,cq=q",
		  "1/1(0) never never(max=16) cpu@any 80 -1 16 -1 -1 -1 [] q" },
		{ "Cohort:pos=2/9,wait=nonpreemptible(gres/gpu@a100),cap=8,used=6,need=4,cq=ml",
		  "2/9(0) nonpreemptible nonpreemptible(gres/gpu@a100) gres/gpu@a100 4 -1 -1 8 6 "
		  "-1 [] ml" },
		{ "Cohort:pos=1/1,wait=nodes,cq=q", "1/1(0) nodes nodes @ -1 -1 -1 -1 -1 -1 [] q" },
		{ "Cohort:pos=1/1,wait=nodes,evicts=14:05:00,cq=q",
		  "1/1(0) nodes nodes @ -1 -1 -1 -1 -1 -1 [14:05:00] q" },
		{ "Cohort:pos=1/1,wait=delayed(until=14:05:00),cq=q",
		  "1/1(0) delayed delayed(until=14:05:00) @ -1 -1 -1 -1 -1 -1 [14:05:00] q" },
		{ "Cohort:pos=1/1,wait=yields,cq=q",
		  "1/1(0) yields yields @ -1 -1 -1 -1 -1 -1 [] q" },
		/* words to come, and a comma within parentheses */
		{ "Cohort:pos=1/1,wait=moon(a,b),cq=q",
		  "1/1(0)  moon(a,b) @ -1 -1 -1 -1 -1 -1 [] q" },
		{ "Cohort:pos=1/1,wait=quotas,cq=q", "1/1(0)  quotas @ -1 -1 -1 -1 -1 -1 [] q" },
		/* cut short */
		{ "Cohort:pos=1/1,wait=quota(cpu",
		  "1/1(0) quota quota(cpu cpu@ -1 -1 -1 -1 -1 -1 [] " },
		{ "Cohort:wait=nonpreemptible(cpu@all),cap=8,used=,cq=q",
		  "0/0(0) nonpreemptible nonpreemptible(cpu@all) cpu@all -1 -1 -1 8 -1 -1 [] q" },
		{ "Cohort:", "0/0(0)   @ -1 -1 -1 -1 -1 -1 [] " },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(shown(cases[i].text), cases[i].shown);
}

/* ---- of the engine ---- */

static const enum reason_kind kinds[] = {
	[WAIT_IS_QUOTA] = REASON_QUOTA,
	[WAIT_IS_PREEMPTING] = REASON_PREEMPTING,
	[WAIT_IS_PROTECTED] = REASON_PROTECTED_UNTIL,
	[WAIT_IS_ORDER] = REASON_ORDER,
	[WAIT_IS_HELD] = REASON_HELD,
	[WAIT_IS_NEVER] = REASON_NEVER,
	[WAIT_IS_NONPREEMPTIBLE] = REASON_NONPREEMPTIBLE,
	[WAIT_IS_YIELDING] = REASON_YIELDS,
};

static struct verdict verdict_of(int reason)
{
	return (struct verdict) {
		.kind = VERDICT_WAIT, .reason = (enum wait_reason) reason, .until = 5,
		.need = 11, .free = 12, .max = 13, .used = 14, .nvictims = 15,
	};
}

/* A new reason fails here, and in the compiler for the switch of reason.c. */
static void test_engine(void **state)
{
	struct verdict v;
	struct reason r;
	int i = 0;

	for (; i < (int) (COUNT(kinds)); i++) {
		v = verdict_of(i);
		reason_of_verdict(&r, &v, false, false);
		assert_int_equal(r.kind, kinds[i]);
		assert_true(reason_forms[r.kind].distance > 1);
	}
	v = verdict_of(i);
	reason_of_verdict(&r, &v, false, false);
	assert_int_equal(r.kind, REASON_OTHER);
}

static void test_variants(void **state)
{
	static const struct {
		struct verdict v;
		bool behind, learned;
		enum reason_kind kind;
		int64_t free, max;
	} cases[] = {
		{ { .kind = VERDICT_NONE }, false, false, REASON_PASS, -1, -1 },
		{ { .kind = VERDICT_START }, false, false, REASON_NODES, -1, -1 },
		{ { .kind = VERDICT_START }, true, false, REASON_ORDER, -1, -1 },
		{ { .kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER, .flavor = -1 }, false, true,
		  REASON_NEVER_NODES, -1, -1 },
		{ { .kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER, .max = 7 }, false, false,
		  REASON_NEVER, -1, 7 },
		{ { .kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER, .max = 7 }, false, true,
		  REASON_QUOTA, 7, -1 },
		{ { .kind = VERDICT_WAIT, .reason = WAIT_IS_PROTECTED, .spent = true }, false,
		  false, REASON_PROTECTED_SPENT, -1, -1 },
		{ { .kind = VERDICT_WAIT, .reason = WAIT_IS_PROTECTED, .fixed = true }, false,
		  false, REASON_PROTECTED_FIXED, -1, -1 },
		{ { .kind = VERDICT_WAIT, .reason = WAIT_IS_PROTECTED, .delayed = true,
		    .until = 5 }, false, false, REASON_DELAYED, -1, -1 },
		{ { .kind = VERDICT_WAIT, .reason = WAIT_IS_PROTECTED, .until = INT64_MAX },
		  false, false, REASON_PROTECTED, -1, -1 },
	};
	struct reason r;

	for (size_t i = 0; i < COUNT(cases); i++) {
		reason_of_verdict(&r, &cases[i].v, cases[i].behind, cases[i].learned);
		assert_int_equal(r.kind, cases[i].kind);
		assert_int_equal(r.numbers[REASON_FREE], cases[i].free);
		assert_int_equal(r.numbers[REASON_MAX], cases[i].max);
	}
}

/* ---- of each kind ---- */

static void fill(struct reason *r, enum reason_kind kind)
{
	reason_init(r);
	r->kind = kind;
	r->place = 3;
	r->total = 41;
	for (int i = 0; i < REASON_NUMBERS; i++)
		r->numbers[i] = reason_has(kind, reason_number_names[i]) ? 7 + i : -1;
	if (reason_has(kind, "flavor"))
		strcpy(r->flavor, "gpu a100@x");
	if (reason_has(kind, "resource"))
		strcpy(r->resource, "gres/gpu:a100");
	if (reason_has(kind, "until"))
		strcpy(r->until, "14:05:00");
	strcpy(r->queue, "vision");
}

/* What was printed can be read, and is printed the same again. */
static void test_round(void **state)
{
	char text[REASON_SIZE], again[REASON_SIZE];
	struct reason r, read;

	for (int kind = 0; kind < REASON_OTHER; kind++) {
		assert_true(*reason_forms[kind].word && *reason_forms[kind].sentence);
		fill(&r, kind);
		reason_print(&r, text);
		assert_true(reason_parse(text, &read));
		assert_int_equal(read.kind, kind);
		assert_memory_equal(read.numbers, r.numbers, sizeof(r.numbers));
		assert_string_equal(read.resource, r.resource);
		assert_string_equal(read.queue, "vision");
		reason_print(&read, again);
		assert_string_equal(again, text);
	}
}

static void test_long(void **state)
{
	char text[REASON_SIZE];
	struct reason r, read;

	fill(&r, REASON_NONPREEMPTIBLE);
	memset(r.flavor, 'f', sizeof(r.flavor) - 1);
	r.flavor[sizeof(r.flavor) - 1] = '\0';
	memset(r.queue, 'q', sizeof(r.queue) - 1);
	r.queue[sizeof(r.queue) - 1] = '\0';
	r.known = 4000;
	reason_print(&r, text);
	assert_int_equal(strlen(text), REASON_SIZE - 1);
	assert_true(reason_parse(text, &read));
	assert_int_equal(read.kind, REASON_NONPREEMPTIBLE);
	assert_int_equal(read.place, 3);
	assert_int_equal(read.known, 4000);
	assert_int_equal(read.numbers[REASON_CAP], -1);
	assert_string_equal(read.queue, "");
}

TESTS(cmocka_unit_test(test_foreign), cmocka_unit_test(test_reasons), cmocka_unit_test(test_engine),
      cmocka_unit_test(test_variants), cmocka_unit_test(test_round), cmocka_unit_test(test_long))
