/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evictors.c - which cluster queues could evict a running job, and from when
 */
#include <math.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "lib/sat.h"
#include "story/room.h"
#include "story/evictors.h"

/* ---- the tree ---- */

static bool is_queue(struct json_object *node)
{
	return json_member(node, "preemption") != NULL;
}

/* The cohort above a queue or cohort, or NULL. Cohorts are trees: that was checked when the
 * file was read. */
static struct json_object *above(const struct published *p, struct json_object *node)
{
	bool is_cohort = published_cohort(p, json_text(node, "name")) == node;

	return published_cohort(p, json_text(node, is_cohort ? "parent" : "cohort"));
}

static bool is_below(const struct published *p, struct json_object *node,
		     const struct json_object *top)
{
	while (node && node != top)
		node = above(p, node);
	return node != NULL;
}

/* Of a queue and the cohorts above it the highest that is not above the other
 * one; NULL: they are in different trees */
static struct json_object *branch_of(const struct published *p, struct json_object *queue,
				     struct json_object *other)
{
	struct json_object *branch = queue, *up = above(p, queue);

	while (up && !is_below(p, other, up)) {
		branch = up;
		up = above(p, up);
	}
	return up ? branch : NULL;
}

/* ---- the books ---- */

static int64_t owned(struct json_object *node, struct json_object *quota)
{
	return json_number(quota, is_queue(node) ? "nominal" : "subtree");
}

/* Cohorts of which nothing is published own nothing: what those below them
 * borrow is borrowed by them. */
static bool is_over(struct json_object *node, struct json_object *pair)
{
	struct json_object *quota = published_quota(
		node, json_text(pair, "flavor"), json_text(pair, "resource"));

	return quota ? json_number(quota, "borrowed") > 0 : !is_queue(node);
}

/* The part that it does not lend */
static int64_t kept(struct json_object *node, struct json_object *quota)
{
	if (!json_member(quota, "lendingLimit"))
		return 0;
	return max64(0, sat_sub(owned(node, quota), json_number(quota, "lendingLimit")));
}

/* What it uses of the cohort above it */
static int64_t used_above(struct json_object *node, struct json_object *quota)
{
	return max64(0, sat_sub(json_number(quota, "used"), kept(node, quota)));
}

static void charge(const struct published *p, struct json_object *node,
		   const char *flavor, const char *resource, int64_t amount)
{
	for (; node && amount; node = above(p, node)) {
		struct json_object *quota = published_quota(node, flavor, resource);
		int64_t before = used_above(node, quota);
		int64_t used = sat_add(json_number(quota, "used"), amount);

		if (!quota)	/* it owns nothing, and keeps nothing */
			continue;
		json_add_number(quota, "used", used);
		json_add_number(quota, "borrowed", max64(0, sat_sub(used, owned(node, quota))));
		amount = sat_sub(used_above(node, quota), before);
	}
}

/* Was the file made before it started? Of the jobs that started in the same second the
 * file tells how many it has: then it has this one. */
static bool is_newer(const struct evictee *e)
{
	struct json_object *document = e->p->document;
	int64_t made = json_number(document, "time");

	for (size_t i = 0; i < json_items(document, "justStarted"); i++) {
		if (!strcmp(json_text(json_item(document, "justStarted", i), "clusterQueue"),
			    json_text(e->queue, "name")))
			return e->v->start > made;
	}
	return e->v->start >= made;
}

void evictee_charge(struct evictee *e, int sign)
{
	e->is_newer = is_newer(e);
	for (size_t i = 0; e->is_newer && i < json_object_array_length(e->charges); i++) {
		struct json_object *c = json_object_array_get_idx(e->charges, i);

		if (*json_text(c, "flavor"))
			charge(e->p, e->queue, json_text(c, "flavor"), json_text(c, "resource"),
			       sign * charge_amount(c));
	}
}

/* ---- may that queue? ---- */

static bool policy_is_set(struct json_object *queue, const char *policy)
{
	const char *is = json_text(json_member(queue, "preemption"), policy);

	return *is && strcmp(is, "Never") != 0;
}

/* Jobs of `queue` that might go for jobs of `by` */
struct question {
	const struct published *p;
	struct json_object *queue, *by;
	struct json_object *branch, *by_branch;	/* below the cohort of both */
	struct json_object *holder;	/* stays within what it owns; NULL: nobody */
	bool with_others;	/* also jobs that can't be enough alone, and own ones */
	struct json_object *newer;	/* charges that the file does not have, or NULL */
};

/* The most of the pair that a job of `by` could have within what the holder owns: of
 * the cohorts below it those parts count, too, that they do not lend. */
