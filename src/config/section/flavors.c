/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flavors.c - named sets of nodes
 *
 *	flavors:
 *	  - {name: a100, features: a100&nvlink}
 *	  - {name: v100, nodes: "gpu[001-032]"}
 *	  - {name: big, partitions: [mem, mem-long]}
 *	  - {name: cpu}				# all nodes
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "section/sections.h"
#include "value/scalar.h"

#define PARTS_MAX 256

/* How a text is joined from items; the document may also give them as a list */
struct joined {
	char separator;
	const char *what;
	bool (*good)(const char *text, size_t len, char separator);
};

/* A word for Slurm: no characters that have a meaning in its lists and
 * expressions */
static bool word_good(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isascii(text[i]) || !isgraph(text[i]) ||
		    strchr("&|,*!()[]\"'\\;", text[i]))
			return false;
	return len > 0;
}

/* words with separators between them */
static bool words_good(const char *text, size_t len, char separator)
{
	const char *end = text + len, *at;

	while ((at = memchr(text, separator, end - text))) {
		if (!word_good(text, at - text))
			return false;
		text = at + 1;
	}
	return word_good(text, end - text);
}

/* A hostlist, judged by its form only: gpu[001-032],big1 */
static bool hostlist_good(const char *text, size_t len, char separator)
{
	bool inside = false;
	char before = separator;

	for (size_t i = 0; i < len; before = text[i++]) {
		char c = text[i];

		if (inside) {
			if (!isdigit(c) &&
			    (!strchr("-,]", c) || !isdigit(before)))
				return false;
			inside = c != ']';
		} else if (c == '[') {
			inside = true;
		} else if (c == separator) {
			if (before == separator)
				return false;
		} else if (!isascii(c) || (!isalnum(c) && !strchr("_-.", c))) {
			return false;
		}
	}
	return !inside && before != separator;
}

static const struct joined features = {
	'&', "a feature, or several joined by &", words_good
};
static const struct joined nodes = {
	',', "a list of nodes like gpu[001-032]", hostlist_good
};
static const struct joined partitions = {
	',', "a partition, or several joined by commas", words_good
};

static int part_check(struct reader *r, const struct place *at,
		      struct node *n, const struct joined *joined)
{
	const char *text = value_text(r, at, n, joined->what);

	if (!text)
		return -1;
	if (!joined->good(text, strlen(text), joined->separator))
		return field_error(r, at, n, "%s is not %s", quote(text).text,
				   joined->what);
	return 0;
}

static int part_read(struct reader *r, const struct place *at,
		     struct node *n, void *dest, const void *arg)
{
	const struct joined *joined = arg;
	char **all = dest, *grown;
	size_t have = *all ? strlen(*all) : 0;

	if (part_check(r, at, n, joined) < 0)
		return -1;
	grown = realloc(*all, have + strlen(n->text) + 2);
	if (!grown)
		return report_nomem(r->report);
	if (have)
		grown[have++] = joined->separator;
	strcpy(grown + have, n->text);
	*all = grown;
	return 0;
}

/* dest: char *, which is replaced; arg: struct joined */
static int joined_read(struct reader *r, const struct place *at,
		       struct node *n, void *dest, const void *arg)
{
	const struct joined *joined = arg;
	char **all = dest;

	free(*all);
	*all = NULL;
	if (n->kind != NODE_LIST)
		return part_read(r, at, n, dest, arg);
	if (!n->nitems)
		return field_error(r, at, n, "is an empty list (leave the key "
				   "out for any)");
	if (n->nitems > PARTS_MAX)
		return field_error(r, at, n, "has more than %d items",
				   PARTS_MAX);
	return list_read(r, at, n, joined->what, part_read, dest, arg);
}

static const struct field flavor_fields[] = {
	{ .key = "name", .read = value_name, .required = true },
	{ .key = "features", .read = joined_read, .arg = &features,
	  .offset = offsetof(struct conf_flavor, features) },
	{ .key = "nodes", .read = joined_read, .arg = &nodes,
	  .offset = offsetof(struct conf_flavor, nodes) },
	{ .key = "partitions", .read = joined_read, .arg = &partitions,
	  .offset = offsetof(struct conf_flavor, partitions) },
	{ .key = NULL }
};

/* Flavors with the same name share an index; the name was reported. */
static int flavor_read(struct reader *r, const struct place *at,
		       struct node *n, void *dest, const void *arg)
{
	int index = spec_find_flavor(r->conf->spec, item_name(n));
	struct conf_flavor *flavor;

	(void) dest;
	(void) arg;
	if (index == SPEC_NONE)
		return -1;	/* no memory when it was declared */
	flavor = &r->conf->flavors[index];
	flavor->line = n->line;
	return map_read(r, at, n, flavor, flavor_fields);
}

int flavors_read(struct reader *r, const struct place *at, struct node *list,
		 void *dest, const void *arg)
{
	struct conf *conf = r->conf;
	int rc;

	rc = names_declare(r, at, list, FLAVORS_MAX, r->flavors, spec_flavor);
	if (rc < 0 && !conf->spec->nflavors)
		return -1;
	conf->flavors = calloc(conf->spec->nflavors + 1,
			       sizeof(*conf->flavors));
	if (!conf->flavors)
		return report_nomem(r->report);
	if (list_read(r, at, list, "a list of flavors", flavor_read, dest,
		      arg) < 0)
		rc = -1;
	return rc;
}
