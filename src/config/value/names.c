/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - the names that the items of a list declare
 */
#include <stdlib.h>
#include <string.h>

#include "value/keys.h"

static int name_compare(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int text_compare(const void *text, const void *name)
{
	return strcmp(text, ((const struct name *) name)->text);
}

static int twice_report(struct reader *r, struct node *list,
			const struct name *first, const struct name *name)
{
	int line = node_find(node_item(list, first->index), "name")->line;

	return node_error(r, node_find(node_item(list, name->index), "name"),
			  "%s is there twice (first on line %d)",
			  quote(name->text).text, line);
}

int names_read(struct reader *r, struct node *list, const char *what,
	       size_t max, struct names *names)
{
	const struct name *first = NULL;
	int rc = 0;

	if (list_check(r, list, what) < 0)
		return -1;
	if (list->nitems > max)
		return node_error(r, list, "has more than %zu items", max);
	names->of = calloc(list->nitems + 1, sizeof(*names->of));
	if (!names->of)
		return report_nomem(r->report);
	for (size_t i = 0; i < list->nitems; i++) {
		const char *text = item_name(list->items[i]);

		if (*text)
			names->of[names->n++] = (struct name) { text, i };
	}
	qsort(names->of, names->n, sizeof(*names->of), name_compare);
	for (const struct name *n = names->of; n < names->of + names->n; n++) {
		if (!first || strcmp(first->text, n->text) != 0)
			first = n;
		else
			rc = twice_report(r, list, first, n);
	}
	return rc;
}

const struct name *names_find(const struct names *names, const char *text)
{
	if (!names->n)
		return NULL;
	return bsearch(text, names->of, names->n, sizeof(*names->of),
		       text_compare);
}
