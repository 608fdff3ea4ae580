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

static const struct word truth_words[] = {
	{ "true", 1 }, { "false", 0 }, { NULL, 0 }
};

const char *value_text(struct reader *r, const struct place *at,
		       struct node *n, const char *what)
{
	if (n->kind == NODE_SCALAR)
		return n->text;
	field_error(r, at, n, "%s is not %s", node_quote(n).text, what);
	return NULL;
}

static int word_unknown(struct reader *r, const struct place *at,
			struct node *n, const struct word *words)
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
		return field_error(r, at, n, "%s is not %s (did you mean %s?)",
				   node_quote(n).text, all, near.best);
	return field_error(r, at, n, "%s is not %s", node_quote(n).text, all);
}

static const struct word *word_find(const struct node *n,
				    const struct word *words)
{
	if (n->kind != NODE_SCALAR)
		return NULL;
	while (words->word && strcmp(words->word, n->text) != 0)
		words++;
	return words->word ? words : NULL;
}

int value_word(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg)
{
	const struct word *word = word_find(n, arg);

	if (!word)
		return word_unknown(r, at, n, arg);
	*(int *) dest = word->value;
	return 0;
}

int value_bool(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg)
{
	const struct word *words = arg ? arg : truth_words;
	const struct word *word = word_find(n, words);

	if (!word)
		return word_unknown(r, at, n, words);
	*(bool *) dest = word->value;
	return 0;
}

int value_integer(struct reader *r, const struct place *at, struct node *n,
		  void *dest, const void *arg)
{
	const struct range *range = arg;
	const char *text = value_text(r, at, n, "a whole number");
	long long value;
	char *end;

	if (!text)
		return -1;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (end == text || *end || isspace((unsigned char) *text))
		return field_error(r, at, n, "%s is not a whole number",
				   quote(text).text);
	if (value < range->min)
		return field_error(r, at, n, "%s is under the minimum of %"
				   PRId64, text, range->min);
	if (value > range->max || errno)
		return field_error(r, at, n, "%s is over the maximum of %"
				   PRId64, text, range->max);
	*(int64_t *) dest = value;
	return 0;
}

int value_time(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg)
{
	const struct range *range = arg;
	const char *text = value_text(r, at, n, "a time");
	char err[160], bound[32];
	int64_t ns;

	if (!text)
		return -1;
	if (duration_parse(text, &ns, err, sizeof(err)) < 0)
		return field_error(r, at, n, "%s %s", quote(text).text, err);
	if (range && ns < range->min) {
		duration_format(range->min, bound, sizeof(bound));
		return field_error(r, at, n, "%s is under the minimum of %s",
				   text, bound);
	}
	if (range && ns > range->max) {
		duration_format(range->max, bound, sizeof(bound));
		return field_error(r, at, n, "%s is over the maximum of %s",
				   text, bound);
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

int value_weight(struct reader *r, const struct place *at, struct node *n,
		 void *dest, const void *arg)
{
	const char *text = value_text(r, at, n, "a number");
	int64_t thousandths;

	(void) arg;
	if (!text)
		return -1;
	thousandths = thousandths_parse(text);
	if (thousandths < 0)
		return field_error(r, at, n, "%s is not a weight (a number "
				   "from 0 to %d with up to %d decimals)",
				   quote(text).text, WEIGHT_MAX,
				   WEIGHT_DECIMALS);
	*(double *) dest = thousandths / 1000.0;
	return 0;
}

int value_path(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg)
{
	const char *text = value_text(r, at, n, "a path");

	(void) arg;
	if (!text)
		return -1;
	if (*text != '/' || !text[1] || text[strlen(text) - 1] == '/')
		return field_error(r, at, n, "%s is not the absolute path of "
				   "a file", node_quote(n).text);
	*(char **) dest = strdup(text);
	return *(char **) dest ? 0 : report_nomem(r->report);
}

int value_name(struct reader *r, const struct place *at, struct node *n,
	       void *dest, const void *arg)
{
	const char *text = value_text(r, at, n, "a name");

	(void) dest;
	(void) arg;
	if (!text)
		return -1;
	if (!*text)
		return field_error(r, at, n, "is empty");
	if (strlen(text) > NAME_MAX_LENGTH)
		return field_error(r, at, n, "%s is longer than %d characters",
				   quote(text).text, NAME_MAX_LENGTH);
	for (const char *p = text; *p; p++)
		if (!isascii(*p) || (!isalnum(*p) && !strchr("_-.", *p)))
			return field_error(r, at, n, "%s is not a name "
					   "(letters, digits, \"_\", \"-\" and "
					   "\".\")", quote(text).text);
	return 0;
}

int value_reference(struct reader *r, const struct place *at, struct node *n,
		    void *dest, const void *arg)
{
	const struct reference *ref = arg;
	struct symtab *table;
	const struct symbol *symbol;
	struct suggestion near;

	memcpy(&table, (const char *) r + ref->table, sizeof(table));
	if (!value_text(r, at, n, "a name"))
		return -1;
	symbol = symtab_find(table, n->text);
	if (symbol) {
		*(int *) dest = symbol->index;
		return 0;
	}
	suggestion_init(&near, n->text);
	for (size_t i = 0; !report_full(r->report) && i < symtab_count(table);
	     i++)
		suggestion_try(&near, symtab_at(table, i)->name);
	if (near.best)
		return field_error(r, at, n, "%s is not in %s (did you mean "
				   "%s?)", quote(n->text).text, ref->section,
				   near.best);
	return field_error(r, at, n, "%s is not in %s", quote(n->text).text,
			   ref->section);
}
