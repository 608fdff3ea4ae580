/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test scenario.c - the spec and the books have what the JSON has
 */
#include <json.h>

#include "test/tests.h"
#include "eval/scenario.h"
#include "query.h"

static char err[256];
static struct fault fault;
static struct json_object *json;

/* The scenario of a text in single quotes, or NULL with err set */
static struct scenario *scenario_of(const char *text)
{
	struct at root;

	err[0] = '\0';
	fault = (struct fault) { .buf = err, .size = sizeof(err) };
	json_object_put(json);
	json = json_tokener_parse(text);
	assert_non_null(json);
	at_root(&root, json, &fault);
	return scenario_create(&root);
}

static int teardown(void **state)
{
	(void) state;
	json_object_put(json);
	json = NULL;
	return 0;
}

static const struct {
	const char *text;
	const char *error;
} parses[] = {
	{ "", "the line ends inside the JSON" },
	{ "{\"a\":1", "the line ends inside the JSON" },
	{ "[1]", "not a JSON object" },
	{ "\"text\"", "not a JSON object" },
	{ "{\"a\":1}}", "not JSON: unexpected character at column 8" },
	{ "{a:1}", "not JSON: quoted object property name expected at "
	  "column 2" },
	{ "{\"a\":1,}", "not JSON: unexpected character at column 8" },
	{ "{\"a\":\"\xff\"}", "not JSON: invalid utf-8 string at column 7" },
	{ "{\"a\":1} \t\r", NULL },
};

static void test_parse(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(parses) / sizeof(parses[0]); i++) {
		char text[64], message[128] = "";
		struct json_object *o;

		/* not NUL-terminated */
		memset(text, '#', sizeof(text));
		memcpy(text, parses[i].text, strlen(parses[i].text));
		o = scenario_parse(text, strlen(parses[i].text), message, sizeof(message));
		assert_int_equal(o == NULL, parses[i].error != NULL);
		if (parses[i].error)
			assert_string_equal(message, parses[i].error);
		json_object_put(o);
	}
}

#define QUEUE(name, more) "{'name':'" name "','resourceGroups':[" \
	"{'coveredResources':['cpu'],'flavors':['f','g']}]," \
	"'quotas':[{'flavor':'f','resource':'cpu','nominal':10}]" more "}"
#define SITE(queues, more) "{'now':1000,'flavors':[{'name':'f'}," \
	"{'name':'g'}],'clusterQueues':[" queues "]" more "}"

