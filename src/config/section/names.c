/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - the names of flavors, cohorts and cluster queues
 */
#include "section/sections.h"
#include "value/map.h"

const char *item_name(const struct node *item)
{
	const struct node *name = node_find(item, "name");

	return name && name->kind == NODE_SCALAR && !node_is_null(name) ?
		name->text : "";
}

static int item_declare(struct reader *r, const struct place *at,
			struct node *item, struct symtab *table,
			int (*add)(struct spec *spec, const char *name))
{
	const struct place here = { .up = at, .key = "name" };
	struct node *name = node_find(item, "name");
	const char *text = item_name(item);
	int index = add(r->conf->spec, text), rc;

	if (index < 0)
		return report_nomem(r->report);
	if (!*text)
		return 0;	/* it is reported when the item is read */
	rc = symtab_add(table, text, index, name->line);
	if (rc < 0)
		return report_nomem(r->report);
	if (rc > 0)
		return field_error(r, &here, name, "%s is there twice (first "
				   "on line %d)", quote(text).text,
				   symtab_find(table, text)->line);
	return 0;
}

int names_declare(struct reader *r, const struct place *at, struct node *list,
		  size_t max, struct symtab *table,
		  int (*add)(struct spec *spec, const char *name))
{
	int rc = 0;

	if (list->kind != NODE_LIST)
		return 0;	/* list_read() reports it */
	if (list->nitems > max)
		return field_error(r, at, list, "has more than %zu items", max);
	for (size_t i = 0; i < list->nitems; i++) {
		struct place here = { .up = at, .index = i };

		if (item_declare(r, &here, list->items[i], table, add) < 0)
			rc = -1;
	}
	return rc;
}
