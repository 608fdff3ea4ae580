/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_table.c - the ledger as a table and as a document
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "model/model.h"
#include "output/text.h"
#include "status/status.h"
#include "story/story.h"

#define NAMED_MAX 10		/* the others are counted */

/* ---- columns ---- */

static void share_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	snprintf(buf, size, "%.3f", json_object_get_double(value));
}

/* "cpu=12.5,gres/gpu=3.0" */
static void history_text(struct json_object *row, struct json_object *value, char *buf, size_t size)
{
	(void) row;
	*buf = '\0';
	if (!json_object_is_type(value, json_type_object))
		return;
	json_object_object_foreach(value, resource, past)
		text_append(buf, size, "%s%s=%.1f", *buf ? "," : "", resource,
			    json_object_get_double(past));
}

static enum paint queue_paint(struct json_object *row)
{
	if (json_member(row, "isCohort"))
		return PAINT_BOLD;
	return *json_text(row, "stopPolicy") ? PAINT_RED : PAINT_NONE;
}

static enum paint borrowed_paint(struct json_object *row)
{
	return json_number(row, "borrowed") ? PAINT_YELLOW : PAINT_NONE;
}

static enum paint free_paint(struct json_object *row)
{
	return json_number(row, "free") ? PAINT_GREEN : PAINT_NONE;
}

/* An amount of the row's "resource" */
#define AMOUNT(name_, key_, help_, ...) \
	COLUMN(name_, key_, help_, .flags = COLUMN_RIGHT, .text = cell_amount, __VA_ARGS__)

const struct column status_columns[] = {
	COLUMN("NAME", "name", "name of the cohort or cluster queue",
	       .flags = COLUMN_TREE | COLUMN_ELASTIC, .paint = queue_paint),
	COLUMN("FLAVOR", "flavor", "kind of nodes", .flags = COLUMN_ELASTIC),
	COLUMN("RESOURCE", "resource", "TRES: cpu, mem, gres/gpu, ...", .flags = COLUMN_ELASTIC),
	AMOUNT("NOMINAL", "nominal", "nominal quota: what it owns"),
	COLUMN("UNTIL", "until", "when a quota for a time ends", .flags = COLUMN_IF_ANY,
	       .spare = 7, .text = cell_time),
	AMOUNT("USED", "used", "in use, or reserved for a preemptor"),
	AMOUNT("BORROWED", "borrowed", "the part of USED above its nominal quota",
	       .paint = borrowed_paint),
	AMOUNT("LENT", "lent", "the part of its nominal quota that others use"),
	AMOUNT("FREE", "free", "what a job could get without any eviction", .paint = free_paint),
	AMOUNT("RECLAIM", "reclaimable", "about how much of LENT it could reclaim now", .spare = 2),
	COLUMN("LATER", "reclaimableLater", "the part of LENT that is still protected",
	       .flags = COLUMN_RIGHT | COLUMN_IF_ANY, .spare = 5, .text = cell_amount),
	COLUMN("AT", "reclaimableAt", "when the first of these protections ends",
	       .flags = COLUMN_IF_ANY, .spare = 6, .text = cell_time),
	COLUMN("FIXED", "nonPreemptible", "the part of USED by jobs that can't be "
	       "preempted", .flags = COLUMN_RIGHT | COLUMN_IF_ANY, .spare = 4, .text = cell_amount),
	COLUMN("RUN", "running", "running jobs", .flags = COLUMN_RIGHT, .spare = 3),
	COLUMN("WAIT", "waiting", "waiting jobs with a position; each array task counts",
	       .flags = COLUMN_RIGHT),
	COLUMN("WEIGHT", "weight", "of fair sharing", .flags = COLUMN_RIGHT | COLUMN_IF_ANY,
	       .spare = 8),
	COLUMN("SHARE", "share", "of fair sharing: what it borrows of what can be lent, divided by "
	       "weight", .flags = COLUMN_RIGHT | COLUMN_IF_ANY, .spare = 7, .text = share_text),
	COLUMN("NOW", "shareNow", "the same without what it borrowed lately",
	       .flags = COLUMN_RIGHT | COLUMN_IF_ANY, .spare = 6, .text = share_text),
	COLUMN("HISTORY", "history", "what it borrowed lately, by resource; it halves with each "
	       "half-life", .flags = COLUMN_IF_ANY, .spare = 6, .text = history_text),
	COLUMN("STOP", "stopPolicy", "Hold, HoldAndDrain", .flags = COLUMN_IF_ANY,
	       .spare = 1, .paint = queue_paint),
	COLUMN("PARENT", "parent", "the cohort it belongs to", .flags = COLUMN_ASKED),
	COLUMN("BLIMIT", "borrowingLimit", "borrowingLimit",
	       .flags = COLUMN_ASKED | COLUMN_RIGHT, .text = cell_amount),
	COLUMN("LLIMIT", "lendingLimit", "lendingLimit",
	       .flags = COLUMN_ASKED | COLUMN_RIGHT, .text = cell_amount),
	COLUMN("POTENTIAL", "potential", "the most it could ever use",
	       .flags = COLUMN_ASKED | COLUMN_RIGHT, .text = cell_amount),
	COLUMN("FIXEDCAP", "nonPreemptibleCap", "the most that FIXED may be now",
	       .flags = COLUMN_ASKED | COLUMN_RIGHT, .text = cell_amount),
	{ .name = NULL }
};