static const struct {
	const char *text;
	const char *error;
} errors[] = {
	{ "{}", "now: is missing" },
	{ "{'now':'noon'}", "now: must be an int, not string" },
	{ SITE("{}", ""), "clusterQueues[0].name: is missing" },
	{ SITE(QUEUE("a", "") "," QUEUE("a", ""), ""),
	  "clusterQueues[1].name: \"a\" is there twice" },
	{ SITE(QUEUE("a", ",'queueingStrategy':'LIFO'"), ""),
	  "clusterQueues[0].queueingStrategy: \"LIFO\" is not known" },
	{ SITE(QUEUE("a", ",'preemption':{'withinClusterQueue':'Some'}"), ""),
	  "clusterQueues[0].preemption.withinClusterQueue: \"Some\" is not "
	  "known" },
	{ SITE(QUEUE("a", ",'preemption':{'borrowWithinCohort':"
		     "{'policy':'Any'}}"), ""),
	  "clusterQueues[0].preemption.borrowWithinCohort.policy: \"Any\" is "
	  "not known" },
	{ SITE(QUEUE("a", ",'nonPreemptible':{'scope':'Site'}"), ""),
	  "clusterQueues[0].nonPreemptible.scope: \"Site\" is not known" },
	{ SITE(QUEUE("a", ""), ",'pending':[{'name':'w','clusterQueue':'a',"
	       "'preemptibility':'never'}]"),
	  "pending[0].preemptibility: \"never\" is not known" },
	{ SITE("", ",'fairSharingStrategies':['LessThanInitialShare','Least']"),
	  "fairSharingStrategies[1]: \"Least\" is not known" },
	{ SITE("", ",'cohorts':[{'name':'c'},{'name':'c'}]"),
	  "cohorts[1].name: \"c\" is there twice" },
	{ SITE("", ",'cohorts':[{'name':'c','weight':-1}]"),
	  "cohorts[0].weight: -1 is not a weight" },
	{ SITE("", ",'cohorts':[{'name':'c','quotas':[{'flavor':'f',"
	       "'resource':'cpu','nominal':1,'lendingLimit':-1}]}]"),
	  "cohorts[0].quotas[0].lendingLimit: -1 is under 0" },
	{ SITE(QUEUE("a", ""), ",'pending':[{'name':'w','clusterQueue':'b'}]"),
	  "pending[0].clusterQueue: there is no \"b\"" },
	{ SITE(QUEUE("a", ""), ",'pending':[{'name':'w','clusterQueue':'a',"
	       "'podSets':[{'name':'p','count':1,'minCount':2}]}]"),
	  "pending[0].podSets[0].minCount: is over count" },
	{ SITE(QUEUE("a", ""), ",'pending':[{'name':'w','clusterQueue':'a',"
	       "'podSets':[{'name':'p','requests':{'cpu':-1}}]}]"),
	  "pending[0].podSets[0].requests.cpu: -1 is under 0" },
	{ SITE(QUEUE("a", ""), ",'admitted':[{'name':'w','clusterQueue':'a',"
	       "'usage':[{'flavor':'f','amount':1}]}]"),
	  "admitted[0].usage[0].resource: is missing" },
	{ SITE(QUEUE("a", ""), ",'extraUsage':[{'clusterQueue':'z',"
	       "'flavor':'f','resource':'cpu','amount':1}]"),
	  "extraUsage[0].clusterQueue: there is no \"z\"" },
};

static void test_errors(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		assert_null(scenario_of(errors[i].text));
		assert_string_equal(err, errors[i].error);
	}
}

/* spec_is_valid() has to refuse cohorts in a circle, not this code. */
static void test_cohort_circle(void **state)
{
	(void) state;
	assert_null(scenario_of(SITE("", ",'cohorts':[{'name':'c','parent':"
				     "'d'},{'name':'d','parent':'c'}]")));
	assert_true(err[0]);
}

static void test_defaults(void **state)
{
	struct scenario *s = scenario_of(SITE(QUEUE("a", ""), ""));
	const struct spec_queue *q;

	(void) state;
	assert_non_null(s);
	q = &s->spec->queues[0];
	assert_true(s->now == 1000 * SPEC_SEC);
	assert_int_equal(q->cohort, SPEC_NONE);
	assert_int_equal(q->strategy, STRATEGY_BEST_EFFORT_FIFO);
	assert_int_equal(q->within, POLICY_NEVER);
	assert_int_equal(q->reclaim, POLICY_NEVER);
	assert_false(q->borrow_set || q->threshold_set || q->inactive);
	assert_int_equal(q->when_can_borrow, FUNGIBILITY_MAY_STOP);
	assert_int_equal(q->when_can_preempt, FUNGIBILITY_TRY_NEXT);
	assert_true(q->min_admit == SPEC_NO_TIME);
	assert_true(q->preempt_min_runtime == SPEC_NO_TIME);
	assert_true(q->quotas[0].borrowing_limit == SPEC_NO_LIMIT);
	assert_true(q->weight == 1);
	assert_int_equal(s->spec->strategies[0], FAIR_LESS_OR_EQUAL_FINAL);
	assert_int_equal(s->spec->strategies[1], FAIR_LESS_INITIAL);
	assert_false(s->spec->fair_sharing || s->spec->no_recompute || s->spec->no_partial);
	scenario_destroy(s);
}

