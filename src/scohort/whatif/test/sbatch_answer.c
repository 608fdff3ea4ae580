/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test sbatch_answer.c - sbatch --test-only in each version of Slurm
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "whatif/whatif.h"

/* "id time cpus nodes partition victims... [rest]" or "- [rest]" */
static const char *shown(const char *text)
{
	static char buf[1024];
	struct sbatch_answer s;
	int n;

	sbatch_answer_parse(text, &s);
	n = s.starts ? snprintf(buf, sizeof(buf), "%u %ld %u %s '%s'", s.job_id,
				(long) s.start, s.cpus, s.nodes, s.partition)
	    : snprintf(buf, sizeof(buf), "-");
	for (size_t i = 0; i < s.nvictims; i++)
		n += snprintf(buf + n, sizeof(buf) - (size_t) n, " %u",
			      s.victims[i]);
	snprintf(buf + n, sizeof(buf) - (size_t) n, " [%s]", s.rest);
	sbatch_answer_free(&s);
	return buf;
}

static void test_said(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "", "- []" },
		{ "sbatch: Job x to start at once\n",
		  "- [Job x to start at once]" },
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 using 4\n",
		  "- [Job 7 to start at 2026-11-21T07:05:00 using 4]" },
		{ "sbatch:   Preempts: 5\n", "- [  Preempts: 5]" },
		{ "allocation failure: Requested node configuration is not "
		  "available\n", "- [allocation failure: Requested node "
		  "configuration is not available]" },
		/* 22.05, 24.11 */
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 using 4 "
		  "processors on nodes n[1-2] in partition gpu\n",
		  "7 1795244700 4 n[1-2] 'gpu' []" },
		{ "sbatch: Be nice.\nsbatch: Job 7 to start at "
		  "2026-11-21T07:05:00 using 4 processors on nodes n[1-2] in "
		  "partition gpu\nsbatch:   Preempts: 5,6\n",
		  "7 1795244700 4 n[1-2] 'gpu' 5 6 [Be nice.]" },
		/* a heterogeneous job */
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 using 4 "
		  "processors on n[1-2]\n", "7 1795244700 4 n[1-2] '' []" },
		/* 26.05 */
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 on cluster c "
		  "a using 4 processors on nodes n1 in partition gpu\n"
		  "sbatch:   Preempts: 5\n", "7 1795244700 4 n1 'gpu' 5 []" },
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 a using 4 "
		  "processors on nodes n1 in partition gpu\n",
		  "7 1795244700 4 n1 'gpu' []" },
		{ "sbatch: Job 7 to start at Unknown using 4 processors on "
		  "nodes n1 in partition gpu\n", "7 0 4 n1 'gpu' []" },
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(shown(cases[i].text), cases[i].shown);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_said),
	};

	setenv("TZ", "UTC", 1);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
