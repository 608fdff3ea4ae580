/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scalar.c - single values: words, numbers, times, names
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/suggestion.h"
#include "value/duration.h"
#include "value/scalar.h"

#define WEIGHT_MAX 1000000
#define WEIGHT_DECIMALS 3

const char *value_text(struct reader *r, struct node *n, const char *what)
{
	if (n->kind == NODE_SCALAR)
		return n->text;
	node_error(r, n, "%s is not %s", node_quote(n).text, what);
	return NULL;
}

int value_keep(struct reader *r, void *dest, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return report_nomem(r->report);
	free(*(char **) dest);
	*(char **) dest = copy;
	return 0;
}

static int word_unknown(struct reader *r, struct node *n,
			const struct word *words)
{
	char all[256] = "";
	size_t used = 0;
	struct suggestion near;

	suggestion_init(&near, n->kind == NODE_SCALAR ? n->text : "");
	for (const struct word *w = words; w->word; w++) {
		suggestion_try(&near, w->word);
		used += snprintf(all + used, sizeof(all) - used, "%s%s",
				 w == words ? "" : w[1].word ? ", " : " or ",
				 w->word);
	}
	if (near.best)
		return node_error(r, n, "%s is not %s (did you mean %s?)",
				  node_quote(n).text, all, near.best);
	return node_error(r, n, "%s is not %s", node_quote(n).text, all);
}

int value_word(struct reader *r, struct node *n, void *dest,
	       const struct key *key)
{
	static const struct word truth[] = {
		{ "true", true }, { "false", false }, { NULL, 0 }
	};
	const struct word *words = key->words ? key->words : truth;

	for (const struct word *w = words; w->word; w++) {
		if (n->kind == NODE_SCALAR && !strcmp(w->word, n->text)) {
			key_store(dest, key, w->value);
			return 0;
		}
	}
	return word_unknown(r, n, words);
}

int value_integer(struct reader *r, struct node *n, void *dest,
		  const struct key *key)
{
	const char *text = value_text(r, n, "a whole number");
	long long value;
	char *end;

	if (!text)
		return -1;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (end == text || *end || isspace((unsigned char) *text))
		return node_error(r, n, "%s is not a whole number",
				  quote(text).text);
	if (value < key->min)
		return node_error(r, n, "%s is under the minimum of %" PRId64,
				  text, key->min);
	if (value > key->max || errno)
		return node_error(r, n, "%s is over the maximum of %" PRId64,
				  text, key->max);
	key_store(dest, key, value);
	return 0;
}

int value_time(struct reader *r, struct node *n, void *dest,
	       const struct key *key)
{
	const char *text = value_text(r, n, "a time");
	char err[160], bound[32];
	bool under, over;
	int64_t ns;

	if (!text)
		return -1;
	if (duration_parse(text, &ns, err, sizeof(err)) < 0)
		return node_error(r, n, "%s %s", quote(text).text, err);
	under = ns < key->min && !(key->or_zero && ns == 0);
	over = key->max && ns > key->max;
	if (under || over) {
		duration_format(under ? key->min : key->max, bound,
				sizeof(bound));
		return node_error(r, n, "%s is %s of %s", text, under ?
				  "under the minimum" : "over the maximum",
				  bound);
	}
	*(int64_t *) dest = ns;
	return 0;
}

/* Decimal digits, read by hand: strtod() would follow the locale. Returns the
 * weight in thousandths, or -1. */
static int64_t thousandths_parse(const char *p)
{
	int64_t n = 0;
	int decimals = 0;

	if (!isdigit((unsigned char) *p))
		return -1;
	for (; isdigit((unsigned char) *p) && n <= WEIGHT_MAX; p++)
		n = 10 * n + (*p - '0');
	if (*p == '.' && isdigit((unsigned char) p[1])) {
		for (p++; isdigit((unsigned char) *p); p++)
			if (++decimals <= WEIGHT_DECIMALS)
				n = 10 * n + (*p - '0');
			else if (*p != '0')
				return -1;
	}
	for (; decimals < WEIGHT_DECIMALS; decimals++)
		n *= 10;
	return *p || n > WEIGHT_MAX * INT64_C(1000) ? -1 : n;
}

int value_weight(struct reader *r, struct node *n, void *dest,
		 const struct key *key)
{
	const char *text = value_text(r, n, "a number");
	int64_t thousandths;

	(void) key;
	if (!text)
		return -1;
	thousandths = thousandths_parse(text);
	if (thousandths < 0)
		return node_error(r, n, "%s is not a weight (a number from 0 "
				  "to %d with up to %d decimals)",
				  quote(text).text, WEIGHT_MAX,
				  WEIGHT_DECIMALS);
	*(double *) dest = thousandths / 1000.0;
	return 0;
}

int value_path(struct reader *r, struct node *n, void *dest,
	       const struct key *key)
{
	const char *text = value_text(r, n, "a path");

	(void) key;
	if (!text)
		return -1;
	if (*text != '/' || !text[1] || text[strlen(text) - 1] == '/')
		return node_error(r, n, "%s is not the absolute path of a file",
				  node_quote(n).text);
	return value_keep(r, dest, text);
}

int value_name(struct reader *r, struct node *n, void *dest,
	       const struct key *key)
{
	const char *text = value_text(r, n, "a name");

	(void) dest;
	(void) key;
	if (!text)
		return -1;
	if (!*text)
		return node_error(r, n, "is empty");
	if (strlen(text) > NAME_MAX_LENGTH)
		return node_error(r, n, "%s is longer than %d characters",
				  quote(text).text, NAME_MAX_LENGTH);
	for (const char *p = text; *p; p++)
		if (!isascii(*p) || (!isalnum(*p) && !strchr("_-.", *p)))
			return node_error(r, n, "%s is not a name (letters, "
					  "digits, \"_\", \"-\" and \".\")",
					  quote(text).text);
	return 0;
}

static int reference_read(struct reader *r, struct node *n, int *index,
			  const struct names *names, const char *section)
{
	const char *text = value_text(r, n, "a name");
	const struct name *found = text ? names_find(names, text) : NULL;
	struct suggestion near;

	if (!text)
		return -1;
	if (found) {
		*index = (int) found->index;
		return 0;
	}
	suggestion_init(&near, text);
	for (size_t i = 0; !report_full(r->report) && i < names->n; i++)
		suggestion_try(&near, names->of[i].text);
	if (near.best)
		return node_error(r, n, "%s is not in %s (did you mean %s?)",
				  quote(text).text, section, near.best);
	return node_error(r, n, "%s is not in %s", quote(text).text, section);
}

int value_flavor(struct reader *r, struct node *n, void *dest,
		 const struct key *key)
{
	(void) key;
	return reference_read(r, n, dest, &r->flavors, "flavors");
}

int value_cohort(struct reader *r, struct node *n, void *dest,
		 const struct key *key)
{
	(void) key;
	return reference_read(r, n, dest, &r->cohorts, "cohorts");
}
