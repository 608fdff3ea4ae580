/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test trace.c - what traces say: fields, names, files
 */
#include "trace/trace.h"
#include "test/outside.h"

static void split(void **state)
{
	static const struct {
		const char *line;
		char separator;
		int n;
		const char *want;	/* fields, each in brackets */
	} of[] = {
		{ "", ',', 1, "[]" },
		{ "a", ',', 1, "[a]" },
		{ "a,b,", ',', 3, "[a][b][]" },
		{ ",,", ',', 3, "[][][]" },
		{ "a,\"b,c\",d", ',', 3, "[a][b,c][d]" },
		{ "\"say \"\"so\"\"\",x", ',', 2, "[say \"so\"][x]" },
		{ "\"\",x", ',', 2, "[][x]" },
		{ "a|\"b|c", '|', 3, "[a][\"b][c]" },
		{ "a,b|c", '|', 2, "[a,b][c]" },
		{ "a,\"b", ',', -1, "" },
		{ "\"", ',', TRACE_UNCLOSED, "" },
		{ "\"a\"b,c", ',', TRACE_BEHIND, "" },
		{ "\"a\" ,c", ',', TRACE_BEHIND, "" },
		{ "", ' ', 0, "" },
		{ "  1\t 2 3  ", ' ', 3, "[1][2][3]" },
		{ "1 2 3 4 5", ' ', 5, "[1][2][3][4]" },
		{ "1,2,3,4,5", ',', 5, "[1][2][3][4]" },
	};

	for (size_t i = 0; i < COUNT(of); i++) {
		char line[64], *fields[4], got[128] = "";
		int n;

		strcpy(line, of[i].line);
		n = trace_split(line, of[i].separator, fields, 4, false);
		assert_int_equal(n, of[i].n);
		for (int j = 0; j < n && j < 4; j++)
			sprintf(got + strlen(got), "[%s]", fields[j]);
		assert_string_equal(got, of[i].want);
	}
}

static void spans(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;	/* -1: refused */
	} of[] = {
		{ "", -1 }, { "-1", -1 }, { "x", -1 }, { "1.", -1 }, { ".5", -1 },
		{ "1e3", -1 }, { "1000000001", -1 }, { "1.5.5", -1 },
		{ "99999999999999999999999", -1 },
		{ "2.000", 2 }, { "1.9999999999", 2 },
		{ "0", 0 }, { "90", 90 }, { "1:30", 90 }, { "1:00:00", 3600 },
		{ "2-00:00:00", 172800 }, { "30s", 30 }, { "4h", 14400 },
	};
	int64_t ns;

	for (size_t i = 0; i < COUNT(of); i++) {
		int rc = trace_span(of[i].text, SPEC_SEC, &ns);

		assert_int_equal(rc, of[i].seconds < 0 ? -1 : 0);
		if (!rc)
			assert_int_equal(ns, of[i].seconds * SPEC_SEC);
	}
}

static void units(void **state)
{
	int64_t ns;

	assert_int_equal(trace_span("90", 60 * SPEC_SEC, &ns), 0);
	assert_int_equal(ns, 5400 * SPEC_SEC);
	assert_int_equal(trace_span("1.5", 3600 * SPEC_SEC, &ns), 0);
	assert_int_equal(ns, 5400 * SPEC_SEC);
	/* what has a unit or a colon does not need another */
	assert_int_equal(trace_span("90s", 3600 * SPEC_SEC, &ns), 0);
	assert_int_equal(ns, 90 * SPEC_SEC);
}

