/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local_queues.c - local queues of a cluster queue that have a weight
 *
 *	localQueues:
 *	  - {name: vision-lab, fairSharing: {weight: 2}}	# an account, or user
 */
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"
#include "value/scalar.h"

#define LOCAL_NAME_MAX 127

/* dest: char * */
static int local_name_read(struct reader *r, const struct place *at,
			   struct node *n, void *dest, const void *arg)
{
	const char *text = value_text(r, at, n, "a name");

	(void) arg;
	if (!text)
		return -1;
	if (!*text)
		return field_error(r, at, n, "is empty: it has to be the name of "
				   "an account (or user, as localQueue says)");
	if (strlen(text) > LOCAL_NAME_MAX)
		return field_error(r, at, n, "is longer than %d characters",
				   LOCAL_NAME_MAX);
	if (strpbrk(text, "*?["))
		return field_error(r, at, n, "%s is a pattern: a weight is for "
				   "one account or user, by its name",
				   node_quote(n).text);
	*(char **) dest = strdup(text);
	return *(char **) dest ? 0 : report_nomem(r->report);
}

static const struct field fair_fields[] = {
	{ .key = "weight", .read = value_weight,
	  .offset = offsetof(struct conf_local, weight) },
	{ .key = NULL }
};

static const struct field local_fields[] = {
	{ .key = "name", .read = local_name_read, .required = true,
	  .offset = offsetof(struct conf_local, name) },
	{ .key = "fairSharing", .read = map_read, .arg = fair_fields },
	{ .key = NULL }
};

/* What one list is read to; the names are those of its items. */
struct locals {
	struct conf_queue *queue;
	struct symtab *names;
};

static int name_enter(struct reader *r, const struct place *at,
		      struct node *item, struct locals *all)
{
	const struct place here = { .up = at, .key = "name" };
	const struct conf_local *local = &all->queue->locals[at->index];
	struct node *n = node_find(item, here.key);
	int rc = symtab_add(all->names, local->name, (int) at->index, n->line);

	if (rc < 0)
		return report_nomem(r->report);
	if (rc > 0)
		return field_error(r, &here, n, "%s is there twice (first on "
				   "line %d)", quote(local->name).text,
				   symtab_find(all->names, local->name)->line);
	return 0;
}

static int local_read(struct reader *r, const struct place *at, struct node *n,
		      void *dest, const void *arg)
{
	struct locals *all = dest;
	struct conf_local *local = &all->queue->locals[all->queue->nlocals++];

	(void) arg;
	local->weight = 1;
	if (map_read(r, at, n, local, local_fields) < 0)
		return -1;
	return name_enter(r, at, n, all);
}

int local_queues_read(struct reader *r, const struct place *at,
		      struct node *list, void *dest, const void *arg)
{
	struct locals all = { &r->conf->queues[at->up->index],
			      symtab_create() };
	int rc;

	(void) dest;
	(void) arg;
	if (list->nitems > LOCAL_QUEUES_MAX) {
		symtab_destroy(all.names);
		return field_error(r, at, list, "has more than %d items",
				   LOCAL_QUEUES_MAX);
	}
	all.queue->locals = calloc(list->nitems + 1,
				   sizeof(*all.queue->locals));
	rc = all.names && all.queue->locals
	     ? list_read(r, at, list, "a list of accounts or users like "
			 "[{name: lab, fairSharing: {weight: 2}}]", local_read,
			 &all, NULL)
	     : report_nomem(r->report);
	symtab_destroy(all.names);
	return rc;
}