static void test_everything_set(void **state)
{
	struct scenario *s = scenario_of(
		SITE(QUEUE("a", ",'cohort':'c','active':false,'stopPolicy':'Hold',"
				"'queueingStrategy':'StrictFIFO','weight':0.5,"
				"'preemptMinRuntime':0,'reclaimMinRuntime':7,"
				"'flavorFungibility':{'whenCanBorrow':'TryNextFlavor',"
				"'whenCanPreempt':'MayStopSearch',"
				"'preference':'PreemptionOverBorrowing'},"
				"'preemption':{'withinClusterQueue':"
				"'LowerOrNewerEqualPriority','reclaimWithinCohort':'',"
				"'withinClusterQueueConfig':{'minAdmitDuration':60},"
				"'borrowWithinCohort':{'policy':'LowerPriority',"
				"'maxPriorityThreshold':-5}}"),
		     ",'nowNs':3,'cohorts':[{'name':'c','parent':'d','weight':0,"
		     "'reclaimMinRuntime':9}],'fairSharing':true,"
		     "'fairSharingStrategies':['LessThanInitialShare'],"
		     "'minRuntimeDefaults':{'preempt':1,'reclaim':2},"
		     "'reclaimResolveMethod':'queue','features':{"
		     "'RecomputeAssignmentUponPreemptionTargetsOverlap':false,"
		     "'PartialAdmission':false}"));
	const struct spec_queue *q;
	const struct spec *spec;

	(void) state;
	assert_non_null(s);
	spec = s->spec;
	q = &spec->queues[0];
	assert_true(s->now == 1000 * SPEC_SEC + 3);
	assert_string_equal(spec->cohorts[q->cohort].name, "c");
	assert_int_equal(spec->ncohorts, 2);
	assert_string_equal(spec->cohorts[spec->cohorts[0].parent].name, "d");
	assert_true(spec->cohorts[0].weight == 0);
	assert_true(spec->cohorts[0].reclaim_min_runtime == 9 * SPEC_SEC);
	assert_true(q->inactive && q->stop == STOP_HOLD);
	assert_int_equal(q->strategy, STRATEGY_STRICT_FIFO);
	assert_true(q->weight == 0.5);
	assert_true(q->preempt_min_runtime == 0);
	assert_true(q->reclaim_min_runtime == 7 * SPEC_SEC);
	assert_int_equal(q->when_can_borrow, FUNGIBILITY_TRY_NEXT);
	assert_int_equal(q->when_can_preempt, FUNGIBILITY_MAY_STOP);
	assert_int_equal(q->preference, PREFER_PREEMPTION);
	assert_int_equal(q->within, POLICY_LOWER_OR_NEWER_EQUAL);
	assert_int_equal(q->reclaim, POLICY_EMPTY);
	assert_true(q->min_admit == 60 * SPEC_SEC);
	assert_true(q->borrow_set && q->threshold_set);
	assert_int_equal(q->borrow, POLICY_LOWER_PRIORITY);
	assert_int_equal(q->threshold, -5);
	assert_true(spec->fair_sharing && spec->no_recompute && spec->no_partial);
	assert_int_equal(spec->strategies[0], FAIR_LESS_INITIAL);
	assert_int_equal(spec->strategies[1], FAIR_NONE);
	assert_true(spec->preempt_min_runtime == SPEC_SEC);
	assert_true(spec->reclaim_min_runtime == 2 * SPEC_SEC);
	assert_int_equal(spec->resolve, RESOLVE_QUEUE);
	scenario_destroy(s);
}

static int64_t used(const struct scenario *s, const char *flavor, const char *resource)
{
	struct ledger l;

	assert_int_equal(engine_ledger(s->engine, false, 0, spec_find_flavor(s->spec, flavor),
				       spec_find_resource(s->spec, resource), &l),
			 0);
	return l.used;
}