static void dates(void **state)
{
	static const char *const same[] = {
		"2026-11-21T14:05:11", "2026-11-21T14:05:11Z", "2026-11-21 14:05:11.250",
		"1795269911",
	};
	static const char *const no_dates[] = {
		"2026-11-21", "2026-11-21T14:05:11Zulu", "2026-11-21T14:05:11.",
		"2026-02-30T00:00:00", "1795269911000", "179526991", "Unknown",
		/* more than ns since the epoch can hold */
		"8983-11-21T14:05:11",
	};
	int64_t ns;

	zone_set("UTC");
	for (size_t i = 0; i < COUNT(same); i++) {
		ns = 0;
		assert_int_equal(trace_date(same[i], &ns), 0);
		assert_int_equal(ns, INT64_C(1795269911) * SPEC_SEC);
	}
	for (size_t i = 0; i < COUNT(no_dates); i++)
		assert_int_equal(trace_date(no_dates[i], &ns), -1);
	assert_int_equal(trace_date("1795269911.5", &ns), 0);
	assert_int_equal(trace_date("2100-01-01T00:00:00", &ns), 0);
}

static void texts(void **state)
{
	struct trace_names names = { 0 };
	char text[] = "alice";
	const char *alice = trace_name(&names, text);

	text[0] = 'A';
	assert_string_equal(alice, "alice");
	assert_ptr_equal(trace_name(&names, "alice"), alice);
	assert_ptr_not_equal(trace_name(&names, text), alice);
	assert_string_equal(trace_name(&names, ""), "");
	trace_names_free(&names);
}

static void labels(void **state)
{
	struct trace_names names = { 0 };

	assert_null(trace_labelled(&names, "queue 1"));
	trace_label(&names, "queue 1", "night shift", 5);
	assert_string_equal(trace_labelled(&names, "queue 1"), "night");
	assert_null(trace_labelled(&names, "queue 11"));
	trace_label(&names, "queue 1", "day", 3);
	assert_string_equal(trace_labelled(&names, "queue 1"), "day");
	trace_names_free(&names);
}

static void requests(void **state)
{
	static const struct {
		const char *text;
		const char *want; /* name=amount; or what err begins with */
		int rc;
	} of[] = {
		{ "cpu=4", "cpu=4;", 0 },
		{ "billing=4,cpu=4,gres/gpu=2,mem=16G,node=1",
		  "billing=4;cpu=4;gres/gpu=2;mem=16384;node=1;", 0 },
		{ "mem=3.50G", "mem=3584;", 0 },
		{ "mem=0.5M", "mem=1;", 0 }, /* rounded up */
		{ "mem=1.1K", "mem=1;", 0 },
		{ "mem=1.5", "mem: \"1.5\"", -1 },
		{ "mem=1.5X", "mem: \"1.5X\"", -1 },
		{ "mem=99999999.5P", "mem: \"99999999.5P\"", -1 },
		{ "cpu=1.5K", "cpu: \"1.5K\"", -1 },
		{ "cpu", "\"cpu\" is not", -1 },
		{ "", "is empty", -1 },
		{ "gpu=1", "\"gpu\" is not a resource (gres/gpu would", -1 },
		{ "cpu=1,gpus=1", "\"gpus\" is not a resource (gres/gpu", -1 },
		{ "cpu=1,mem=1G,cpu=2", "cpu comes twice", -1 },
		{ "cpu=1,", "ends in a comma", -1 },
	};
	struct trace_names names = { 0 };

	for (size_t i = 0; i < COUNT(of); i++) {
		char got[256] = "", err[256];
		const struct trace_request *r = trace_request(&names, of[i].text, err, sizeof(err));

		assert_int_equal(r ? 0 : -1, of[i].rc);
		for (size_t j = 0; r && j < r->n; j++)
			sprintf(got + strlen(got), "%s=%lld;", r->amounts[j].resource,
				(long long) r->amounts[j].amount);
		if (r)
			assert_string_equal(got, of[i].want);
		else
			assert_int_equal(strncmp(err, of[i].want, strlen(of[i].want)), 0);
		if (r)
			assert_ptr_equal(trace_request(&names, of[i].text, err, sizeof(err)), r);
	}
	trace_names_free(&names);
}

static void first_keep(void *arg, bool warning, const char *message)
{
	char *said = arg;

	(void) warning;
	if (!*said)
		snprintf(said, 256, "%s", message + strlen(tests_path));
}

/* said: the first message */
static void file_load(const char *columns, char *said)
{
	const struct trace_options how = { .columns = columns };

	*said = '\0';
	trace_free(trace_load(tests_path, &how, first_keep, said));
}

