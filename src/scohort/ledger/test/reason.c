/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test reason.c - squeue's REASON, whole, cut short and foreign
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ledger/reason.h"

static void test_foreign(void **state)
{
	static const char *const texts[] = {
		NULL, "", "Cohor", "Resources", "cohort:pos=1/1", " Cohort:",
	};
	struct reason r;

	(void) state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_false(reason_parse(texts[i], &r));
	assert_int_equal(r.need, -1);
}

/* "place/total(known) word wait resource@flavor need free max victims until
 * queue" */
static const char *shown(const char *text)
{
	static char buf[1024];
	struct reason r;

	assert_true(reason_parse(text, &r));
	snprintf(buf, sizeof(buf), "%ld/%ld(%ld) %d %s %s@%s %ld %ld %ld %ld "
		 "[%s] %s", (long) r.place, (long) r.total, (long) r.known,
		 r.kind, r.wait, r.resource, r.flavor, (long) r.need,
		 (long) r.free, (long) r.max, (long) r.victims, r.until,
		 r.queue);
	return buf;
}

static void test_nonpreemptible(void **state)
{
	struct reason r;

	(void) state;
	assert_true(reason_parse("Cohort:pos=2/9,wait=nonpreemptible(gres/gpu@"
				 "a100),cap=8,used=6,need=4,cq=ml", &r));
	assert_int_equal(r.kind, REASON_NONPREEMPTIBLE);
	assert_string_equal(r.resource, "gres/gpu");
	assert_string_equal(r.flavor, "a100");
	assert_int_equal(r.cap, 8);
	assert_int_equal(r.used, 6);
	assert_int_equal(r.need, 4);
	assert_string_equal(r.queue, "ml");
	assert_true(reason_parse("Cohort:wait=nonpreemptible(cpu", &r));
	assert_int_equal(r.cap, -1);
	assert_int_equal(r.used, -1);
}

static void test_reasons(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "Cohort:pos=3/41,wait=quota(gres/gpu@a100),need=8,free=2,"
		  "cq=vision",
		  "3/41(0) 0 quota(gres/gpu@a100) gres/gpu@a100 8 2 -1 0 [] "
		  "vision" },
		{ "Cohort:pos=4000+,wait=order,cq=a.b-c",
		  "0/0(4000) 3 order @ -1 -1 -1 0 [] a.b-c" },
		{ "Cohort:pos=7/4000+,wait=held(cq),cq=q",
		  "7/0(4000) 4 held(cq) @ -1 -1 -1 0 [] q" },
		{ "Cohort:pos=1/1,wait=preempting(12),cq=q",
		  "1/1(0) 1 preempting(12) @ -1 -1 -1 12 [] q" },
		{ "Cohort:pos=1/1,wait=protected(until=14:05:00),cq=q",
		  "1/1(0) 2 protected(until=14:05:00) @ -1 -1 -1 0 [14:05:00] "
		  "q" },
		{ "Cohort:pos=1/1,wait=never(max=16),need=80_cpu@any,cq=q",
		  "1/1(0) 5 never(max=16) cpu@any 80 -1 16 0 [] q" },
		{ "Cohort:pos=1/1,wait=nodes,cq=q",
		  "1/1(0) 6 nodes @ -1 -1 -1 0 [] q" },
		{ "Cohort:pos=1/1,wait=nodes,evicts=14:05:00,cq=q",
		  "1/1(0) 6 nodes @ -1 -1 -1 0 [14:05:00] q" },
		{ "Cohort:pos=1/1,wait=yields,cq=q",
		  "1/1(0) 9 yields @ -1 -1 -1 0 [] q" },
		/* words to come, and a comma within parentheses */
		{ "Cohort:pos=1/1,wait=moon(a,b),cq=q",
		  "1/1(0) 7 moon(a,b) @ -1 -1 -1 0 [] q" },
		/* cut short */
		{ "Cohort:pos=1/1,wait=quota(cpu", "1/1(0) 0 quota(cpu cpu@ -1 "
		  "-1 -1 0 [] " },
		{ "Cohort:", "0/0(0) 7  @ -1 -1 -1 0 [] " },
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(shown(cases[i].text), cases[i].shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_nonpreemptible),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
