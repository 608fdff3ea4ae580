/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.c - places in a cohort.yaml that is to be edited
 */
#define _GNU_SOURCE	/* asprintf */
#include <stdio.h>
#include <string.h>

#include "apply/place.h"
#include "text/report.h"

const char *place_line(const char *text, int line)
{
	while (--line > 0 && (text = strchr(text, '\n')))
		text++;
	return text;
}

char *place_splice(const char *text, const char *at, size_t len,
		   const char *with)
{
	char *new;

	if (asprintf(&new, "%.*s%s%s", (int) (at - text), text, with,
		     at + len) < 0)
		return NULL;
	return new;
}

static const struct node *item_named(const struct node *list, const char *name)
{
	for (size_t i = 0; list && i < list->nitems; i++) {
		const struct node *n = node_find(list->items[i], "name");

		if (n && n->kind == NODE_SCALAR && !strcmp(n->text, name))
			return list->items[i];
	}
	return NULL;
}

static bool covers(const struct node *group, const char *resource)
{
	const struct node *list = node_find(group, "coveredResources");

	for (size_t i = 0; list && i < list->nitems; i++)
		if (!strcmp(list->items[i]->text, resource))
			return true;
	return false;
}

const struct node *place_flavor(const struct node *queue, const char *flavor,
				const char *resource)
{
	const struct node *groups = node_find(queue, "resourceGroups");

	for (size_t i = 0; groups && i < groups->nitems; i++) {
		const struct node *item = item_named(
			node_find(groups->items[i], "flavors"), flavor);

		if (item && covers(groups->items[i], resource))
			return item;
	}
	return NULL;
}

struct document *place_document(const char *text)
{
	struct report *report = report_create("");
	struct document *doc = report ? document_load(text, strlen(text),
						      report) : NULL;

	report_destroy(report);
	return doc;
}

const struct node *place_queue(struct document *doc, const char *queue,
			       char *err, size_t size)
{
	const struct node *list = doc ? node_find(document_root(doc),
						  "clusterQueues") : NULL;
	const struct node *item = item_named(list, queue);

	if (!item)
		snprintf(err, size, "there is no cluster queue \"%s\"",
			 queue);
	return item;
}
