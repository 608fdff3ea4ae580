/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test whatif.c - the arguments that are sbatch's, and its answer
 */
#include "whatif/whatif.h"
#include "test/outside.h"

static const struct {
	const char *line, *own, *rest;
} cases[] = {
	{ "", "", "" },
	{ "--at=now --json -n1", "--at=now --json", "-n1" },
	/* behind options of sbatch, with values and without */
	{ "-A bio --gres=gpu:1 --at=now+1hour", "--at=now+1hour", "-A bio --gres=gpu:1" },
	{ "-A bio --at now+1hour -n1", "--at now+1hour", "-A bio -n1" },
	{ "--account bio --json --hold --at=x", "--json --at=x", "--account bio --hold" },
	{ "-HA bio --at=x", "--at=x", "-HA bio" },
	{ "-Abio -H --at=x", "--at=x", "-Abio -H" },
	{ "-N 2 -W run.sh --at=x", "", "-N 2 -W run.sh --at=x" },
	/* what belongs to the script */
	{ "run.sh --at=x --json", "", "run.sh --at=x --json" },
	{ "--exclusive run.sh --at=x", "", "--exclusive run.sh --at=x" },
	{ "--yaml -n1 run.sh --json", "--yaml", "-n1 run.sh --json" },
	/* -- ends ours */
	{ "--json -- --at=x", "--json", "--at=x" },
	{ "-n1 -- --at=x", "", "-n1 -- --at=x" },
	/* sbatch has these, too */
	{ "--help", "--help", "" },
	{ "-n1 --help", "", "-n1 --help" },
	/* a value that looks like an option */
	{ "-J --json --at=x", "--at=x", "-J --json" },
	{ "--at", "--at", "" },
	{ "-A", "", "-A" },
};

static void words_join(char *buf, size_t size, char **words, int n)
{
	size_t used = 0;

	buf[0] = '\0';
	for (int i = 0; i < n; i++)
		used += (size_t) snprintf(buf + used, size - used, "%s%s", i ? " " : "", words[i]);
	assert_null(words[n]);
}

static void test_split(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		char line[128], own[128], rest[128], *argv[16] = { "whatif" };
		int argc = 1;
		struct split s;

		snprintf(line, sizeof(line), "%s", cases[i].line);
		for (char *w = strtok(line, " "); w; w = strtok(NULL, " "))
			argv[argc++] = w;
		split_make(&s, argc, argv);
		assert_string_equal(s.own[0], "whatif");
		words_join(own, sizeof(own), s.own + 1, s.nown - 1);
		words_join(rest, sizeof(rest), s.rest, s.nrest);
		assert_string_equal(own, cases[i].own);
		assert_string_equal(rest, cases[i].rest);
		split_free(&s);
	}
}

/* "id time cpus nodes partition victims... [rest]" or "- [rest]" */
static const char *shown(const char *text)
{
	static char buf[1024];
	struct sbatch_answer s;
	int n;

	sbatch_answer_parse(text, &s);
	n = s.starts ? snprintf(buf, sizeof(buf), "%u %ld %u %s '%s'", s.job_id, (long) s.start,
				s.cpus, s.nodes, s.partition)
		     : snprintf(buf, sizeof(buf), "-");
	for (size_t i = 0; i < s.nvictims; i++)
		n += snprintf(buf + n, sizeof(buf) - (size_t) n, " %u", s.victims[i]);
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
		{ "sbatch: Job x to start at once\n", "- [Job x to start at once]" },
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 using 4\n",
		  "- [Job 7 to start at 2026-11-21T07:05:00 using 4]" },
		{ "sbatch:   Preempts: 5\n", "- [  Preempts: 5]" },
		{ "allocation failure: Requested node configuration is not "
		  "available\n", "- [allocation failure: Requested node configuration is not "
		  "available]" },
		/* 22.05, 24.11 */
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 using 4 processors on nodes "
		  "n[1-2] in partition gpu\n",
		  "7 1795244700 4 n[1-2] 'gpu' []" },
		{ "sbatch: Be nice.\nsbatch: Job 7 to start at 2026-11-21T07:05:00 using 4 "
		  "processors on nodes n[1-2] in partition gpu\nsbatch:   Preempts: 5,6\n",
		  "7 1795244700 4 n[1-2] 'gpu' 5 6 [Be nice.]" },
		/* a heterogeneous job */
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 using 4 "
		  "processors on n[1-2]\n", "7 1795244700 4 n[1-2] '' []" },
		/* 26.05 */
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 on cluster c a using 4 processors "
		  "on nodes n1 in partition gpu\n"
		  "sbatch:   Preempts: 5\n", "7 1795244700 4 n1 'gpu' 5 []" },
		{ "sbatch: Job 7 to start at 2026-11-21T07:05:00 a using 4 processors on nodes n1 "
		  "in partition gpu\n",
		  "7 1795244700 4 n1 'gpu' []" },
		{ "sbatch: Job 7 to start at Unknown using 4 processors on nodes n1 in partition "
		  "gpu\n", "7 0 4 n1 'gpu' []" },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(shown(cases[i].text), cases[i].shown);
}

TESTS_WITH(tests_in_utc, NULL, cmocka_unit_test(test_split), cmocka_unit_test(test_said))
