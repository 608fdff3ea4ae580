/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test implied.c - a file that says all defaults is one that leaves them out
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "diff/diff.h"
#include "input/json_members.h"

#define GROUPS "  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, nominalQuota: cpu=4}]}]\n"

static const char left_out[] =
	"flavors: [{name: f}]\n"
	"cohorts: [{name: c}]\n"
	"clusterQueues:\n"
	"- name: a\n"
	"  cohort: c\n"
	"  match: [{account: a}]\n"
	GROUPS;

static const char said[] =
	"enforcement: enforce\n"
	"localQueue: account\n"
	"preemptorTimeout: 5m\n"
	"packBorrowers: true\n"
	"lentNodeWeight: 1\n"
	"planBudget: 800000\n"
	"plannedJobs: 0\n"
	"lossWeights: {cpu: 1}\n"
	"unmanaged: {preemption: none}\n"
	"visibility: {updateInterval: 5s, maxPosition: 4000, comments: true, adminComments: false}\n"
	"events: {enable: true, maxMegabytes: 16, keep: 4}\n"
	"minRuntime: {preempt: 0, reclaim: 0, resolve: lca}\n"
	"fairSharing: {enable: false}\n"
	"flavors: [{name: f}]\n"
	"cohorts: [{name: c, fairSharing: {weight: 1}}]\n"
	"clusterQueues:\n"
	"- name: a\n"
	"  cohort: c\n"
	"  match: [{account: a}]\n"
	"  queueingStrategy: BestEffortFIFO\n"
	"  stopPolicy: None\n"
	"  fairSharing: {weight: 1}\n"
	"  admissionScope: {admissionMode: NoAdmissionFairSharing}\n"
	"  maxPreemptions: 3\n"
	"  yieldAfterEvictions: 1\n"
	"  nonPreemptible: {byUser: false, scope: ClusterQueue}\n"
	"  flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: TryNextFlavor}\n"
	"  preemption:\n"
	"    withinClusterQueue: Never\n"
	"    reclaimWithinCohort: Never\n"
	"    borrowWithinCohort: {policy: Never}\n"
	GROUPS;

static void take(void *arg, bool warning, const char *message)
{
	(void) arg;
	if (!warning)
		fail_msg("%s", message);
}

static void no_difference(void **state)
{
	struct json_object *keys[] = { diff_keys(left_out, said), diff_keys(said, left_out) };

	(void) state;
	for (size_t i = 0; i < 2; i++) {
		if (json_object_array_length(keys[i]))
			fail_msg("%s", json_object_to_json_string(keys[i]));
		json_object_put(keys[i]);
	}
}

/* The defaults are those of the reader, too. */
static void same_meaning(void **state)
{
	struct conf *a = conf_read_text("a", left_out, strlen(left_out), take, NULL);
	struct conf *b = conf_read_text("b", said, strlen(said), take, NULL);
	const struct spec_queue *p = &a->spec->queues[0], *q = &b->spec->queues[0];

	(void) state;
	assert_int_equal(a->observe, b->observe);
	assert_int_equal(a->local_queue, b->local_queue);
	assert_int_equal(a->own_timeout, b->own_timeout);
	assert_int_equal(a->pack_borrowers, b->pack_borrowers);
	assert_int_equal(a->lent_node_weight, b->lent_node_weight);
	assert_int_equal(a->planned_jobs, b->planned_jobs);
	assert_int_equal(a->unmanaged, b->unmanaged);
	assert_int_equal(a->update_interval, b->update_interval);
	assert_int_equal(a->max_position, b->max_position);
	assert_int_equal(a->comments, b->comments);
	assert_int_equal(a->admin_comments, b->admin_comments);
	assert_int_equal(a->events.enable, b->events.enable);
	assert_int_equal(a->events.max_megabytes, b->events.max_megabytes);
	assert_int_equal(a->events.keep, b->events.keep);
	assert_int_equal(a->spec->preempt_min_runtime, b->spec->preempt_min_runtime);
	assert_int_equal(a->spec->reclaim_min_runtime, b->spec->reclaim_min_runtime);
	assert_int_equal(a->spec->resolve, b->spec->resolve);
	assert_int_equal(a->spec->fair_sharing, b->spec->fair_sharing);
	assert_int_equal(p->stop, q->stop);
	assert_int_equal(p->max_preemptions, q->max_preemptions);
	assert_int_equal(p->yield_after, q->yield_after);
	assert_int_equal(p->within, q->within);
	assert_int_equal(p->reclaim, q->reclaim);
	conf_destroy(a);
	conf_destroy(b);
}

static void differences(void **state)
{
	struct json_object *keys = diff_keys("minRuntime: {reclaim: 1h}\nclusterQueues: []\n",
					     "enforcement: observe\nclusterQueues: []\n");

	(void) state;
	assert_int_equal(json_object_array_length(keys), 2);
	assert_string_equal(json_text(json_object_array_get_idx(keys, 0), "path"), "minRuntime.reclaim");
	assert_string_equal(json_text(json_object_array_get_idx(keys, 0), "default"), "0");
	assert_string_equal(json_text(json_object_array_get_idx(keys, 1), "path"), "enforcement");
	assert_string_equal(json_text(json_object_array_get_idx(keys, 1), "default"), "enforce");
	json_object_put(keys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_difference),
		cmocka_unit_test(same_meaning),
		cmocka_unit_test(differences),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