static int64_t left(const struct question *q, struct json_object *pair)
{
	const char *flavor = json_text(pair, "flavor");
	const char *resource = json_text(pair, "resource");
	struct json_object *node = q->by, *quota = pair;
	int64_t idle = 0, own;

	for (; node != q->holder; node = above(q->p, node)) {
		idle = sat_add(idle, max64(0, sat_sub(kept(node, quota),
						      json_number(quota, "used"))));
		quota = published_quota(above(q->p, node), flavor, resource);
	}
	own = sat_sub(owned(node, quota), json_number(quota, "used"));
	return own < 0 ? own : sat_add(idle, own);
}

/* The most of the pair that a job of `by` could have beside the others of its branch */
static int64_t room(const struct question *q, struct json_object *pair)
{
	int64_t room = INT64_MAX;

	for (struct json_object *node = q->by;; node = above(q->p, node)) {
		struct json_object *quota = published_quota(node, json_text(pair, "flavor"),
							    json_text(pair, "resource"));

		if (quota)
			room = min64(room, sat_sub(json_number(quota, "potential"),
						   json_number(quota, "used")));
		if (node == q->by_branch)
			return room;
	}
}

/* The most that it could ask for, if somebody goes for it */
static int64_t most(const struct question *q, struct json_object *pair)
{
	if (!q->with_others)
		return q->holder ? min64(room(q, pair), left(q, pair))
				 : room(q, pair);
	if (policy_is_set(q->by, "withinClusterQueue"))
		return q->holder == q->by ? json_number(pair, "nominal")
					  : json_number(pair, "potential");
	return q->holder == q->by ? left(q, pair)
	       : sat_sub(json_number(pair, "potential"), json_number(pair, "used"));
}

/* A job has one flavor for all resources of a group. */
static bool go_together(struct json_object *by, struct json_object *a, struct json_object *b)
{
	const char *flavor = json_text(a, "flavor");

	if (!strcmp(json_text(a, "resource"), json_text(b, "resource")))
		return a == b;
	return !strcmp(flavor, json_text(b, "flavor"))
	       || !published_quota(by, flavor, json_text(b, "resource"));
}

/* What is free of it for `by`: a job that is newer than the file took some. */
static int64_t free_now(const struct question *q, struct json_object *pair)
{
	int64_t free = json_number(pair, "free");

	for (size_t i = 0; q->newer && i < json_object_array_length(q->newer); i++) {
		struct json_object *c = json_object_array_get_idx(q->newer, i);

		if (!strcmp(json_text(c, "resource"), json_text(pair, "resource"))
		    && !strcmp(json_text(c, "flavor"), json_text(pair, "flavor")))
			free = sat_sub(free, charge_amount(c));
	}
	return free;
}

/* Each job of Slurm has CPUs. If these lack, too, others have to go. */
static bool has_cpus(const struct question *q, struct json_object *pair)
{
	struct question asked = *q;
	bool limited = false;

	if (q->with_others && json_truth(q->p->document, "fairSharing"))
		asked.holder = NULL;
	for (size_t i = 0; i < json_items(q->by, "quota"); i++) {
		struct json_object *cpus = json_item(q->by, "quota", i);

		if (strcmp(json_text(cpus, "resource"), "cpu"))
			continue;
		if (go_together(q->by, pair, cpus) && most(&asked, cpus) > 0
		    && (cpus == pair || q->with_others || free_now(q, cpus) > 0))
			return true;
		limited = true;
	}
	return !limited;
}

/* The node is over what it owns, of the pair or of another one that the same job
 * of `by` asks for. */
static bool is_over_with(const struct question *q, struct json_object *node,
			 struct json_object *pair)
{
	for (size_t i = 0; i < json_items(q->by, "quota"); i++) {
		struct json_object *other = json_item(q->by, "quota", i);

		if (is_over(node, other) && go_together(q->by, pair, other) && most(q, other) > 0)
			return true;
	}
	return false;
}

/* The queue, and each cohort below the one of both, is over what it owns. */
static bool may_give(struct question *q, struct json_object *holder, struct json_object *pair)
{
	struct json_object *node = q->queue;

	q->holder = holder;
	if (most(q, pair) <= 0 || !has_cpus(q, pair))
		return false;
	while (is_over(node, pair) || (q->with_others && is_over_with(q, node, pair))) {
		if (node == q->branch)
			return true;
		node = above(q->p, node);
	}
	return false;
}

/* null is beyond all others */
static double share_of(struct json_object *node)
{
	return json_member(node, "share") ? json_real(node, "share") : HUGE_VAL;
}

/* Shares are compared below the cohort of both. Other jobs that go may make its share
 * smaller; a job that is newer than the file makes that of the other one larger. */
