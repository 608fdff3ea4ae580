/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match_rules.c - which jobs belong to a cluster queue
 *
 *	match:
 *	  - {partition: gpu, account: "vision*"}	# all keys must hold
 *	  - {qos: vision}				# or this
 */
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"
#include "value/scalar.h"

#define PATTERN_MAX 127

/* dest: char * */
static int pattern_read(struct reader *r, const struct place *at,
			struct node *n, void *dest, const void *arg)
{
	const char *text = value_text(r, at, n, "a shell pattern");

	(void) arg;
	if (!text)
		return -1;
	if (!*text)
		return field_error(r, at, n, "is empty (\"*\" matches any, "
				   "and so does no key)");
	if (strlen(text) > PATTERN_MAX)
		return field_error(r, at, n, "is longer than %d characters",
				   PATTERN_MAX);
	*(char **) dest = strdup(text);
	return *(char **) dest ? 0 : report_nomem(r->report);
}

static const struct field rule_fields[] = {
	{ .key = "partition", .read = pattern_read,
	  .offset = offsetof(struct conf_match, partition) },
	{ .key = "qos", .read = pattern_read,
	  .offset = offsetof(struct conf_match, qos) },
	{ .key = "account", .read = pattern_read,
	  .offset = offsetof(struct conf_match, account) },
	{ .key = "user", .read = pattern_read,
	  .offset = offsetof(struct conf_match, user) },
	{ .key = NULL }
};

static int rule_read(struct reader *r, const struct place *at, struct node *n,
		     void *dest, const void *arg)
{
	struct conf_rules *rules = dest;
	struct conf_match *rule = &rules->list[rules->n++];

	(void) arg;
	rule->line = n->line;
	if (map_read(r, at, n, rule, rule_fields) < 0)
		return -1;
	if (!n->nitems)
		return field_error(r, at, n, "is empty (a rule needs at least "
				   "one of partition, qos, account, user)");
	return 0;
}

int rules_read(struct reader *r, const struct place *at, struct node *list,
	       struct conf_rules *rules)
{
	rules->list = calloc(list->nitems + 1, sizeof(*rules->list));
	if (!rules->list)
		return report_nomem(r->report);
	return list_read(r, at, list, "a list of rules like "
			 "[{partition: gpu}]", rule_read, rules, NULL);
}

int match_rules_read(struct reader *r, const struct place *at,
		     struct node *list, void *dest, const void *arg)
{
	struct conf_queue *queue = &r->conf->queues[at->up->index];
	struct conf_rules rules = { 0 };
	int rc = rules_read(r, at, list, &rules);

	(void) dest;
	(void) arg;
	queue->matches = rules.list;
	queue->nmatches = rules.n;
	return rc;
}
