/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test kai.c - min-runtime rows: resolution, protection, elasticity
 */
#include <json.h>

#include "test/tests.h"
#include "answer_text.h"
#include "eval/answer.h"

/* root r (100) - m (reclaim 50) - x (900); r - y; z alone, outside */
#define TREE "'tree':[{'name':'r','parent':'','reclaim_min_runtime_s':100}," \
	"{'name':'m','parent':'r','preempt_min_runtime_s':0," \
	"'reclaim_min_runtime_s':50}," \
	"{'name':'x','parent':'m','preempt_min_runtime_s':null," \
	"'reclaim_min_runtime_s':900},{'name':'y','parent':'r'}," \
	"{'name':'z','parent':'gone','in_registry':false}," \
	"{'name':'zz','parent':'z'}]," \
	"'defaults':{'preempt_s':2,'reclaim_s':1}"
#define VICTIM(min, total, active, evict) \
	"'victim':{'start_ms':1000,'subgroups':{'g':{'min_available':" #min \
	",'pods_total':" #total ",'active_used':" #active "}}," \
	"'evict':{'g':" #evict "}}"

static const struct {
	const char *kind;
	const char *line;
	const char *expect;		/* or the error */
} rows[] = {
	/* errors */
	{ "resolve", "{'tree':[{'name':'a','parent':'b'},"
	  "{'name':'b','parent':'a'}]}", "tree: \"a\" is its own ancestor" },
	{ "resolve", "{'tree':[{'name':'a'},{'name':'a'}]}",
	  "tree[1].name: \"a\" is there twice" },
	{ "resolve", "{" TREE ",'action':'evict'}",
	  "action: \"evict\" is not known" },
	{ "resolve", "{" TREE ",'preemptee_queue':'q'}",
	  "preemptee_queue: there is no \"q\"" },
	{ "filter", "{'resolved_duration_s':1,'victim':{'subgroups':"
	  "{'g':{'pods_total':-1}}}}",
	  "victim.subgroups.g.pods_total: -1 is under 0" },
	/* resolution */
	{ "resolve", "{" TREE ",'action':'preempt',"
	  "'preemptee_queue':'x'}", "{'duration_s':0,'error':false}" },
	{ "resolve", "{" TREE ",'action':'preempt',"
	  "'preemptee_queue':null}", "{'duration_s':2,'error':true}" },
	{ "resolve", "{" TREE ",'action':'reclaim','method':'lca',"
	  "'preemptor_queue':'y','preemptee_queue':'x'}",
	  "{'duration_s':50,'error':false}" },
	{ "resolve", "{" TREE ",'action':'reclaim','method':'queue',"
	  "'preemptor_queue':'y','preemptee_queue':'x'}",
	  "{'duration_s':900,'error':false}" },
	{ "resolve", "{" TREE ",'action':'reclaim','method':null,"
	  "'preemptor_queue':'z','preemptee_queue':'x'}",
	  "{'duration_s':100,'error':false}" },
	{ "resolve", "{" TREE ",'action':'reclaim',"
	  "'preemptee_queue':'x'}", "{'duration_s':1,'error':true}" },
	{ "path", "{" TREE ",'queue':'x'}", "{'path':['r','m','x']}" },
	{ "path", "{" TREE ",'queue':'z'}", "{'path':['z']}" },
	{ "path", "{" TREE ",'queue':'zz'}", "{'path':['zz']}" },
	/* whole and elastic victims, at the edge of protection */
	{ "filter", "{'resolved_duration_s':60,'now_ms':60999,"
	  VICTIM(1, 1, 1, 0) "}", "{'eligible':false}" },
	{ "filter", "{'resolved_duration_s':60,'now_ms':61000,"
	  VICTIM(1, 1, 1, 0) "}", "{'eligible':true}" },
	{ "filter", "{'resolved_duration_s':60,'now_ms':1000,"
	  VICTIM(1, 2, 1, 0) "}", "{'eligible':true}" },
	{ "filter", "{" TREE ",'action':'reclaim','preemptor_queue':'y',"
	  "'preemptee_queue':'x','now_ms':51000," VICTIM(1, 1, 1, 0) "}",
	  "{'eligible':true,'resolved_duration_s':50}" },
	{ "scenario", "{'now_ms':0,'victims':[{'resolved_duration_s':9,"
	  "'start_ms':0,'subgroups':{'g':{'min_available':2,'pods_total':5,"
	  "'active_used':5}},'evict':{'g':3}}]}", "{'valid':true}" },
	{ "scenario", "{'now_ms':0,'victims':[{'resolved_duration_s':9,"
	  "'start_ms':0,'subgroups':{'g':{'min_available':2,'pods_total':5,"
	  "'active_used':5}},'evict':{'g':4}}]}", "{'valid':false}" },
	{ "scenario", "{'now_ms':0,'victims':[{'resolved_duration_s':9,"
	  "'start_ms':null,'subgroups':{'g':{'min_available':2,'pods_total':5,"
	  "'active_used':5}},'evict':{'g':4}}]}", "{'valid':true}" },
	{ "scenario", "{" TREE ",'action':'preempt','now_ms':0,"
	  "'victims':[{'queue':'y','start_ms':0},{'queue':'x','start_ms':0}]}",
	  "{'valid':true,'resolved_duration_s':[2,0],"
	  "'protected':[true,false]}" },
	{ "min-runtime", "{" TREE ",'preemptor_queue':'y',"
	  "'preemptee_queue':'x','now_ms':51000," VICTIM(1, 3, 3, 3) "}",
	  "{'preempt':{'duration_s':0,'error':false,'protected':false,"
	  "'filter_eligible':true,'scenario_valid':true,'evictable':true},"
	  "'reclaim_lca':{'duration_s':50,'error':false,'protected':false,"
	  "'filter_eligible':true,'scenario_valid':true,'evictable':true},"
	  "'reclaim_queue':{'duration_s':900,'error':false,'protected':true,"
	  "'filter_eligible':true,'scenario_valid':false,'evictable':false},"
	  "'elastic':true}" },
};

static void row_check(size_t i)
{
	struct json_object *line = json_tokener_parse(rows[i].line);
	struct json_object *got;
	char err[256] = "";
	struct fault fault = { .buf = err, .size = sizeof(err) };
	struct at root;

	assert_non_null(line);
	at_root(&root, line, &fault);
	got = answer_kai(rows[i].kind, &root);
	answer_is_text(got, &fault, rows[i].expect);
	json_object_put(got);
	json_object_put(line);
}

static void test_rows(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		row_check(i);
}

TESTS(cmocka_unit_test(test_rows))
