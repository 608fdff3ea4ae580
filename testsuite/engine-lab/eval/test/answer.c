/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test answer.c - answers in the form that doc/conformance.md promises
 */
#include <json.h>

#include "test/tests.h"
#include "answer_text.h"
#include "eval/answer.h"

/* Two queues of a cohort, 4 CPUs of f each; b holds 7 in three pieces. */
#define SITE "'now':1000,'flavors':[{'name':'f'},{'name':'g'}]," \
	"'cohorts':[{'name':'c'}],'clusterQueues':[" \
	"{'name':'a','cohort':'c','resourceGroups':[{'coveredResources':" \
	"['cpu'],'flavors':['f','g']}],'quotas':[{'flavor':'f','resource':" \
	"'cpu','nominal':4},{'flavor':'g','resource':'cpu','nominal':1}]," \
	"'preemption':{'withinClusterQueue':'Never'," \
	"'reclaimWithinCohort':'Any'}}," \
	"{'name':'b','cohort':'c','resourceGroups':[{'coveredResources':" \
	"['cpu'],'flavors':['f']}],'quotas':[{'flavor':'f','resource':" \
	"'cpu','nominal':4}]}]"
#define RUNNING(name, uid, n) "{'name':'" name "','uid':'" uid \
	"','clusterQueue':'b','podSets':[{'name':'p','requests':{'cpu':" n \
	"},'flavors':{'cpu':'f'}}],'usage':[{'flavor':'f','resource':'cpu'," \
	"'amount':" n "}]}"
#define ADMITTED "'admitted':[" RUNNING("y", "1", "2") "," \
	RUNNING("x", "2", "2") "," RUNNING("z", "3", "3") "]"
#define WAITING(name, uid, n) "{'name':'" name "','uid':'" uid \
	"','clusterQueue':'a','podSets':[{'name':'p','count':2," \
	"'requests':{'cpu':" n "}}]}"
#define REQUEST(workload, n) "'request':{'workload':'" workload "'," \
	"'quantities':[{'flavor':'f','resource':'cpu','amount':" n "}]," \
	"'needPreemption':[{'flavor':'f','resource':'cpu'}]}"

static const struct {
	answer_f answer;
	bool detail;
	const char *line;
	const char *answer_text;	/* or the error */
} rows[] = {
	/* errors */
	{ answer_preempt, false, "{" SITE "}",
	  "request.workload: is missing" },
	{ answer_preempt, false, "{" SITE "," REQUEST("w", "1") "}",
	  "request.workload: \"w\" is not pending" },
	{ answer_preempt, false, "{" SITE ",'pending':[" WAITING("w", "9", "4")
	  "]," REQUEST("w", "-1") "}",
	  "request.quantities[0].amount: -1 is under 0" },
	{ answer_assign, false, "{" SITE "}", "pending: is empty" },
	{ answer_assign, false, "{" SITE "," ADMITTED ",'pending':["
	  WAITING("w", "9", "4") "],'simulation':[{'flavor':'*','resource':"
	  "'*','possibility':'Perhaps'}]}",
	  "simulation[0].possibility: \"Perhaps\" is not known" },
	/* victims are sorted by name, in whatever order the search found
	 * them */
	{ answer_preempt, false, "{" SITE "," ADMITTED ",'pending':["
	  WAITING("w", "9", "4") "]," REQUEST("w", "4") "}",
	  "{'targets':[{'workload':'x','clusterQueue':'b','reason':"
	  "'InCohortReclamation'},{'workload':'y','clusterQueue':'b',"
	  "'reason':'InCohortReclamation'}]}" },
	{ answer_preempt, false, "{" SITE "," ADMITTED ",'pending':["
	  WAITING("w", "9", "4") "]," REQUEST("w", "9") "}",
	  "{'targets':[]}" },
	/* the prepared answer for a pair goes before the one for all */
	{ answer_assign, false, "{" SITE "," ADMITTED ",'pending':["
	  WAITING("w", "9", "4") "],'simulation':[{'flavor':'*','resource':"
	  "'*','possibility':'NoCandidates'},{'flavor':'f','resource':'cpu',"
	  "'possibility':'Reclaim','borrow':2}]}",
	  "{'assignment':{'mode':'Preempt','borrow':2,'podSets':[{'name':'p',"
	  "'count':2,'flavors':{'cpu':{'flavor':'f','triedFlavorIdx':-1}}}]}}" },
	{ answer_assign, true, "{" SITE ",'pending':[" WAITING("w", "9", "4")
	  "]}",
	  "{'assignment':{'mode':'Fit','borrow':0,'podSets':[{'name':'p',"
	  "'count':2,'flavors':{'cpu':{'flavor':'f','triedFlavorIdx':0,"
	  "'mode':'Fit','borrow':0}}}],'usage':[{'flavor':'f','resource':"
	  "'cpu','amount':4}]}}" },
	{ answer_assign, true, "{" SITE ",'pending':[" WAITING("w", "9", "40")
	  "]}",
	  "{'assignment':{'mode':'NoFit','borrow':0,'podSets':[{'name':'p',"
	  "'count':2,'flavors':{},'noFit':true}],'usage':[]}}" },
	{ answer_cycle, false, "{" SITE ",'pending':[" WAITING("w", "9", "4")
	  "," WAITING("v", "8", "40") "]}",
	  "{'heads':[{'workload':'v','clusterQueue':'a','root':'cohort:c',"
	  "'order':0,'outcome':'nofit','victims':[],'assignment':{'mode':"
	  "'NoFit','borrow':0,'podSets':[{'name':'p','count':2,'flavors':{}"
	  "}]}}],'left':{'a':['w']},'inadmissible':{'a':['v']}}" },
};

static void row_check(size_t i)
{
	struct json_object *line = json_tokener_parse(rows[i].line);
	struct json_object *got = NULL;
	char err[256] = "";
	struct fault fault = { .buf = err, .size = sizeof(err) };
	struct scenario *s;
	struct at root;

	assert_non_null(line);
	at_root(&root, line, &fault);
	s = scenario_create(&root);
	if (s)
		got = rows[i].answer(s, &root, rows[i].detail);
	answer_is_text(got, &fault, rows[i].answer_text);
	scenario_destroy(s);
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