#define HEAD "submit,duration,request\n"
#define NUL_LINE "contains a NUL byte"

/* A line that begins with NUL is no empty line, and one with NUL in it does
 * not end there. */
static const struct {
	const char *text;
	size_t len;
	const char *said;
} files[] = {
	{ "\0\n", 2, ":1: " NUL_LINE },
	{ "\0", 1, ":1: " NUL_LINE },
	{ HEAD "\0\n", sizeof(HEAD) + 1, ":2: " NUL_LINE },
	{ HEAD "0,1,cpu=1\0,2\n", sizeof(HEAD) + 12, ":2: " NUL_LINE },
	{ HEAD "0,1,cpu=1\r\n \r\n\r\n", sizeof(HEAD) + 15, "" },
};

static void test_nul(void **state)
{
	for (size_t i = 0; i < COUNT(files); i++) {
		FILE *f = fopen(tests_path, "w");
		char said[256] = "";

		assert_non_null(f);
		assert_int_equal(fwrite(files[i].text, 1, files[i].len, f), files[i].len);
		fclose(f);
		file_load(NULL, said);
		assert_string_equal(said, files[i].said);
	}
}

static void file_write(const char *text)
{
	FILE *f = fopen(tests_path, "w");

	assert_non_null(f);
	assert_int_equal(fputs(text, f) >= 0, 1);
	fclose(f);
}

#define SWF_END " -1 -1 5 6 -1 2 1 -1 -1\n"

/* What makes a row no job, and what a job is made of */
static void test_swf(void **state)
{
	char said[256] = "";
	struct trace *t;

	file_write("; UnixStartTime: 1132444805\n;   MaxProcs: 24\n"
		   "; Computer: big iron \n; Queue: 2 night batch\n"
		   "; Partition: 7 unused\n\n"
		   "1 100 -1 60 4 -1 -1 -1 -1" SWF_END
		   "2 90 -1 30 4 -1 -1 8 -1 1024 1 5 6 -1 3 -1 -1 -1\n"
		   "3 90 -1 -1 4 -1 -1 8 -1" SWF_END "4 90 -1 5 -1 -1 -1 -1 -1" SWF_END
		   "5 -1 -1 5 4 -1 -1 -1 -1" SWF_END
		   "6 90 -1 5 4 -1 -1 -1 -1 -1 3 5 6 -1 2 1 -1 -1\n");
	t = trace_load(tests_path, &(struct trace_options) { 0 }, first_keep, said);
	assert_string_equal(said, "");
	assert_non_null(t);
	assert_int_equal(t->kind, TRACE_SWF);
	assert_true(t->dates);
	assert_string_equal(t->computer, "big iron");
	assert_int_equal(t->processors, 24);
	assert_int_equal(t->n, 2);
	assert_int_equal(t->skipped, 4);
	for (int i = TRACE_NEVER_RAN; i < TRACE_CAUSES; i++)
		assert_int_equal(t->left_out[i], 1);
	/* in the order of submission */
	assert_int_equal(t->jobs[0].submit, 1132444895 * SPEC_SEC);
	assert_int_equal(t->jobs[0].duration, 30 * SPEC_SEC);
	assert_int_equal(t->jobs[0].request->n, 2);
	assert_int_equal(t->jobs[0].request->amounts[0].amount, 8);
	assert_int_equal(t->jobs[0].request->amounts[1].amount, 8);
	assert_string_equal(t->jobs[0].qos, "3");
	assert_null(t->jobs[0].partition);
	assert_int_equal(t->jobs[1].request->amounts[0].amount, 4);
	assert_string_equal(t->jobs[1].user, "5");
	assert_string_equal(t->jobs[1].account, "6");
	assert_string_equal(t->jobs[1].qos, "night");
	assert_string_equal(t->jobs[1].partition, "1");
	trace_free(t);
}