/* ---- the choice of queues and cohorts ---- */

struct pick {
	const struct published *p;
	char **names;
	int n;
	struct status_rows *rows;
};

static bool is_cohort(struct json_object *node)
{
	return json_object_object_get_ex(node, "parent", NULL);
}

static const char *above(struct json_object *node)
{
	return json_text(node, is_cohort(node) ? "parent" : "cohort");
}

/* It, or a cohort above it, is named. below: only if it is that cohort or below it; NULL: any */
static bool is_named(const struct pick *pick, struct json_object *node, struct json_object *below)
{
	bool named = !pick->n, is_below = !below;

	for (; node && !(named && is_below); node = published_cohort(pick->p, above(node))) {
		for (int i = 0; i < pick->n; i++)
			named |= !strcmp(pick->names[i], json_text(node, "name"));
		is_below |= node == below;
	}
	return named && is_below;
}

/* A named node, one below a named cohort, or a cohort above such a queue */
static bool is_picked(const struct pick *pick, struct json_object *node)
{
	struct json_object *d = pick->p->document;
	bool picked = is_named(pick, node, NULL);

	for (size_t i = 0; !picked && is_cohort(node) && i < json_items(d, "clusterQueues"); i++)
		picked = is_named(pick, json_item(d, "clusterQueues", i), node);
	return picked;
}

/* ---- rows ---- */

static void member_copy(struct json_object *to, struct json_object *from, const char *key)
{
	json_object_object_add(to, key, json_object_get(json_member(from, key)));
}

static void members_copy(struct json_object *to, struct json_object *from, const char *const *keys)
{
	for (; *keys; keys++)
		member_copy(to, from, *keys);
}

static void line_add(struct pick *pick, const char *line)
{
	json_object_array_add(pick->rows->notes, json_object_new_string(line));
}

static void node_fill(const struct pick *pick, struct json_object *row, struct json_object *node)
{
	static const char *const share[] = {
		"weight", "share", "shareNow", "history", NULL,
	};
	static const char *const jobs[] = { "running", "waiting", NULL };

	member_copy(row, node, "name");
	json_add_text(row, "parent", *above(node) ? above(node) : NULL);
	json_add_number(row, "time", json_number(pick->p->document, "time"));
	if (json_truth(pick->p->document, "fairSharing"))
		members_copy(row, node, share);
	if (is_cohort(node)) {
		json_add_truth(row, "isCohort", true);
		return;
	}
	members_copy(row, node, jobs);
	json_add_text(row, "stopPolicy", published_stop(node));
}