static void test_workloads(void **state)
{
	struct scenario *s = scenario_of(
		SITE(QUEUE("a", ""), ",'admitted':[{'name':'r','clusterQueue':'a','uid':'b',"
				     "'evicted':true,'podSets':[{'name':'p','count':1,"
				     "'requests':{'cpu':4,'gpu':0},'flavors':{'cpu':'f',"
				     "'gpu':'g'}}],'usage':[{'flavor':'f','resource':'cpu',"
				     "'amount':3},{'flavor':'f','resource':'cpu','amount':1}]}],"
				     "'pending':[{'name':'w','clusterQueue':'a','uid':'a',"
				     "'podSets':[{'name':'p','count':2,'requests':{'cpu':2}}]}],"
				     "'extraUsage':[{'clusterQueue':'a','flavor':'f',"
				     "'resource':'cpu','amount':5}]"));
	const struct scenario_item *item;
	const struct charge *charges;
	size_t n;

	(void) state;
	assert_non_null(s);
	assert_int_equal(used(s, "f", "cpu"), 9);
	assert_null(scenario_pending(s, "r"));
	item = scenario_pending(s, "w");
	assert_non_null(item);
	assert_ptr_equal(scenario_item(item->workload), item);
	assert_false(workload_running(item->workload));
	item = &s->items[0];
	assert_true(workload_running(item->workload));
	assert_true(workload_evicting(item->workload));
	/* a flavor that it got for a request of 0 counts as one that it uses */
	charges = workload_charges(item->workload, &n);
	assert_int_equal(n, 2);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(charges[i].amount, charges[i].resource ? 0 : 4);
	scenario_destroy(s);
}

static void test_nonpreemptible(void **state)
{
	struct scenario *s = scenario_of(SITE(
		QUEUE("a", ",'nonPreemptible':{'scope':'Cohort'}") ","
		QUEUE("b", ""), ",'admitted':[{'name':'r','clusterQueue':'a',"
		"'preemptibility':'non-preemptible','podSets':[],'usage':[{"
		"'flavor':'f','resource':'cpu','amount':3}]}],"
		"'pending':[{'name':'v','clusterQueue':'a',"
		"'preemptibility':'preemptible'},{'name':'w',"
		"'clusterQueue':'a','preemptibility':'non-preemptible'}]"));
	struct fixed_ledger l;

	(void) state;
	assert_non_null(s);
	assert_int_equal(s->spec->queues[0].cap_scope, CAP_COHORT);
	assert_int_equal(s->spec->queues[1].cap_scope, CAP_QUEUE);
	assert_true(workload_is_nonpreemptible(s->items[0].workload));
	assert_false(workload_is_nonpreemptible(s->items[1].workload));
	assert_true(workload_is_nonpreemptible(s->items[2].workload));
	assert_int_equal(engine_fixed_ledger(s->engine, 0, 0, 0, &l), 0);
	assert_int_equal(l.used, 3);
	assert_int_equal(l.cap, 10);
	scenario_destroy(s);
}

/* Flavors and whole pods, seen through an assignment */
static const struct assigned_podset *assigned(const struct scenario *s, size_t *n)
{
	struct workload *w = s->items[s->nadmitted].workload;
	const struct assignment *a = engine_assign(s->engine, w, s->now, NULL);

	assert_non_null(a);
	*n = a->npodsets;
	return a->podsets;
}

static void test_pods_are_counted(void **state)
{
	struct scenario *s = scenario_of("{'now':1,'flavors':[{'name':'f'}],"
		"'clusterQueues':[{'name':'a','resourceGroups':["
		"{'coveredResources':['cpu','pods'],'flavors':['f']}],"
		"'quotas':[{'flavor':'f','resource':'cpu','nominal':100},"
		"{'flavor':'f','resource':'pods','nominal':3}]}],"
		"'pending':[{'name':'w','clusterQueue':'a','podSets':["
		"{'name':'p','count':3,'requests':{'cpu':3}},"
		"{'name':'q','count':1,'requests':{'cpu':1,'pods':0}}]}]}");
	const struct assigned_podset *p;
	size_t n;

	(void) state;
	assert_non_null(s);
	p = assigned(s, &n);
	assert_int_equal(n, 2);
	assert_int_equal(p[0].nresources, 2);
	assert_false(p[0].nofit);
	assert_true(p[1].nofit);
	scenario_destroy(s);
}

