/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story.c - sentences about one job, a quota, a rule
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "story/story.h"

void say(struct story *s, const char *format, ...)
{
	char text[2048];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	text_sanitize(text);
	json_object_array_add(s->sentences, json_object_new_string(text));
}

void story_print(const struct output *out, struct json_object *document)
{
	for (size_t i = 0; i < json_items(document, "sentences"); i++)
		output_wrap(out, i ? 2 : 0, i ? 4 : 2,
			    json_object_get_string(json_item(document, "sentences", i)));
}

void listing_add(struct listing *l, const char *format, ...)
{
	char item[512];
	va_list ap;

	if (l->n++ >= LISTED_MAX)
		return;
	va_start(ap, format);
	vsnprintf(item, sizeof(item), format, ap);
	va_end(ap);
	text_join(l->text, sizeof(l->text), "%s", item);
}

const char *listing_end(struct listing *l, const char *what)
{
	if (l->n > LISTED_MAX)
		text_append(l->text, sizeof(l->text), " and %zu more%s", l->n - LISTED_MAX, what);
	return l->text;
}

static const struct {
	const char *rule, *text;
} rules[] = {
	{ "InClusterQueue", "a job of the same queue had precedence" },
	{ "InClusterQueueTimeBased", "its turn was over" },
	{ "InCohortReclamation", "the other queue, or a cohort above it, owns what its queue had "
	  "borrowed" },
	{ "InCohortReclaimWhileBorrowing", "the other queue borrows, and its job has a higher "
	  "priority" },
	{ "InCohortFairSharing", "its queue had the larger share" },
};

const char *rule_text(const char *rule)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!strcmp(rules[i].rule, rule))
			return rules[i].text;
	return "";
}

char *temporary_text(char *buf, size_t size, const char *name, struct json_object *quota,
		     int64_t now)
{
	struct json_object *t = json_member(quota, "temporary");
	const char *resource = json_text(quota, "resource"), *flavor = json_text(quota, "flavor");
	char *amount = text_amount_of(TEXT_BUF, resource, json_number(t, "nominal"));
	char *then = text_amount(TEXT_BUF, resource, json_number(t, "otherwise"));
	char *from = text_time(TEXT_BUF, json_number(t, "begin"), now);
	int64_t end = json_number(t, "end");
	char *until = text_time(TEXT_BUF, end, now);

	if (json_truth(t, "inForce") && !end)
		snprintf(buf, size, "%s has %s of flavor %s for good now; nominalQuota still says "
			 "%s.", name, amount, flavor, then);
	else if (json_truth(t, "inForce"))
		snprintf(buf, size, "%s has %s of flavor %s until %s, then %s.", name, amount,
			 flavor, until, then);
	else
		snprintf(buf, size, "%s gets %s of flavor %s from %s%s%s; until then %s.", name,
			 amount, flavor, from, end ? " until " : " on", end ? until : "", then);
	return buf;
}

char *outside_text(char *buf, size_t size, const struct published *p, const char *resource)
{
	*buf = '\0';
	for (size_t i = 0; i < json_items(p->document, "outside"); i++) {
		struct json_object *o = json_item(p->document, "outside", i);
		const char *what = json_text(o, "resource");

		if (!resource || !strcmp(resource, what))
			text_append(buf, size, "%s%s of %s", *buf ? ", "
			       : "Jobs outside all queues use ",
			       text_amount_of(TEXT_BUF, what, json_number(o, "used")),
			       json_text(o, "flavor"));
	}
	if (*buf)
		text_append(buf, size, ". Quota does not count that: FREE is quota, not nodes.");
	return buf;
}
