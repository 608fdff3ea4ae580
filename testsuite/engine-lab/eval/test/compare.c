/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test compare.c - every difference is found, and nothing else
 */
#include "test/tests.h"
#include "eval/compare.h"

struct text {
	char buf[1024];
	size_t len;
};

static void collect(void *arg, const char *path, const char *expected, const char *got)
{
	struct text *t = arg;

	t->len += snprintf(t->buf + t->len, sizeof(t->buf) - t->len, "%s: %s / %s\n", path,
			   expected, got);
}

static const struct {
	const char *expected;
	const char *got;
	const char *differences;
} pairs[] = {
	{ "{'a':1}", "{'a':2}", "a: 1 / 2\n" },
	{ "{'a':1}", "{}", "a: 1 / nothing\n" },
	{ "{}", "{'a':1}", "a: nothing / 1\n" },
	{ "{'a':'1'}", "{'a':1}", "a: \"1\" / 1\n" },
	{ "{'a':true}", "{}", "a: true / nothing\n" },
	{ "{'a':{'b':{'c':1}}}", "{'a':{'b':{'c':0}}}", "a.b.c: 1 / 0\n" },
	{ "{'a':[1,2]}", "{'a':[2,1]}", "a[0]: 1 / 2\na[1]: 2 / 1\n" },
	{ "{'a':[1]}", "{'a':[1,2]}", "a[1]: nothing / 2\n" },
	{ "{'a':[]}", "{'a':['x']}", "a[x]: nothing / \"x\"\n" },
	{ "{'a':['x','y']}", "{'a':['y','z']}",
	  "a[x]: \"x\" / nothing\na[z]: nothing / \"z\"\n" },
	{ "{'t':[{'workload':'a','reason':'r'}]}",
	  "{'t':[{'workload':'a','reason':'s'}]}",
	  "t[a].reason: \"r\" / \"s\"\n" },
	{ "{'t':[{'workload':'a'}]}", "{'t':[]}",
	  "t[a]: {\"workload\":\"a\"} / nothing\n" },
	{ "{'t':[{'workload':'a'}]}", "{}",
	  "t: [{\"workload\":\"a\"}] / nothing\n" },
	{ "{'t':[{'clusterQueue':'q','workload':'a'}]}",
	  "{'t':[{'clusterQueue':'r','workload':'a'}]}",
	  "t[a].clusterQueue: \"q\" / \"r\"\n" },
	{ "{'mode':'Fit'}", "{'mode':'NoFit'}",
	  "mode: \"Fit\" / \"NoFit\"\n" },
	{ "{'mode':'Fit'}", "{}", "mode: \"Fit\" / nothing\n" },
	/* the same */
	{ "{'a':[],'b':{},'c':false,'d':null}", "{}", "" },
	{ "{}", "{'a':[],'b':{},'c':false}", "" },
	{ "{'a':['x','y']}", "{'a':['y','x']}", "" },
	{ "{'p':[{'name':'a','n':1},{'name':'b','n':2}]}",
	  "{'p':[{'name':'b','n':2},{'name':'a','n':1}]}", "" },
	/* members that only one side can have */
	{ "{'message':'m','status':'s'}", "{}", "" },
	{ "{}", "{'mode':'Fit','borrow':1,'usage':[1],'left':{'q':['x']}}", "" },
};

static void test_pairs(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct json_object *e = json_tokener_parse(pairs[i].expected);
		struct json_object *g = json_tokener_parse(pairs[i].got);
		struct text t = { .len = 0 };
		size_t n = compare_json(e, g, collect, &t), lines = 0;

		assert_string_equal(t.buf, pairs[i].differences);
		for (const char *s = t.buf; *s; s++)
			lines += *s == '\n';
		assert_int_equal(n, lines);
		assert_int_equal(compare_json(e, g, NULL, NULL), n);
		json_object_put(e);
		json_object_put(g);
	}
}

