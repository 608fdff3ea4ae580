/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status_table.c - the ledger as a table and as a document
 */
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "output/text.h"
#include "status/cells.h"
#include "status/status.h"
#include "story/temporary.h"

#define DEPTH_MAX 64

/* ---- columns ---- */

static void share_text(struct json_object *row, struct json_object *value,
		       char *buf, size_t size)
{
	(void) row;
	snprintf(buf, size, "%.3f", json_object_get_double(value));
}

/* "cpu=12.5,gres/gpu=3.0" */
static void history_text(struct json_object *row, struct json_object *value,
			 char *buf, size_t size)
{
	size_t n = 0;

	(void) row;
	*buf = '\0';
	if (!json_object_is_type(value, json_type_object))
		return;
	json_object_object_foreach(value, resource, past) {
		if (n < size)
			n += (size_t) snprintf(buf + n, size - n, "%s%s=%.1f",
					       n ? "," : "", resource,
					       json_object_get_double(past));
	}
}

static void weight_text(struct json_object *row, struct json_object *value,
			char *buf, size_t size)
{
	(void) row;
	snprintf(buf, size, "%g", json_object_get_double(value));
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

#define AMOUNT COLUMN_RIGHT, 0, cell_amount

const struct column status_columns[] = {
	{ "NAME", "name", "name of the cohort or cluster queue",
	  COLUMN_TREE | COLUMN_ELASTIC, 0, NULL, queue_paint },
	{ "FLAVOR", "flavor", "kind of nodes", COLUMN_ELASTIC, 0, NULL, NULL },
	{ "RESOURCE", "resource", "TRES: cpu, mem, gres/gpu, ...",
	  COLUMN_ELASTIC, 0, NULL, NULL },
	{ "NOMINAL", "nominal", "nominal quota: what it owns", AMOUNT, NULL },
	{ "UNTIL", "until", "when a quota for a time ends", COLUMN_IF_ANY, 7,
	  cell_time, NULL },
	{ "USED", "used", "in use, or reserved for a preemptor", AMOUNT, NULL },
	{ "BORROWED", "borrowed", "the part of USED above its nominal quota",
	  AMOUNT, borrowed_paint },
	{ "LENT", "lent", "the part of its nominal quota that others use",
	  AMOUNT, NULL },
	{ "FREE", "free", "what a job could get without any eviction", AMOUNT,
	  free_paint },
	{ "RECLAIM", "reclaimable", "about how much of LENT it could reclaim now",
	  COLUMN_RIGHT, 2, cell_amount, NULL },
	{ "LATER", "reclaimableLater", "the part of LENT that is still "
	  "protected",
	  COLUMN_RIGHT | COLUMN_IF_ANY, 5, cell_amount, NULL },
	{ "AT", "reclaimableAt", "when the first of these protections ends",
	  COLUMN_IF_ANY, 6, cell_time, NULL },
	{ "FIXED", "nonPreemptible", "the part of USED by jobs that can't be "
	  "preempted",
	  COLUMN_RIGHT | COLUMN_IF_ANY, 4, cell_amount, NULL },
	{ "RUN", "running", "running jobs", COLUMN_RIGHT, 3, NULL, NULL },
	{ "WAIT", "waiting", "waiting jobs with a position; each array task "
	  "counts",
	  COLUMN_RIGHT, 0, NULL, NULL },
	{ "WEIGHT", "weight", "of fair sharing", COLUMN_RIGHT | COLUMN_IF_ANY,
	  8, weight_text, NULL },
	{ "SHARE", "share", "of fair sharing: what it borrows of what can be "
	  "lent, divided by weight",
	  COLUMN_RIGHT | COLUMN_IF_ANY, 7, share_text,
	  NULL },
	{ "NOW", "shareNow", "the same without what it borrowed lately",
	  COLUMN_RIGHT | COLUMN_IF_ANY, 6, share_text, NULL },
	{ "HISTORY", "history", "what it borrowed lately, by resource; it "
	  "halves with each half-life", COLUMN_IF_ANY, 6, history_text,
	  NULL },
	{ "STOP", "stopPolicy", "Hold, HoldAndDrain", COLUMN_IF_ANY, 1, NULL,
	  queue_paint },
	{ "PARENT", "parent", "the cohort it belongs to", COLUMN_ASKED, 0,
	  NULL, NULL },
	{ "BLIMIT", "borrowingLimit", "borrowingLimit",
	  COLUMN_ASKED | COLUMN_RIGHT, 0, cell_amount, NULL },
	{ "LLIMIT", "lendingLimit", "lendingLimit",
	  COLUMN_ASKED | COLUMN_RIGHT, 0, cell_amount, NULL },
	{ "POTENTIAL", "potential", "the most it could ever use",
	  COLUMN_ASKED | COLUMN_RIGHT, 0, cell_amount, NULL },
	{ "FIXEDCAP", "nonPreemptibleCap", "the most that FIXED may be now",
	  COLUMN_ASKED | COLUMN_RIGHT, 0, cell_amount, NULL },
	{ .name = NULL }
};

/* ---- the choice of queues and cohorts ---- */

struct pick {
	const struct published *p;
	char **names;
	int n;
	struct table *table;
	const struct shown *shown;
	bool once;		/* jobs of a queue in its first row only */
	size_t hidden;		/* quotas that have no row */
	struct json_object *notes;	/* lines below the table */
	struct json_object *pairs;	/* flavor -> resource -> null: of the rows */
	bool failed;
};

static bool is_named(const struct pick *pick, const char *name)
{
	for (int i = 0; i < pick->n; i++) {
		if (!strcmp(pick->names[i], name))
			return true;
	}
	return false;
}

/* The cohort, or a cohort above it, is named. */
static bool is_under_named(const struct pick *pick, const char *name,
			   const char *cohort)
{
	if (!pick->n || is_named(pick, name))
		return true;
	for (int depth = 0; *cohort && depth < DEPTH_MAX; depth++) {
		if (is_named(pick, cohort))
			return true;
		cohort = json_text(published_cohort(pick->p, cohort), "parent");
	}
	return false;
}

static bool queue_is_picked(const struct pick *pick, struct json_object *queue)
{
	return is_under_named(pick, json_text(queue, "name"),
			      json_text(queue, "cohort"));
}

/* A picked cohort, or one above a picked queue */
static bool cohort_is_picked(const struct pick *pick,
			     struct json_object *cohort)
{
	const char *name = json_text(cohort, "name");
	struct json_object *d = pick->p->document;

	if (is_under_named(pick, name, json_text(cohort, "parent")))
		return true;
	for (size_t i = 0; i < json_items(d, "clusterQueues"); i++) {
		struct json_object *queue = json_item(d, "clusterQueues", i);
		const char *up = json_text(queue, "cohort");

		for (int depth = 0; *up && depth < DEPTH_MAX
		     && queue_is_picked(pick, queue); depth++) {
			if (!strcmp(up, name))
				return true;
			up = json_text(published_cohort(pick->p, up), "parent");
		}
	}
	return false;
}

/* ---- rows ---- */

static void member_copy(struct json_object *to, struct json_object *from,
			const char *key)
{
	json_object_object_add(to, key,
			       json_object_get(json_member(from, key)));
}

static void node_fill(const struct pick *pick, struct json_object *row,
		      struct json_object *node, bool is_cohort)
{
	const char *stop = json_text(node, "stopPolicy");

	member_copy(row, node, "name");
	json_object_object_add(row, "parent", json_object_get(
		json_member(node, is_cohort ? "parent" : "cohort")));
	json_add_number(row, "time", json_number(pick->p->document, "time"));
	if (json_truth(pick->p->document, "fairSharing")) {
		member_copy(row, node, "weight");
		member_copy(row, node, "share");
		member_copy(row, node, "shareNow");
		member_copy(row, node, "history");
	}
	if (is_cohort) {
		json_object_object_add(row, "isCohort",
				       json_object_new_boolean(true));
		return;
	}
	member_copy(row, node, "running");
	member_copy(row, node, "waiting");
	json_add_text(row, "stopPolicy", strcmp(stop, "None") ? stop : "");
}

/* A quota for a time, in force or to come: a line below the table. False: it has none */
static bool temporary_note(struct pick *pick, struct json_object *node,
			   struct json_object *quota)
{
	char line[512];

	if (!json_member(quota, "temporary"))
		return false;
	temporary_text(line, sizeof(line), json_text(node, "name"), quota,
		       json_number(pick->p->document, "time"));
	json_object_array_add(pick->notes, json_object_new_string(line));
	return true;
}

static void pair_note(struct pick *pick, struct json_object *quota)
{
	const char *flavor = json_text(quota, "flavor");
	struct json_object *of = json_member(pick->pairs, flavor);

	if (!of) {
		of = json_object_new_object();
		json_object_object_add(pick->pairs, flavor, of);
	}
	json_object_object_add(of, json_text(quota, "resource"), NULL);
}

static void row_add(struct pick *pick, struct json_object *node,
		    struct json_object *quota, bool is_cohort,
		    const char *branch, bool first)
{
	struct json_object *row = json_object_new_object();

	node_fill(pick, row, node, is_cohort);
	if (pick->once && !first) {
		json_object_object_del(row, "running");
		json_object_object_del(row, "waiting");
	}
	if (json_object_is_type(quota, json_type_object)) {
		json_object_object_foreach(quota, key, value)
			json_object_object_add(row, key,
					       json_object_get(value));
	}
	if (json_truth(json_member(quota, "temporary"), "inForce"))
		json_add_number(row, "until", json_number(
			json_member(quota, "temporary"), "end"));
	if (quota)
		pair_note(pick, quota);
	if (is_cohort)	/* quota that its members own counts as the cohort's */
		member_copy(row, quota, "subtree");
	if (is_cohort && quota)
		json_object_object_add(row, "nominal", json_object_get(
			json_member(quota, "subtree")));
	pick->failed |= table_add(pick->table, row, branch) < 0;
}

/* A line below the table, for queues where usage counts */
static void usages_add(struct pick *pick, struct json_object *node)
{
	char line[1024];

	usages_text(line, sizeof(line), node,
		    !strcmp(json_text(pick->p->document, "localQueue"),
			    "user"));
	if (*line)
		json_object_array_add(pick->notes,
				      json_object_new_string(line));
}

static void node_add(struct pick *pick, struct json_object *node,
		     bool is_cohort, const char *branch)
{
	const struct shown every = { true, pick->shown->resource };
	size_t n = json_items(node, "quota"), rows = 0;
	struct json_object *hidden = NULL;	/* one that is for a time */
	bool noted = false;

	for (size_t i = 0; i < n; i++) {
		struct json_object *quota = json_item(node, "quota", i);

		if (quota_is_shown(pick->shown, node, i)) {
			row_add(pick, node, quota, is_cohort, branch, !rows++);
			noted |= temporary_note(pick, node, quota);
		} else if (quota_is_shown(&every, node, i)) {
			pick->hidden++;
			if (json_member(quota, "temporary"))
				hidden = quota;
		}
	}
	if (!rows)
		row_add(pick, node, NULL, is_cohort, branch, true);
	if (!noted)
		(void) temporary_note(pick, node, hidden);
	if (pick->shown->all)
		usages_add(pick, node);
}

/* ---- the tree ---- */

static void children_add(struct pick *pick, const char *parent,
			 const char *indent);

static size_t children_count(const struct pick *pick, const char *parent)
{
	struct json_object *d = pick->p->document;
	size_t n = 0;

	for (size_t i = 0; i < json_items(d, "cohorts"); i++) {
		struct json_object *c = json_item(d, "cohorts", i);

		n += !strcmp(json_text(c, "parent"), parent)
		     && cohort_is_picked(pick, c);
	}
	for (size_t i = 0; i < json_items(d, "clusterQueues"); i++) {
		struct json_object *q = json_item(d, "clusterQueues", i);

		n += !strcmp(json_text(q, "cohort"), parent)
		     && queue_is_picked(pick, q);
	}
	return n;
}

static void cohort_add(struct pick *pick, struct json_object *cohort,
		       const char *indent, bool top, bool last)
{
	char branch[4 * DEPTH_MAX], below[4 * DEPTH_MAX];

	snprintf(branch, sizeof(branch), "%s%s", indent,
		 top ? "" : last ? "`- " : "|- ");
	snprintf(below, sizeof(below), "%s%s", indent,
		 top ? "" : last ? "   " : "|  ");
	node_add(pick, cohort, true, branch);
	children_add(pick, json_text(cohort, "name"), below);
}

static void children_add(struct pick *pick, const char *parent,
			 const char *indent)
{
	struct json_object *d = pick->p->document;
	size_t left = children_count(pick, parent);
	bool top = !*parent;
	char branch[4 * DEPTH_MAX];

	if (strlen(indent) > 3 * (DEPTH_MAX - 2))
		return;
	for (size_t i = 0; i < json_items(d, "clusterQueues"); i++) {
		struct json_object *q = json_item(d, "clusterQueues", i);

		if (strcmp(json_text(q, "cohort"), parent)
		    || !queue_is_picked(pick, q))
			continue;
		snprintf(branch, sizeof(branch), "%s%s", indent,
			 top ? "" : --left ? "|- " : "`- ");
		node_add(pick, q, false, branch);
	}
	for (size_t i = 0; i < json_items(d, "cohorts"); i++) {
		struct json_object *c = json_item(d, "cohorts", i);

		if (!strcmp(json_text(c, "parent"), parent)
		    && cohort_is_picked(pick, c))
			cohort_add(pick, c, indent, top, !--left);
	}
}

int status_fill(struct table *table, const struct published *p, char **names,
		int n, const struct shown *shown, bool once, size_t *hidden,
		struct json_object *notes, struct json_object *pairs)
{
	struct pick pick = { .p = p, .names = names, .n = n, .table = table,
			     .shown = shown, .once = once, .notes = notes, .pairs = pairs };

	children_add(&pick, "", "");
	*hidden = pick.hidden;
	return pick.failed ? -1 : 0;
}

/* ---- the document ---- */

static struct json_object *list_pick(const struct pick *pick, const char *key,
				     bool (*picked)(const struct pick *pick,
						    struct json_object *o))
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < json_items(pick->p->document, key); i++) {
		struct json_object *o = json_item(pick->p->document, key, i);

		if (!picked(pick, o))
			continue;
		json_object_object_del(o, "counters");
		json_object_object_del(o, "localQueues");
		json_object_object_del(o, "jobs");
		json_object_array_add(list, json_object_get(o));
	}
	return list;
}

struct json_object *status_document(const struct published *p, char **names,
				    int n)
{
	struct pick pick = { .p = p, .names = names, .n = n };
	struct json_object *o = json_object_new_object();

	member_copy(o, p->document, "time");
	member_copy(o, p->document, "enforcement");
	member_copy(o, p->document, "fairSharing");
	member_copy(o, p->document, "usageFrom");
	member_copy(o, p->document, "configuration");
	member_copy(o, p->document, "outside");
	json_object_object_add(o, "cohorts", list_pick(&pick, "cohorts",
						       cohort_is_picked));
	json_object_object_add(o, "clusterQueues",
			       list_pick(&pick, "clusterQueues",
					 queue_is_picked));
	return o;
}