static bool share_is_no_larger(const struct question *q)
{
	return q->newer || q->with_others
	       || share_of(q->by_branch) <= share_of(q->branch);
}

static enum evict_by gives(struct question *q, const char *flavor, const char *resource)
{
	struct json_object *pair = published_quota(q->by, flavor, resource);
	bool fair = json_truth(q->p->document, "fairSharing");
	struct json_object *holder = q->by;

	if (!pair)
		return EVICT_NOT;
	for (;; holder = fair ? q->by_branch : above(q->p, holder)) {
		if (may_give(q, holder, pair))
			return holder == q->by ? EVICT_BY_NOMINAL : EVICT_BY_COHORT;
		if (holder == q->by_branch)
			break;
	}
	if (fair ? !share_is_no_larger(q) : !policy_is_set(q->by, "borrowWithinCohort"))
		return EVICT_NOT;
	return !may_give(q, NULL, pair) ? EVICT_NOT
	       : fair ? EVICT_BY_SHARE : EVICT_BY_PRIORITY;
}

static bool question_make(struct question *q, const struct published *p,
			  struct json_object *queue, struct json_object *by)
{
	*q = (struct question) { .p = p, .queue = queue, .by = by };
	if (by == queue || !policy_is_set(by, "reclaimWithinCohort")
	    || *published_stop(by) || *published_stop(queue))
		return false;
	q->branch = branch_of(p, queue, by);
	q->by_branch = q->branch ? branch_of(p, by, queue) : NULL;
	return q->by_branch;
}

bool queue_gives(const struct published *p, struct json_object *queue,
		 struct json_object *by, const char *flavor)
{
	struct question q;
	bool any = question_make(&q, p, queue, by), gave = false;

	q.with_others = true;
	for (size_t i = 0; any && !gave && i < json_items(by, "quota"); i++) {
		struct json_object *pair = json_item(by, "quota", i);

		gave = !strcmp(json_text(pair, "flavor"), flavor)
		       && gives(&q, flavor, json_text(pair, "resource"));
	}
	return gave;
}

/* Its priority is above the threshold of borrowWithinCohort. Only where the number is
 * the job's own it is known. */
static bool is_too_high(const struct evictee *e, struct json_object *by)
{
	struct json_object *rules = json_member(by, "preemption");

	return json_member(rules, "maxPriorityThreshold")
	       && !strcmp(json_text(e->p->document, "priority"), "job")
	       && e->v->priority > json_number(rules, "maxPriorityThreshold");
}

static enum evict_by best_of(struct question *q, const struct evictee *e)
{
	enum evict_by best = EVICT_NOT;

	for (size_t i = 0; i < json_object_array_length(e->charges); i++) {
		struct json_object *c = json_object_array_get_idx(e->charges, i);
		enum evict_by how = gives(q, json_text(c, "flavor"), json_text(c, "resource"));

		if (how == EVICT_BY_PRIORITY && is_too_high(e, q->by))
			continue;
		if (how && (!best || how < best))
			best = how;
	}
	return e->owners_only && best != EVICT_BY_NOMINAL ? EVICT_NOT : best;
}

enum evict_by evictee_goes_for(const struct evictee *e, struct json_object *by)
{
	enum evict_by how;
	struct question q;

	if (!question_make(&q, e->p, e->queue, by))
		return EVICT_NOT;
	q.newer = e->is_newer ? e->charges : NULL;
	how = best_of(&q, e);
	q.with_others = true;
	return how || !best_of(&q, e) ? how : EVICT_NOT_ALONE;
}

struct json_object *owner_above(const struct published *p, struct json_object *by,
				struct json_object *queue, const char *flavor,
				const char *resource, int64_t amount)
{
	for (by = above(p, by); by && !is_below(p, queue, by); by = above(p, by)) {
		if (owned(by, published_quota(by, flavor, resource)) >= amount)
			return by;
	}
	return NULL;
}

/* ---- from when? ---- */

/* Against other queues that of its branch counts (minRuntime.resolve: lca), or its own. */
static int64_t runtime_against(const struct evictee *e, struct json_object *by)
{
	struct json_object *rules = json_member(e->queue, "preemption");
	struct json_object *branch;

	if (by == e->queue)
		return json_number(rules, "preemptMinRuntime");
	branch = branch_of(e->p, e->queue, by);
	if (branch && json_member(branch, "reclaimMinRuntime"))
		return json_number(branch, "reclaimMinRuntime");
	return json_number(rules, "reclaimMinRuntime");
}

int64_t evictee_protected_until(const struct evictee *e, struct json_object *by)
{
	return max64(e->v->preemptable, sat_add(e->v->ran_since, runtime_against(e, by)));
}