static const struct {
	const char *columns;
	const char *text;
	const char *said;
} wrong[] = {
	{ NULL, "1 2 3\n", ":1: has 3 fields; a job of the Standard Workload Format has 18" },
	{ NULL, ";\n1 x -1 5 4 -1 -1 -1 -1" SWF_END,
	  ":2: submit time: \"x\" is not a number, or -1 for one that is not known" },
	{ NULL, ";\n1 0 -1 nan 4 -1 -1 -1 -1" SWF_END,
	  ":2: run time: \"nan\" is not a number, or -1 for one that is not known" },
	{ NULL, ";\n1 0 -1 1e12 4 -1 -1 -1 -1" SWF_END,
	  ":2: run time: over the maximum of 1000000000 s" },
	{ NULL, "; UnixStartTime: soon\n",
	  ":1: UnixStartTime: \"soon\" is not a number of seconds since the "
	  "epoch, before all jobs" },
	{ NULL, ";\n", ": contains no jobs" },
	{ "submit=a", ";\n", ": is in the Standard Workload Format, which has no --columns or "
	  "--unit" },
	{ NULL, HEAD "0,1,cpu=1,gres/gpu=1\n",
	  ":2: has more than the 3 fields of the line of headings (a field with commas is written "
	  "in quotes: \"cpu=1,gres/gpu=1\")" },
	{ NULL, HEAD "0,1,gpu=1\n",
	  ":2: request: \"gpu\" is not a resource (gres/gpu would be right)" },
	{ NULL, HEAD "0,1,\n", ":2: request: is empty (\"cpu=4,mem=16G\" would be right)" },
	{ NULL, HEAD "0,,cpu=1\n", ":2: duration: \"\" is not a time (90, 1:30:00, 4h)" },
	{ NULL, "submit,duration,request,checkpoint\n0,1,cpu=1,\n0,1,cpu=1,hourly\n",
	  ":3: checkpoint: \"hourly\" is not a time (90, 1:30:00, 4h)" },
	{ NULL, "submit,duration,request,submit\n", ":1: two columns are called \"submit\"" },
	{ NULL, "submit,duration,request,x\n0,1,cpu=1\n",
	  ":2: has 3 fields, and the line of headings has 4" },
	{ "duration", HEAD, ":1: --columns: \"duration\" is not NAME=COLUMN (submit=start_time)" },
	{ "submit=", HEAD, ":1: --columns: \"submit=\" is not NAME=COLUMN (submit=start_time)" },
	{ "gpu=n", HEAD, ":1: --columns: \"gpu\" is not a resource (gres/gpu would be right); the "
	  "others are submit, duration, request, tasks, queue, class, partition, qos, account, "
	  "user, features, preemptibility, checkpoint" },
	{ "user=who", HEAD, ":1: missing column: who" },
	{ "gres/gpu=n", "submit,duration,n\n0,1,x\n",
	  ":2: gres/gpu (column \"n\"): \"x\" is not an amount (a whole number, with a suffix K, "
	  "M, G, T or P if wanted)" },
	{ "gres/gpu=n", "submit,duration,n\n"
	  "0,1,00000000000000000000000000000001\n",
	  ":2: gres/gpu (column \"n\"): is too long for an amount (at most 31 characters)" },
	{ NULL, "JobID|Submit|ElapsedRaw|AllocTRES\n"
	  "a|2026-11-01T00:00:00|5|cpu=1\n",
	  ":2: JobID: \"a\" is not the id of a job" },
	{ NULL, "JobID|Submit|ElapsedRaw|AllocTRES\n"
	  "1|soon|5|cpu=1\n",
	  ":2: Submit: \"soon\" is not a time (2026-11-21T14:05:11)" },
	{ NULL, "JobID|Submit|Constraints|ElapsedRaw|AllocTRES\n"
	  "1|2026-11-01T00:00:00|a|b|5|cpu=1\n",
	  ":2: has more than the 5 fields of the line of headings (with Constraints last, these "
	  "may contain |)" },
};

