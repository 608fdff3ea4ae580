/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_ledger.c - cohorts and cluster queues with their quota and usage
\*****************************************************************************/
#include "tell/tell.h"

#include "state/json.h"
#include "match/match.h"
#include "record/record.h"

#include "query.h"

static int64_t _seconds(int64_t ns)
{
	return (ns <= 0) ? 0 : time_of(ns);
}

/* What was borrowed lately, by resource, and the share that it would have without
 * it; nothing where history does not count */
static void _add_history(struct json_object *o, bool is_cohort, int node)
{
	const struct spec *spec = ctld.conf->spec;
	struct usage_history h;
	bool counts = false;

	for (size_t r = 0; r < spec->nresources; r++) {
		if (!engine_history(ctld.engine, is_cohort, node, r, &h))
			continue;
		json_object_object_add(json_member(o, "history"), spec->resources[r],
				       json_object_new_double(h.past));
		counts = true;
	}
	if (counts)
		json_add_finite(o, "shareNow",
				engine_share_now(ctld.engine, is_cohort, node) / 1000);
}

/* What a cohort and a cluster queue have both. share, null: beyond all others (weight 0 and
 * borrowing). reclaimMinRuntime, null: that of the queue of a job counts, wherever the
 * preemptor is. */
static struct json_object *_append_node(struct json_object *list, bool is_cohort, int node,
					const char *name, double weight)
{
	int64_t runtime = engine_branch_runtime(ctld.engine, is_cohort, node);
	struct json_object *o = json_append(list);

	json_add_text(o, "name", name);
	json_add(o, "weight", json_object_new_double(weight));
	json_add_finite(o, "share", engine_share(ctld.engine, is_cohort, node) / 1000);
	_add_history(o, is_cohort, node);
	json_add_known(o, "reclaimMinRuntime", runtime != SPEC_NO_TIME, _seconds(runtime));
	return o;
}

static const char *_cohort_name(int cohort)
{
	return cohort == SPEC_NONE ? NULL : ctld.conf->spec->cohorts[cohort].name;
}

/* ---- pairs ---- */

static struct json_object *_append_pair(struct json_object *list, const struct ledger *l,
					int flavor, int resource)
{
	struct json_object *o = json_append(list);

	json_add_pair(o, ctld.conf->spec, flavor, resource);
	json_add_number(o, "nominal", l->nominal);
	json_add_known(o, "borrowingLimit", l->borrowing_limit != SPEC_NO_LIMIT,
		      l->borrowing_limit);
	json_add_known(o, "lendingLimit", l->lending_limit != SPEC_NO_LIMIT, l->lending_limit);
	json_add_number(o, "used", l->used);
	json_add_number(o, "borrowed", l->borrowed);
	json_add_number(o, "lent", l->lent);
	json_add_number(o, "free", l->available);
	json_add_number(o, "potential", l->potential);
	return o;
}

static const struct spec_quota *_quota(bool is_cohort, int node, int flavor, int resource)
{
	const struct spec *spec = ctld.conf->spec;
	const struct spec_quota *q = is_cohort ? spec->cohorts[node].quotas :
		spec->queues[node].quotas;
	size_t n = is_cohort ? spec->cohorts[node].nquotas : spec->queues[node].nquotas;

	for (; n && ((q->flavor != flavor) || (q->resource != resource)); n--)
		q++;
	return n ? q : NULL;
}

/* A quota for a time that is in force, or comes next; seconds, null where it has
 * no begin or end */
static void _add_temporary(struct json_object *pair, bool is_cohort, int node, int flavor,
			   int resource)
{
	const struct spec *spec = ctld.conf->spec;
	const struct spec_quota *quota = _quota(is_cohort, node, flavor, resource);
	int64_t now = ns_of(time(NULL)), other;
	const struct spec_period *p;
	struct json_object *o;

	if (!spec->nperiods || !quota ||
	    !(p = spec_find_period(spec, is_cohort, node, quota, now)))
		return;
	/* another one may follow at its end */
	other = (p->from > now) || (p->until == INT64_MAX) ? quota->nominal :
		spec_nominal_at(spec, is_cohort, node, quota, p->until, NULL);
	o = json_object_new_object();
	json_add_bool(o, "inForce", p->from <= now);
	json_add_number(o, "nominal", p->nominal);
	json_add_number(o, "otherwise", other);
	json_add_known(o, "begin", p->from >= SPEC_SEC, p->from / SPEC_SEC);
	json_add_known(o, "end", p->until != INT64_MAX, p->until / SPEC_SEC);
	json_add(pair, "temporary", o);
}

/* ---- cohorts ---- */

/* All pairs that the cohort, or any cohort or queue below it, has quota for */
static struct json_object *_cohort_quota(int cohort)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();
	struct ledger l;

	for (size_t f = 0; f < spec->nflavors; f++) {
		for (size_t r = 0; r < spec->nresources; r++) {
			struct json_object *o;

			if (engine_ledger(ctld.engine, true, cohort, f, r, &l) ||
			    (!l.subtree && !l.used))
				continue;
			o = _append_pair(list, &l, f, r);
			json_add_number(o, "subtree", l.subtree);
			_add_temporary(o, true, cohort, f, r);
		}
	}
	return list;
}

extern struct json_object *publish_cohorts(void)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < spec->ncohorts; i++) {
		const struct spec_cohort *c = &spec->cohorts[i];
		struct json_object *o = _append_node(list, true, i, c->name, c->weight);

		json_add_text(o, "parent", _cohort_name(c->parent));
		json_add(o, "quota", _cohort_quota(i));
	}
	return list;
}