static void test_ineligible_flavors(void **state)
{
	static const struct {
		const char *flavors;
		const char *ineligible;
		int flavor;		/* SPEC_NONE: none */
	} cases[] = {
		{ "{'name':'f'},{'name':'g'}", "", 0 },
		{ "{'name':'f'},{'name':'g'}", "'f'", 1 },
		{ "{'name':'f'},{'name':'g'}", "'f','g'", SPEC_NONE },
		{ "{'name':'f'},{'name':'g'}", "'f','other'", 1 },
		{ "{'name':'f'}", "'f'", SPEC_NONE },	/* g is unknown */
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct assigned_podset *p;
		struct scenario *s;
		char text[1024];
		size_t n;

		snprintf(text, sizeof(text), "{'now':1,'flavors':[%s],"
			 "'clusterQueues':[{'name':'a','resourceGroups':["
			 "{'coveredResources':['cpu'],'flavors':['f','g']}],"
			 "'quotas':[{'flavor':'f','resource':'cpu',"
			 "'nominal':9},{'flavor':'g','resource':'cpu',"
			 "'nominal':9}]}],'pending':[{'name':'w',"
			 "'clusterQueue':'a','podSets':[{'name':'p',"
			 "'requests':{'cpu':1},'ineligibleFlavors':[%s]}]}]}",
			 cases[i].flavors, cases[i].ineligible);
		s = scenario_of(text);
		assert_non_null(s);
		p = assigned(s, &n);
		assert_int_equal(n, 1);
		assert_int_equal(p->nofit, cases[i].flavor == SPEC_NONE);
		if (!p->nofit)
			assert_int_equal(p->resources[0].flavor,
					 cases[i].flavor);
		scenario_destroy(s);
	}
}

static void count(void *arg, struct workload *w)
{
	(void) w;
	++*(size_t *) arg;
}

/* The second of two workloads goes to the inadmissible ones with the first if
 * it is of the same shape: the same pods, whatever the order of requests. */
static void test_shapes(void **state)
{
	static const struct {
		const char *podset;
		size_t inadmissible;
	} cases[] = {
		{ "'requests':{'cpu':9,'mem':9}", 2 },
		{ "'requests':{'mem':9,'cpu':9}", 2 },
		{ "'requests':{'cpu':9,'mem':8}", 1 },
		{ "'requests':{'cpu':9,'mem':9},'tolerations':[{'key':'k'}]", 1 },
		{ "'requests':{'cpu':9,'mem':9},'nodeSelector':{'a':'b'}", 1 },
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct head *heads;
		struct scenario *s;
		char text[1024];
		size_t n, found = 0;

		snprintf(text, sizeof(text),
			 SITE(QUEUE("a", ""), ",'pending':[{'name':'v','uid':'1',"
					      "'clusterQueue':'a','podSets':[{'name':'p',"
					      "'requests':{'cpu':9,'mem':9}}]},"
					      "{'name':'w','uid':'2','clusterQueue':'a',"
					      "'podSets':[{'name':'p',%s}]}]"),
			 cases[i].podset);
		s = scenario_of(text);
		assert_non_null(s);
		assert_int_equal(engine_cycle(s->engine, s->now, &heads, &n), 0);
		engine_queue_list(s->engine, 0, LIST_INADMISSIBLE, count, &found);
		assert_int_equal(found, cases[i].inadmissible);
		scenario_destroy(s);
	}
}

TESTS_WITH(NULL, teardown, cmocka_unit_test(test_parse), cmocka_unit_test(test_errors),
      cmocka_unit_test(test_cohort_circle), cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_everything_set), cmocka_unit_test(test_workloads),
      cmocka_unit_test(test_nonpreemptible), cmocka_unit_test(test_pods_are_counted),
      cmocka_unit_test(test_ineligible_flavors), cmocka_unit_test(test_shapes))
