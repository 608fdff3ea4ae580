/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nonpreemptible.c - which jobs of a cluster queue can't be preempted
 *
 *	nonPreemptible:
 *	  match: [{qos: interactive}]	# as a queue's own match rules
 *	  priority: 1000		# and all from this priority on
 *	  byUser: true			# --comment=cohort:preemptibility=...
 *	  scope: ClusterQueue		# or Cohort: its quota caps them
 */
#include "section/sections.h"
#include "value/scalar.h"

static const struct word scope_words[] = {
	{ "ClusterQueue", CAP_QUEUE },
	{ "Cohort", CAP_COHORT },
	{ NULL, 0 }
};

/* As for maxPriorityThreshold: Slurm's are unsigned 32-bit numbers. */
static const struct range priority_range = { INT32_MIN, UINT32_MAX };

/* What the map says, before it is entered where it belongs */
struct section {
	struct conf_nonpreemptible by;
	enum cap_scope scope;
};

static int priority_read(struct reader *r, const struct place *at,
			 struct node *n, void *dest, const void *arg)
{
	struct section *s = dest;

	s->by.priority_set = true;
	return value_integer(r, at, n, &s->by.priority, arg);
}

static int rules_of_section(struct reader *r, const struct place *at,
			    struct node *list, void *dest, const void *arg)
{
	(void) arg;
	return rules_read(r, at, list, dest);
}

static const struct field fields[] = {
	{ .key = "match", .read = rules_of_section,
	  .offset = offsetof(struct section, by.rules) },
	{ .key = "priority", .read = priority_read, .arg = &priority_range },
	{ .key = "byUser", .read = value_bool,
	  .offset = offsetof(struct section, by.by_user) },
	{ .key = "scope", .read = value_word, .arg = scope_words,
	  .offset = offsetof(struct section, scope) },
	{ .key = NULL }
};

/* Now or for a time */
static bool has_nominal(const struct conf *conf, const struct spec_queue *queue)
{
	for (size_t i = 0; i < queue->nquotas; i++) {
		if (queue->quotas[i].nominal > 0)
			return true;
	}
	for (size_t i = 0; i < conf->ntemporaries; i++) {
		const struct conf_temporary *t = &conf->temporaries[i];

		if (!t->is_cohort && &conf->spec->queues[t->node] == queue
		    && t->nominal > 0)
			return true;
	}
	return false;
}

/* Settings that leave the section without any effect, or without any job that
 * could start */
static void section_advise(struct reader *r, const struct place *at,
			   const struct node *map, const struct section *s,
			   const struct spec_queue *queue)
{
	const struct place scope = { .up = at, .key = "scope" };
	const struct node *n = node_find(map, scope.key);

	if (!s->by.rules.n && !s->by.priority_set && !s->by.by_user)
		report_warning(r->report, at, map->line, "selects no jobs: it "
			       "needs match, priority or byUser to have any "
			       "effect");
	if (n && s->scope == CAP_COHORT && !r->has_parent)
		report_warning(r->report, &scope, n->line, "has no effect "
			       "without a cohort");
	if (s->scope == CAP_QUEUE && queue->nquotas && !has_nominal(r->conf, queue))
		report_warning(r->report, at, map->line, "no such job can "
			       "start: nominal quota limits them, and the "
			       "queue has none (scope: Cohort would count the "
			       "quota of its cohorts)");
}

int nonpreemptible_read(struct reader *r, const struct place *at,
			struct node *map, void *dest, const void *arg)
{
	struct section s = { .scope = CAP_QUEUE };
	struct spec_queue *queue = dest;
	int rc = map_read(r, at, map, &s, fields);

	(void) arg;
	/* also after an error: what it holds has to be freed */
	r->conf->queues[at->up->index].nonpreemptible = s.by;
	queue->cap_scope = s.scope;
	if (rc == 0)
		section_advise(r, at, map, &s, queue);
	return rc;
}