static void quota_fill(struct json_object *row, struct json_object *node, struct json_object *quota)
{
	struct json_object *temporary = json_member(quota, "temporary");

	json_object_object_foreach(quota, key, value)
		json_object_object_add(row, key, json_object_get(value));
	if (json_truth(temporary, "inForce"))
		json_add_number(row, "until", json_number(temporary, "end"));
	if (is_cohort(node))	/* quota that its members own counts as the cohort's */
		json_object_object_add(row, "nominal", json_object_get(
			json_member(quota, "subtree")));
}

static void pair_note(struct pick *pick, struct json_object *quota)
{
	const char *flavor = json_text(quota, "flavor");
	struct json_object *of = json_member(pick->rows->pairs, flavor);

	if (!of) {
		of = json_object_new_object();
		json_object_object_add(pick->rows->pairs, flavor, of);
	}
	json_object_object_add(of, json_text(quota, "resource"), NULL);
}

/* quota: NULL: it has none that is shown */
static void row_add(struct pick *pick, struct json_object *node,
		    struct json_object *quota, const char *branch, bool first)
{
	struct json_object *row = json_object_new_object();

	node_fill(pick, row, node);
	if (pick->rows->once && !first) {
		json_object_object_del(row, "running");
		json_object_object_del(row, "waiting");
	}
	if (json_object_is_type(quota, json_type_object)) {
		quota_fill(row, node, quota);
		pair_note(pick, quota);
	}
	table_add(pick->rows->table, row, branch);
}

/* A line below the table: a quota for a time, in force or to come. NULL: none */
static void temporary_note(struct pick *pick, struct json_object *node, struct json_object *quota)
{
	char line[512];

	if (json_member(quota, "temporary"))
		line_add(pick, temporary_text(line, sizeof(line), json_text(node, "name"), quota,
					      json_number(pick->p->document, "time")));
}

/* ---- the order of local queues, where usage counts ---- */

/* null is beyond all others */
static double score_of(struct json_object *usage)
{
	return json_member(usage, "score") ? json_real(usage, "score") : HUGE_VAL;
}

static int by_score(const void *x, const void *y)
{
	struct json_object *a = *(struct json_object *const *) x;
	struct json_object *b = *(struct json_object *const *) y;
	int order = (score_of(a) > score_of(b)) - (score_of(a) < score_of(b));

	return order ? order : strcmp(json_text(a, "name"), json_text(b, "name"));
}

/* "lab 0.22 (weight 2)", "- 0.22": only names in cohort.yaml are published,
 * and never those of users */
static void usage_add(char *list, size_t size, struct json_object *usage, bool by_user)
{
	const char *name = json_text(usage, "name");
	char score[32] = "last", weight[48] = "";

	if (!*name && !by_user)
		name = "-";
	if (isfinite(score_of(usage)))
		snprintf(score, sizeof(score), "%.4g", score_of(usage));
	if (json_real(usage, "weight") != 1)
		snprintf(weight, sizeof(weight), " (weight %g)", json_real(usage, "weight"));
	text_join(list, size, "%s%s%s%s", name, *name ? " " : "", score, weight);
}

/* "accounts of vision by usage, less goes first: lab 0.22, guests 3 (weight 2)", if usage counts.
 * Sorts them. */
static void usages_note(struct pick *pick, struct json_object *queue)
{
	bool by_user = !strcmp(json_text(pick->p->document, "localQueue"), "user");
	size_t n = json_items(queue, "localUsage");
	char list[1024] = "", line[2048];

	if (!n)
		return;
	json_object_array_sort(json_member(queue, "localUsage"), by_score);
	for (size_t i = 0; i < n && i < NAMED_MAX; i++)
		usage_add(list, sizeof(list), json_item(queue, "localUsage", i), by_user);
	if (n > NAMED_MAX)
		text_join(list, sizeof(list), "and %zu more", n - NAMED_MAX);
	snprintf(line, sizeof(line), "%s of %s by usage, less goes first: %s",
		 by_user ? "users" : "accounts", json_text(queue, "name"), list);
	line_add(pick, line);
}

