/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - the jobs of a cluster queue: which enter it, which of them can't be
 * preempted, and what its local queues weigh
 */
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"

#define TEXT_MAX 127

/* ---- match ---- */

static const struct text_rule pattern = {
	.what = "a shell pattern", .max = TEXT_MAX,
	.empty = "is empty (\"*\" matches any, and so does no key)",
};

#define MATCH(member) IN(conf_match, member), .arg = &pattern

static const struct key rule_keys[] = {
	{ "partition", value_string, MATCH(partition) },
	{ "qos", value_string, MATCH(qos) },
	{ "account", value_string, MATCH(account) },
	{ "user", value_string, MATCH(user) },
	NO_KEY
};

static int rule_read(struct value *v)
{
	struct conf_rules *rules = v->dest;
	struct conf_match *rule = &rules->list[rules->n++];

	rule->line = v->n->line;
	if (keys_read(v->r, v->n, rule, rule_keys) < 0)
		return -1;
	if (!v->n->nitems)
		return value_error(v, "is empty (a rule needs at least one of partition, qos, "
				   "account, user)");
	return 0;
}

/* dest: struct conf_rules */
static int rules_read(struct value *v)
{
	struct conf_rules *rules = v->dest;

	rules->list = calloc(v->n->nitems + 1, sizeof(*rules->list));
	if (!rules->list)
		return report_nomem(v->r->report);
	return list_read(v, "a list of rules like [{partition: gpu}]", rule_read, rules);
}

int match_read(struct value *v)
{
	struct conf_rules rules = { 0 };
	int rc = rules_read(&(struct value) { v->r, v->n, &rules, v->key });

	v->r->queue->matches = rules.list;
	v->r->queue->nmatches = rules.n;
	return rc;
}

/* ---- nonPreemptible ---- */

#define NONPREEMPTIBLE(member) IN(conf_nonpreemptible, member)

static const struct key nonpreemptible_keys[] = {
	{ "match", rules_read, NONPREEMPTIBLE(rules) },
	{ "priority", value_integer, NONPREEMPTIBLE(priority), PRIORITY_RANGE,
	  .given = offsetof(struct conf_nonpreemptible, priority_set) },
	{ "byUser", value_word, NONPREEMPTIBLE(by_user) },
	{ "scope", value_word, NONPREEMPTIBLE(scope),
	  WORDS({ "ClusterQueue", CAP_QUEUE }, { "Cohort", CAP_COHORT }) },
	NO_KEY
};

/* Now or for a time */
static bool has_nominal(const struct conf *conf, const struct spec_queue *queue)
{
	for (size_t i = 0; i < queue->nquotas; i++)
		if (queue->quotas[i].nominal > 0)
			return true;
	for (size_t i = 0; i < conf->ntemporaries; i++) {
		const struct conf_temporary *t = &conf->temporaries[i];

		if (!t->is_cohort && &conf->spec->queues[t->node] == queue && t->nominal > 0)
			return true;
	}
	return false;
}

/* Settings that leave the section without any effect, or without any job that could start */
static void nonpreemptible_advise(struct value *v)
{
	const struct conf_nonpreemptible *by = &v->r->queue->nonpreemptible;
	const struct spec_queue *queue = v->dest;
	const struct node *scope = node_find(v->n, "scope");

	if (!by->rules.n && !by->priority_set && !by->by_user)
		node_warning(v->r, v->n, "selects no jobs: it needs match, priority or byUser to "
			     "have any effect");
	if (scope && by->scope == CAP_COHORT && !v->r->has_parent)
		node_warning(v->r, scope, "has no effect without a cohort");
	if (by->scope == CAP_QUEUE && queue->nquotas && !has_nominal(v->r->conf, queue))
		node_warning(v->r, v->n, "no such job can start: nominal quota limits them, and "
			     "the queue has none (scope: Cohort would count the quota of its "
			     "cohorts)");
}

int nonpreemptible_read(struct value *v)
{
	struct conf_nonpreemptible *by = &v->r->queue->nonpreemptible;
	struct spec_queue *queue = v->dest;
	int rc = keys_read(v->r, v->n, by, nonpreemptible_keys);

	queue->cap_scope = by->scope;
	if (rc == 0)
		nonpreemptible_advise(v);
	return rc;
}

/* ---- localQueues ---- */

static const struct text_rule local_name = {
	.what = "a name", .max = TEXT_MAX,
	.empty = "is empty: it has to be the name of an account (or user, as localQueue says)",
	.without = "*?[",
	.wrong = "is a pattern: a weight is for one account or user, by its name",
};

static const struct key local_keys[] = {
	{ "name", value_string, IN(conf_local, name), .arg = &local_name,
	  .required = true },
	{ "fairSharing", map_read, KEYS(
		{ "weight", value_weight, IN(conf_local, weight) }) },
	NO_KEY
};

static int local_read(struct value *v)
{
	struct conf_queue *queue = v->r->queue;
	struct conf_local *local = &queue->locals[queue->nlocals++];

	local->weight = 1;
	return keys_read(v->r, v->n, local, local_keys);
}

static int locals_add(struct reader *r, const struct node *list)
{
	r->queue->locals = calloc(list->nitems + 1, sizeof(*r->queue->locals));
	return r->queue->locals ? 0 : -1;
}

int local_queues_read(struct value *v)
{
	return named_list_read(v, "a list of accounts or users like [{name: lab, fairSharing: "
			       "{weight: 2}}]", NULL, locals_add, local_read);
}