/* ---- cluster queues ---- */

static void _append_queue_pair(struct json_object *list, int queue, int flavor, int resource,
			       int64_t now)
{
	struct json_object *o;
	struct fixed_ledger f;
	struct reclaim r;
	struct ledger l;

	if (engine_ledger(ctld.engine, false, queue, flavor, resource, &l) ||
	    engine_reclaimable(ctld.engine, now, queue, flavor, resource, &r))
		return;
	o = _append_pair(list, &l, flavor, resource);
	json_add_number(o, "reclaimable", r.now);
	json_add_number(o, "reclaimableLater", r.later);
	json_add_number(o, "reclaimableAt", _seconds(r.at));
	if (!engine_fixed_ledger(ctld.engine, queue, flavor, resource, &f)) {
		json_add_number(o, "nonPreemptible", f.used);
		json_add_number(o, "nonPreemptibleCap", f.cap);
	}
	_add_temporary(o, false, queue, flavor, resource);
}

static struct json_object *_queue_quota(int queue, int64_t now)
{
	const struct spec_queue *q = &ctld.conf->spec->queues[queue];
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < q->ngroups; i++) {
		const struct spec_group *g = &q->groups[i];

		for (size_t p = 0; p < g->nflavors * g->nresources; p++)
			_append_queue_pair(list, queue, g->flavors[p / g->nresources],
					   g->resources[p % g->nresources], now);
	}
	return list;
}

/* Users are people: the file only says that a rule asks for a user, not
 * which. */
static struct json_object *_rules(const struct conf_rules *rules)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < rules->n; i++) {
		const struct conf_match *m = &rules->list[i];
		struct json_object *o = json_append(list);

		json_add_text(o, "partition", m->partition);
		json_add_text(o, "qos", m->qos);
		json_add_text(o, "account", m->account);
		json_add_bool(o, "user", m->user != NULL);
	}
	return list;
}

static const char *const policy_names[] = {
	[POLICY_NEVER] = "Never", [POLICY_EMPTY] = "Never",
	[POLICY_LOWER_PRIORITY] = "LowerPriority",
	[POLICY_LOWER_OR_NEWER_EQUAL] = "LowerOrNewerEqualPriority",
	[POLICY_ANY] = "Any",
};

static const char *const stop_names[] = {
	[STOP_NONE] = "None", [STOP_HOLD] = "Hold", [STOP_HOLD_AND_DRAIN] = "HoldAndDrain",
};

static struct json_object *_preemption(int queue)
{
	const struct spec_queue *q = &ctld.conf->spec->queues[queue];
	struct json_object *o = json_object_new_object();
	int64_t preempt, reclaim;

	engine_min_runtimes(ctld.engine, queue, &preempt, &reclaim);
	json_add_text(o, "withinClusterQueue", policy_names[q->within]);
	json_add_text(o, "reclaimWithinCohort", policy_names[q->reclaim]);
	json_add_text(o, "borrowWithinCohort", policy_names[q->borrow]);
	json_add_known(o, "maxPriorityThreshold", q->threshold_set, q->threshold);
	json_add_number(o, "preemptMinRuntime", _seconds(preempt));
	json_add_number(o, "reclaimMinRuntime", _seconds(reclaim));
	json_add_number(o, "reclaimDelay", _seconds(q->reclaim_delay));
	json_add_text(o, "reclaimDelayPolicy", q->delay_if_expected ? "Expected" : "Always");
	json_add_known(o, "minAdmitDuration", q->min_admit != SPEC_NO_TIME, _seconds(q->min_admit));
	json_add_number(o, "maxPreemptions", q->max_preemptions);
	json_add_number(o, "yieldAfterEvictions", q->yield_after);
	return o;
}

/* null: all its jobs can be preempted */
static struct json_object *_nonpreemptible(int queue)
{
	const struct conf_nonpreemptible *by = &ctld.conf->queues[queue].nonpreemptible;
	const struct spec_queue *q = &ctld.conf->spec->queues[queue];
	struct json_object *o;

	if (!preemptibility_has_rule(queue))
		return NULL;
	o = json_object_new_object();
	json_add(o, "match", _rules(&by->rules));
	json_add_known(o, "priority", by->priority_set, by->priority);
	json_add_bool(o, "byUser", by->by_user);
	json_add_text(o, "scope", q->cap_scope == CAP_COHORT ? "Cohort" : "ClusterQueue");
	return o;
}

static void _append_queue(struct json_object *list, int queue, int64_t now)
{
	const struct conf_queue *conf = &ctld.conf->queues[queue];
	const struct spec_queue *q = &ctld.conf->spec->queues[queue];
	struct json_object *o = _append_node(list, false, queue, q->name, q->weight);

	json_add_text(o, "cohort", _cohort_name(q->cohort));
	json_add_text(o, "queueingStrategy", q->strategy == STRATEGY_STRICT_FIFO ? "StrictFIFO" :
		     "BestEffortFIFO");
	if (q->by_usage)
		json_add_text(o, "admissionMode", "UsageBasedAdmissionFairSharing");
	json_add_text(o, "stopPolicy", stop_names[q->stop]);
	json_add(o, "preemption", _preemption(queue));
	json_add(o, "nonPreemptible", _nonpreemptible(queue));
	json_add(o, "match", _rules(&conf->match));
	json_add(o, "quota", _queue_quota(queue, now));
	publish_line(o, queue);
	json_add(o, "counters", count_queue_json(queue));
}

extern struct json_object *publish_queues(int64_t now)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < ctld.conf->spec->nqueues; i++)
		_append_queue(list, i, now);
	return list;
}