/* ---- a node ---- */

static void node_add(struct pick *pick, struct json_object *node, const char *branch)
{
	const struct shown every = { true, pick->rows->shown.resource };
	struct json_object *hidden = NULL;	/* the last one for a time that has no row */
	bool noted = false;
	size_t rows = 0;

	for (size_t i = 0; i < json_items(node, "quota"); i++) {
		struct json_object *quota = json_item(node, "quota", i);
		bool temporary = json_member(quota, "temporary");

		if (quota_is_shown(&pick->rows->shown, node, i)) {
			row_add(pick, node, quota, branch, !rows++);
			temporary_note(pick, node, quota);
			noted |= temporary;
		} else if (quota_is_shown(&every, node, i)) {
			pick->rows->hidden++;
			hidden = temporary ? quota : hidden;
		}
	}
	if (!rows)
		row_add(pick, node, NULL, branch, true);
	if (!noted)
		temporary_note(pick, node, hidden);
	if (pick->rows->shown.all)
		usages_note(pick, node);
}

/* ---- the tree ---- */

/* Those of the list that are picked and right below the parent ("": at the top) */
static void children_find(const struct pick *pick, const char *list,
			  const char *parent, struct json_object *children)
{
	for (size_t i = 0; i < json_items(pick->p->document, list); i++) {
		struct json_object *node = json_item(pick->p->document, list, i);

		if (!strcmp(above(node), parent) && is_picked(pick, node))
			json_object_array_add(children, json_object_get(node));
	}
}

static void children_add(struct pick *pick, const char *parent, const char *indent)
{
	struct json_object *children = json_object_new_array();
	char branch[4 * COHORT_LEVELS_MAX], below[4 * COHORT_LEVELS_MAX];
	bool top = !*parent;
	size_t n;

	children_find(pick, "clusterQueues", parent, children);
	children_find(pick, "cohorts", parent, children);
	n = json_object_array_length(children);
	for (size_t i = 0; i < n; i++) {
		struct json_object *node = json_object_array_get_idx(children, i);

		snprintf(branch, sizeof(branch), "%s%s", indent,
			 top ? "" : i + 1 < n ? "|- " : "`- ");
		snprintf(below, sizeof(below), "%s%s", indent,
			 top ? "" : i + 1 < n ? "|  " : "   ");
		node_add(pick, node, branch);
		if (is_cohort(node))
			children_add(pick, json_text(node, "name"), below);
	}
	json_object_put(children);
}

void status_fill(struct status_rows *rows, const struct published *p, char **names, int n)
{
	struct pick pick = { .p = p, .names = names, .n = n, .rows = rows };

	children_add(&pick, "", "");
}

/* ---- the document ---- */

static bool is_shown(const char *key)
{
	return strcmp(key, "counters") && strcmp(key, "localQueues") && strcmp(key, "jobs");
}

/* Those of a list that are picked, without what status does not show */
static struct json_object *list_pick(const struct pick *pick, const char *list)
{
	struct json_object *picked = json_object_new_array();

	for (size_t i = 0; i < json_items(pick->p->document, list); i++) {
		struct json_object *node = json_item(pick->p->document, list, i), *copy;

		if (!is_picked(pick, node))
			continue;
		copy = json_append(picked);
		json_object_object_foreach(node, key, value) {
			if (is_shown(key))
				json_object_object_add(copy, key, json_object_get(value));
		}
	}
	return picked;
}

struct json_object *status_document(const struct published *p, char **names, int n)
{
	static const char *const kept[] = {
		"time", "enforcement", "fairSharing", "usageFrom", "configuration",
		"outside", NULL,
	};
	const struct pick pick = { .p = p, .names = names, .n = n };
	struct json_object *o = json_object_new_object();

	members_copy(o, p->document, kept);
	json_object_object_add(o, "cohorts", list_pick(&pick, "cohorts"));
	json_object_object_add(o, "clusterQueues", list_pick(&pick, "clusterQueues"));
	return o;
}