static const struct {
	const char *kind;
	const char *line;
	const char *got;
	size_t differences;
} views[] = {
	/* all that Kueue recorded: absent members are not expected */
	{ "cycle",
	  "{'expected':{'heads':[{'workload':'a','clusterQueue':'q','order':0,"
	  "'outcome':'admitted','nominated':{'mode':'Fit'},"
	  "'final':{'mode':'Fit'},'requeueReason':''}],'left':{'q':['b']}}}",
	  "{'heads':[{'workload':'a','clusterQueue':'q','order':0,"
	  "'outcome':'admitted','victims':[],'assignment':{'mode':'Fit'},"
	  "'nominated':{'mode':'Fit'},'recomputed':false}],"
	  "'left':{'q':['b']},'inadmissible':{}}", 0 },
	{ "cycle",
	  "{'expected':{'heads':[{'workload':'a','order':0,"
	  "'nominated':{'mode':'Fit'},'final':{'mode':'Fit'}}]}}",
	  "{'heads':[{'workload':'a','order':1,'assignment':{'mode':'NoFit'},"
	  "'nominated':{'mode':'NoFit'},'recomputed':true,"
	  "'nominatedTargets':[{'workload':'x'}],"
	  "'victims':[{'workload':'x'}]}],"
	  "'left':{'q':['b']},'inadmissible':{'q':['c']}}", 8 },
	{ "cycle", "{'expected':{}}", "{'heads':[],'left':{'q':['b']}}", 1 },
	{ "cycle", "{'expected':{'heads':[]}}", "{'heads':[{'workload':'a'}]}",
	  1 },
	/* only the outcome of the heads: the rest is open, victims are not */
	{ "cycle", "{'expected':{'heads':[{'workload':'a','outcome':'x'}]}}",
	  "{'heads':[{'workload':'a','outcome':'x','order':3,'victims':[],"
	  "'assignment':{'mode':'Fit'},'recomputed':true}],"
	  "'left':{'q':['b']}}", 0 },
	{ "cycle", "{'expected':{'heads':[{'workload':'a','outcome':'x'}]}}",
	  "{'heads':[{'workload':'a','outcome':'x',"
	  "'victims':[{'workload':'v'}]}]}", 1 },
	/* an eviction that came to nothing: the queues are not compared */
	{ "cycle",
	  "{'expected':{'heads':[{'workload':'a','order':0,'outcome':"
	  "'preempting','requeueReason':''}],'inadmissible':{'q':['a']}}}",
	  "{'heads':[{'workload':'a','order':0,'outcome':'preempting'}],"
	  "'left':{'q':['a']}}", 0 },
	{ "cycle",
	  "{'expected':{'heads':[{'workload':'a','order':0,'outcome':"
	  "'preempting','requeueReason':'PendingPreemption'}],"
	  "'inadmissible':{'q':['a']}}}",
	  "{'heads':[{'workload':'a','order':0,'outcome':'preempting'}],"
	  "'left':{'q':['a']}}", 2 },
	/* equal heads in another order */
	{ "cycle",
	  "{'orderUnspecified':true,'expected':{'heads':[{'workload':'a',"
	  "'order':0}]}}", "{'heads':[{'workload':'a','order':1}]}", 0 },
	{ "cycle",
	  "{'orderUnspecified':false,'expected':{'heads':[{'workload':'a',"
	  "'order':0}]}}", "{'heads':[{'workload':'a','order':1}]}", 1 },
	{ "preempt", "{'expected':{'targets':[]}}", "{'targets':[]}", 0 },
	{ "preempt", "{'expected':{}}", "{'targets':[{'workload':'a'}]}", 1 },
	{ "assign", "{'expected':{'targets':[],'assignment':{'mode':'Fit'}}}",
	  "{'assignment':{'mode':'Preempt'}}", 1 },
	{ "min-runtime", "{'expect':{'error':true}}", "{'expect':{}}", 1 },
	{ "min-runtime", "{'expect':{'error':false}}", "{'expect':{}}", 0 },
};

static void test_views(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		struct json_object *line = json_tokener_parse(views[i].line);
		struct json_object *got = json_tokener_parse(views[i].got);
		struct json_object *view = compare_view(views[i].kind, line);

		assert_non_null(line);
		assert_non_null(got);
		assert_int_equal(compare_json(view, got, NULL, NULL), views[i].differences);
		json_object_put(view);
		json_object_put(got);
		json_object_put(line);
	}
}

static const struct {
	const char *line;
	int excused;
} excuses[] = {
	{ "{'expected':{'heads':[{'outcome':'admitted'}]}}", 0 },
	{ "{'expected':{}}", 0 },
	{ "{'expected':{'heads':7}}", 0 },
	{ "{'quirk':'another'}", 0 },
	{ "{'quirk':'mixedModeNominatedFit'}", 1 },
	{ "{'expected':{'heads':[{'outcome':'admitted'},"
	  "{'outcome':'inadmissible'}]}}", 1 },
};

static void test_excuses(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(excuses) / sizeof(excuses[0]); i++) {
		struct json_object *line = json_tokener_parse(excuses[i].line);

		assert_int_equal(compare_excuse(line) != NULL, excuses[i].excused);
		json_object_put(line);
	}
}

static void test_long_names(void **state)
{
	char name[2000], line[4200];
	struct json_object *e, *g = json_tokener_parse("{}");

	(void) state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(line, sizeof(line), "{'%s':{'%s':1}}", name, name);
	e = json_tokener_parse(line);
	assert_int_equal(compare_json(e, e, NULL, NULL), 0);
	assert_int_equal(compare_json(e, g, NULL, NULL), 1);
	json_object_put(e);
	json_object_put(g);
}

TESTS(cmocka_unit_test(test_pairs), cmocka_unit_test(test_views),
      cmocka_unit_test(test_excuses), cmocka_unit_test(test_long_names))
