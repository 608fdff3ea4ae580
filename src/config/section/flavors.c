/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flavors.c - named sets of nodes
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"

#define PARTS_MAX 256

/* How a text is joined from items; the document may also give them as a list */
struct joined {
	char separator;
	const char *what;
	const char *without;	/* no item has one of these characters */
	bool ranges;		/* [001-032] is a part of an item */
};

/* Judges the form only. Spaces and what is not ASCII are never right. */
static bool joined_good(const struct joined *joined, const char *text)
{
	char before = joined->separator;
	bool inside = false;	/* of brackets */

	for (; *text; before = *text++) {
		char c = *text;

		if (inside) {
			if (!isdigit(c) && (!strchr("-,]", c) || !isdigit(before)))
				return false;
			inside = c != ']';
		} else if (c == joined->separator) {
			if (before == c)
				return false;
		} else if (joined->ranges && c == '[') {
			inside = true;
		} else if (!isascii(c) || !isgraph(c) || strchr(joined->without, c)) {
			return false;
		}
	}
	return !inside && before != joined->separator;
}

static int part_read(struct value *v)
{
	const struct joined *joined = v->key->arg;
	const char *text = value_text(v, joined->what);
	char **all = v->dest, *grown;
	size_t have = *all ? strlen(*all) : 0;

	if (!text)
		return -1;
	if (!joined_good(joined, text))
		return value_error(v, "%s is not %s", quote(text).text, joined->what);
	grown = realloc(*all, have + strlen(text) + 2);
	if (!grown)
		return report_nomem(v->r->report);
	if (have)
		grown[have++] = joined->separator;
	strcpy(grown + have, text);
	*all = grown;
	return 0;
}

/* dest: char *; the key has a struct joined */
static int joined_read(struct value *v)
{
	const struct joined *joined = v->key->arg;

	free(*(char **) v->dest);
	*(char **) v->dest = NULL;
	if (v->n->kind != NODE_LIST)
		return part_read(v);
	if (!v->n->nitems)
		return value_error(v, "is an empty list (leave the key out for any)");
	return list_read(v, joined->what, part_read, v->dest);
}

/* Words for Slurm: without what has a meaning in its lists and expressions */
#define SPECIAL "&|,*!()[]\"'\\;"

static const struct joined features = {
	'&', "a feature, or several joined by &", SPECIAL, false
};
static const struct joined nodes = {
	',', "a list of nodes like gpu[001-032]", SPECIAL "#$%+/:<=>?@^`{}~", true
};
static const struct joined partitions = {
	',', "a partition, or several joined by commas", SPECIAL, false
};

#define FLAVOR(member) IN(conf_flavor, member)

static const struct key flavor_keys[] = {
	{ "name", value_string, .arg = &name_rule, .required = true },
	{ "features", joined_read, FLAVOR(features), .max = PARTS_MAX, .arg = &features },
	{ "nodes", joined_read, FLAVOR(nodes), .max = PARTS_MAX, .arg = &nodes },
	{ "partitions", joined_read, FLAVOR(partitions), .max = PARTS_MAX, .arg = &partitions },
	NO_KEY
};

static int flavor_read(struct value *v)
{
	struct conf *conf = v->r->conf;
	int index = spec_find_flavor(conf->spec, item_name(v->n));

	conf->flavors[index].line = v->n->line;
	return keys_read(v->r, v->n, &conf->flavors[index], flavor_keys);
}

/* Flavors with the same name share an index; the name was reported. */
static int flavors_add(struct reader *r, const struct node *list)
{
	struct spec *spec = r->conf->spec;

	for (size_t i = 0; i < list->nitems; i++)
		if (spec_flavor(spec, item_name(list->items[i])) < 0)
			return -1;
	for (size_t i = 0; i < r->flavors.n; i++)
		r->flavors.of[i].index = (size_t)
			spec_find_flavor(spec, r->flavors.of[i].text);
	r->conf->flavors = calloc(spec->nflavors + 1, sizeof(*r->conf->flavors));
	return r->conf->flavors ? 0 : -1;
}

int flavors_read(struct value *v)
{
	return named_list_read(v, "a list of flavors", &v->r->flavors, flavors_add, flavor_read);
}
