/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs.c - the jobs of a cluster queue: which enter it, which of them can't be
 * preempted, and what its local queues weigh
 *
 *	match:
 *	  - {partition: gpu, account: "vision*"}	# all keys must hold
 *	  - {qos: vision}				# or this
 *	nonPreemptible:
 *	  match: [{qos: interactive}]	# as above
 *	  priority: 1000		# and all from this priority on
 *	  byUser: true			# --comment=cohort:preemptibility=...
 *	  scope: ClusterQueue		# or Cohort: its quota caps them
 *	localQueues:
 *	  - {name: vision-lab, fairSharing: {weight: 2}}	# an account, or user
 */
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"

#define TEXT_MAX 127

/* ---- match ---- */

/* dest: char * */
static int pattern_read(struct reader *r, struct node *n, void *dest,
			const struct key *key)
{
	const char *text = value_text(r, n, "a shell pattern");

	(void) key;
	if (!text)
		return -1;
	if (!*text)
		return node_error(r, n, "is empty (\"*\" matches any, and so "
				  "does no key)");
	if (strlen(text) > TEXT_MAX)
		return node_error(r, n, "is longer than %d characters",
				  TEXT_MAX);
	return value_keep(r, dest, text);
}

#define MATCH(member) IN(conf_match, member)

static const struct key rule_keys[] = {
	{ "partition", pattern_read, MATCH(partition) },
	{ "qos", pattern_read, MATCH(qos) },
	{ "account", pattern_read, MATCH(account) },
	{ "user", pattern_read, MATCH(user) },
	NO_KEY
};

static int rule_read(struct reader *r, struct node *n, void *dest,
		     const struct key *key)
{
	struct conf_rules *rules = dest;
	struct conf_match *rule = &rules->list[rules->n++];

	(void) key;
	rule->line = n->line;
	if (keys_read(r, n, rule, rule_keys) < 0)
		return -1;
	if (!n->nitems)
		return node_error(r, n, "is empty (a rule needs at least one "
				  "of partition, qos, account, user)");
	return 0;
}

/* dest: struct conf_rules */
static int rules_read(struct reader *r, struct node *list, void *dest,
		      const struct key *key)
{
	struct conf_rules *rules = dest;

	rules->list = calloc(list->nitems + 1, sizeof(*rules->list));
	if (!rules->list)
		return report_nomem(r->report);
	return list_read(r, list, "a list of rules like [{partition: gpu}]",
			 rule_read, rules, key);
}

int match_read(struct reader *r, struct node *list, void *dest,
	       const struct key *key)
{
	struct conf_rules rules = { 0 };
	int rc = rules_read(r, list, &rules, key);

	(void) dest;
	r->queue->matches = rules.list;
	r->queue->nmatches = rules.n;
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

		if (!t->is_cohort && &conf->spec->queues[t->node] == queue &&
		    t->nominal > 0)
			return true;
	}
	return false;
}

/* Settings that leave the section without any effect, or without any job that
 * could start */
static void nonpreemptible_advise(struct reader *r, const struct node *map,
				  const struct spec_queue *queue)
{
	const struct conf_nonpreemptible *by = &r->queue->nonpreemptible;
	const struct node *scope = node_find(map, "scope");

	if (!by->rules.n && !by->priority_set && !by->by_user)
		node_warning(r, map, "selects no jobs: it needs match, "
			     "priority or byUser to have any effect");
	if (scope && by->scope == CAP_COHORT && !r->has_parent)
		node_warning(r, scope, "has no effect without a cohort");
	if (by->scope == CAP_QUEUE && queue->nquotas &&
	    !has_nominal(r->conf, queue))
		node_warning(r, map, "no such job can start: nominal quota "
			     "limits them, and the queue has none (scope: "
			     "Cohort would count the quota of its cohorts)");
}

int nonpreemptible_read(struct reader *r, struct node *map, void *dest,
			const struct key *key)
{
	struct conf_nonpreemptible *by = &r->queue->nonpreemptible;
	struct spec_queue *queue = dest;
	int rc = keys_read(r, map, by, nonpreemptible_keys);

	(void) key;
	queue->cap_scope = by->scope;
	if (rc == 0)
		nonpreemptible_advise(r, map, queue);
	return rc;
}

/* ---- localQueues ---- */

/* dest: char * */
static int local_name_read(struct reader *r, struct node *n, void *dest,
			   const struct key *key)
{
	const char *text = value_text(r, n, "a name");

	(void) key;
	if (!text)
		return -1;
	if (!*text)
		return node_error(r, n, "is empty: it has to be the name of "
				  "an account (or user, as localQueue says)");
	if (strlen(text) > TEXT_MAX)
		return node_error(r, n, "is longer than %d characters",
				  TEXT_MAX);
	if (strpbrk(text, "*?["))
		return node_error(r, n, "%s is a pattern: a weight is for one "
				  "account or user, by its name",
				  node_quote(n).text);
	return value_keep(r, dest, text);
}

#define LOCAL(member) IN(conf_local, member)

static const struct key local_keys[] = {
	{ "name", local_name_read, LOCAL(name), .required = true },
	{ "fairSharing", map_read, KEYS(
		{ "weight", value_weight, LOCAL(weight) }) },
	NO_KEY
};

static int local_read(struct reader *r, struct node *n, void *dest,
		      const struct key *key)
{
	struct conf_queue *queue = r->queue;
	struct conf_local *local = &queue->locals[queue->nlocals++];

	(void) dest;
	(void) key;
	local->weight = 1;
	return keys_read(r, n, local, local_keys);
}

int local_queues_read(struct reader *r, struct node *list, void *dest,
		      const struct key *key)
{
	static const char what[] = "a list of accounts or users like [{name: "
		"lab, fairSharing: {weight: 2}}]";
	struct names names = { NULL };
	int rc = names_read(r, list, what, LOCAL_QUEUES_MAX, &names);
	bool there = names.of != NULL;

	free(names.of);
	if (!there)
		return -1;
	r->queue->locals = calloc(list->nitems + 1, sizeof(*r->queue->locals));
	if (!r->queue->locals)
		return report_nomem(r->report);
	if (list_read(r, list, what, local_read, dest, key) < 0)
		rc = -1;
	return rc;
}