/* Twenty columns of resources with the longest names there are are too many. */
static void test_long_request(void **state)
{
	char columns[2048] = "", text[1024] = "submit,duration", said[256] = "";

	for (char c = 'a'; c < 'a' + 20; c++) {
		sprintf(columns + strlen(columns), "%sgres/%c%057d=%c", *columns ? "," : "", c, 0,
			c);
		sprintf(text + strlen(text), ",%c", c);
	}
	strcat(text, "\n0,1");
	for (int i = 0; i < 20; i++)
		strcat(text, ",1");
	strcat(text, "\n");
	file_write(text);
	file_load(columns, said);
	assert_non_null(strstr(said, "the request of all columns is too long (at most 1023 "
				     "characters)"));
}

static void test_wrong(void **state)
{
	for (size_t i = 0; i < COUNT(wrong); i++) {
		char said[256] = "";

		file_write(wrong[i].text);
		file_load(wrong[i].columns, said);
		assert_string_equal(said, wrong[i].said);
	}
}

/* A trace of some site: other headings, a column for each resource, units */
static void test_columns(void **state)
{
	const struct trace_options how = {
		.columns = "submit=start,duration=hours,user=who,gres/gpu=gpus,cpu=cpus",
		.unit = 3600 * SPEC_SEC,
	};
	char said[256] = "";
	struct trace *t;

	file_write("who,start,hours,gpus,cpus,model\n"
		   "al,1132444805,1.5,2,8,x\n" "bo,1132444810,2,0,0,x\n"
		   "al,1132444800,30m,0,4,x\n");
	t = trace_load(tests_path, &how, first_keep, said);
	assert_string_equal(said, "");
	assert_non_null(t);
	assert_int_equal(t->n, 2);
	assert_true(t->dates);
	assert_int_equal(t->left_out[TRACE_NO_REQUEST], 1);
	assert_string_equal(t->unused, "model");
	assert_int_equal(t->jobs[0].duration, 1800 * SPEC_SEC);
	assert_int_equal(t->jobs[0].request->n, 1);
	assert_int_equal(t->jobs[1].duration, 5400 * SPEC_SEC);
	assert_int_equal(t->jobs[1].request->n, 2);
	assert_string_equal(t->jobs[1].request->amounts[0].resource, "gres/gpu");
	assert_ptr_equal(t->jobs[0].user, t->jobs[1].user);
	trace_free(t);
}

/* The features of sacct's last field may contain its separator. */
static void test_features(void **state)
{
	char said[256] = "";
	struct trace *t;

	file_write("JobID|Submit|ElapsedRaw|AllocTRES|Constraints\n"
		   "1|2026-11-01T00:00:00|5|cpu=1|a|b\n");
	t = trace_load(tests_path, &(struct trace_options) { 0 }, first_keep, said);
	assert_string_equal(said, "");
	assert_non_null(t);
	assert_string_equal(t->jobs[0].features, "a|b");
	trace_free(t);
}

static void last_keep(void *arg, bool warning, const char *message)
{
	(void) warning;
	snprintf(arg, 256, "%s", message + strlen(tests_path));
}

/* A million wrong rows are no million messages. */
static void test_many_errors(void **state)
{
	FILE *f = fopen(tests_path, "w");
	char said[256] = "";

	assert_non_null(f);
	fputs(HEAD, f);
	for (int i = 0; i < 50; i++)
		fputs("0,x,cpu=1\n", f);
	fclose(f);
	trace_free(trace_load(tests_path, &(struct trace_options) { 0 }, last_keep, said));
	assert_string_equal(said, ": 30 more rows are wrong");
}

TESTS_WITH(tests_path_make, tests_path_remove, cmocka_unit_test(split), cmocka_unit_test(spans),
	   cmocka_unit_test(units), cmocka_unit_test(dates), cmocka_unit_test(texts),
	   cmocka_unit_test(labels), cmocka_unit_test(requests), cmocka_unit_test(test_nul),
	   cmocka_unit_test(test_swf), cmocka_unit_test(test_long_request),
	   cmocka_unit_test(test_wrong), cmocka_unit_test(test_columns),
	   cmocka_unit_test(test_features), cmocka_unit_test(test_many_errors))
