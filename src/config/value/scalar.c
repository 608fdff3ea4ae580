/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scalar.c - single values: words, numbers, times, texts
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/times.h"
#include "value/keys.h"

#define WEIGHT_MAX 1000000
#define WEIGHT_DECIMALS 3

const char *value_text(struct value *v, const char *what)
{
	if (v->n->kind == NODE_SCALAR)
		return v->n->text;
	value_error(v, "%s is not %s", node_quote(v->n).text, what);
	return NULL;
}

/* ---- words ---- */

static int word_unknown(struct value *v, const struct word *words)
{
	const char *text = v->n->kind == NODE_SCALAR ? v->n->text : "";
	char all[256] = "";
	size_t used = 0;

	for (const struct word *w = words; w->word; w++)
		used += snprintf(all + used, sizeof(all) - used, "%s%s",
				 w == words ? "" : w[1].word ? ", " : " or ", w->word);
	return value_error(v, "%s is not %s%s", node_quote(v->n).text, all,
			   did_you_mean(text, words, sizeof(*words), SIZE_MAX).text);
}

int value_word(struct value *v)
{
	static const struct word truth[] = { { "true", true }, { "false", false }, { NULL, 0 } };
	const struct word *words = v->key->words ? v->key->words : truth;

	for (const struct word *w = words; w->word; w++) {
		if (v->n->kind == NODE_SCALAR && !strcmp(w->word, v->n->text)) {
			key_store(v->dest, v->key, w->value);
			return 0;
		}
	}
	return word_unknown(v, words);
}

/* ---- numbers ---- */

/* Stores a number, or a time, that is in the key's bounds. */
static int bounded_store(struct value *v, int64_t value, const char *text, bool time)
{
	const struct key *key = v->key;
	bool under = value < key->min && !(key->or_zero && value == 0);
	int64_t limit = under ? key->min : key->max;
	char bound[32];

	if (!under && (!key->max || value <= key->max)) {
		key_store(v->dest, key, value);
		return 0;
	}
	if (time)
		duration_format(limit, bound, sizeof(bound));
	else
		snprintf(bound, sizeof(bound), "%" PRId64, limit);
	return value_error(v, "%s is %s of %s", text,
			   under ? "under the minimum" : "over the maximum", bound);
}

/* What is out of range for strtoll() is out of the key's bounds, too. */
int value_integer(struct value *v)
{
	const char *text = value_text(v, "a whole number");
	int64_t value;
	char *end;

	if (!text)
		return -1;
	value = strtoll(text, &end, 10);
	if (end == text || *end || isspace((unsigned char) *text))
		return value_error(v, "%s is not a whole number", quote(text).text);
	return bounded_store(v, value, text, false);
}

int value_time(struct value *v)
{
	const char *text = value_text(v, "a time");
	char err[160];
	int64_t ns;

	if (!text)
		return -1;
	if (duration_parse(text, &ns, err, sizeof(err)) < 0)
		return value_error(v, "%s %s", quote(text).text, err);
	return bounded_store(v, ns, text, true);
}

int value_moment(struct value *v)
{
	const char *text = value_text(v, "a time");

	if (!text)
		return -1;
	if (moment_parse(text, v->dest) < 0)
		return value_error(v, "%s is not a time (2026-12-01T08:00, or Mon 08:00 for each "
				   "week, would be right)", node_quote(v->n).text);
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

int value_weight(struct value *v)
{
	const char *text = value_text(v, "a number");
	int64_t thousandths;

	if (!text)
		return -1;
	thousandths = thousandths_parse(text);
	if (thousandths < 0)
		return value_error(v, "%s is not a weight (a number from 0 to %d with up to %d "
				   "decimals)", quote(text).text, WEIGHT_MAX, WEIGHT_DECIMALS);
	*(double *) v->dest = thousandths / 1000.0;
	return 0;
}

/* ---- texts ---- */

static bool path_good(const char *text)
{
	return *text == '/' && text[1] && text[strlen(text) - 1] != '/';
}

const struct text_rule path_rule = {
	.what = "a path", .empty = "is empty", .max = 4095,
	.good = path_good, .wrong = "is not the absolute path of a file",
};

const struct text_rule name_rule = {
	.what = "a name", .empty = "is empty", .max = 63,
	.only = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.",
	.wrong = "is not a name (letters, digits, \"_\", \"-\" and \".\")",
};

static bool text_good(const struct text_rule *rule, const char *text)
{
	return (!rule->only || !text[strspn(text, rule->only)]) &&
	       (!rule->without || !strpbrk(text, rule->without)) &&
	       (!rule->good || rule->good(text));
}

int value_string(struct value *v)
{
	const struct text_rule *rule = v->key->arg;
	const char *text = value_text(v, rule->what);
	char *copy;

	if (!text)
		return -1;
	if (!*text)
		return value_error(v, "%s", rule->empty);
	if (strlen(text) > rule->max)
		return value_error(v, "%s is longer than %zu characters", quote(text).text,
				   rule->max);
	if (!text_good(rule, text))
		return value_error(v, "%s %s", quote(text).text, rule->wrong);
	if (!v->key->size)
		return 0;
	copy = strdup(text);
	if (!copy)
		return report_nomem(v->r->report);
	free(*(char **) v->dest);
	*(char **) v->dest = copy;
	return 0;
}

static int reference_read(struct value *v, const struct names *names, const char *section)
{
	const char *text = value_text(v, "a name");
	const struct name *found = text ? names_find(names, text) : NULL;
	size_t n = report_full(v->r->report) ? 0 : names->n;

	if (!text)
		return -1;
	if (!found)
		return value_error(v, "%s is not in %s%s", quote(text).text, section,
				   did_you_mean(text, names->of, sizeof(*names->of), n).text);
	*(int *) v->dest = (int) found->index;
	return 0;
}

int value_flavor(struct value *v)
{
	return reference_read(v, &v->r->flavors, "flavors");
}

int value_cohort(struct value *v)
{
	return reference_read(v, &v->r->cohorts, "cohorts");
}
