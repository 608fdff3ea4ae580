/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_page.c - all cohorts and cluster queues
 *
 * A cohort is a part of the page that can be folded. In it are a table, of the
 * cohort and its queues, and the cohorts below it.
 */
#include <string.h>

#include "input/json_members.h"
#include "pages/bar.h"
#include "pages/frame.h"
#include "status/scarcest.h"
#include "story/outside.h"

#define DEPTH_MAX 64

struct tree {
	struct html *h;
	struct json_object *document;
	struct shown shown;
};

static void table_begin(struct html *h)
{
	html_put(h, "<table class=\"quota\"><thead><tr><th scope=\"col\">Name"
		 "</th>");
	quota_headers(h);
	html_put(h, "<th scope=\"col\">Running</th><th scope=\"col\">Waiting"
		 "</th></tr></thead><tbody>\n");
}

static bool is_below(struct json_object *node, const char *key,
		     const char *parent)
{
	return !strcmp(json_text(node, key), parent);
}

static void queue_name_cell(struct html *h, struct json_object *queue)
{
	const char *stop = json_text(queue, "stopPolicy");

	html_put(h, "<th scope=\"row\">");
	queue_link(h, json_text(queue, "name"));
	if (*stop && strcmp(stop, "None") != 0) {
		html_put(h, " <span class=\"stop\">");
		html_text(h, stop);
		html_put(h, "</span>");
	}
	html_put(h, "</th>");
}

/* Jobs in its first row only */
static void queue_row(const struct tree *t, struct json_object *queue,
		      struct json_object *quota, bool first)
{
	struct html *h = t->h;

	html_put(h, "<tr data-queue=\"");
	html_text(h, json_text(queue, "name"));
	html_put(h, "\">");
	queue_name_cell(h, queue);
	quota_cells(h, quota);
	if (first) {
		html_number(h, "Running", json_number(queue, "running"));
		html_number(h, "Waiting", json_number(queue, "waiting"));
	} else {
		html_put(h, "<td></td><td></td>");
	}
	html_put(h, "</tr>\n");
}

static void queue_rows(const struct tree *t, struct json_object *queue)
{
	size_t rows = 0;

	for (size_t i = 0; i < json_items(queue, "quota"); i++)
		if (quota_is_shown(&t->shown, queue, i))
			queue_row(t, queue, json_item(queue, "quota", i),
				  !rows++);
	if (!rows)
		queue_row(t, queue, NULL, true);
}

/* Rows of the cohort itself */
static size_t cohort_rows(const struct tree *t, struct json_object *cohort)
{
	size_t rows = 0;

	for (size_t i = 0; i < json_items(cohort, "quota"); i++) {
		if (!quota_is_shown(&t->shown, cohort, i))
			continue;
		if (!rows++)
			table_begin(t->h);
		html_put(t->h, "<tr class=\"cohort\"><th scope=\"row\">");
		html_text(t->h, json_text(cohort, "name"));
		html_put(t->h, "</th>");
		quota_cells(t->h, json_item(cohort, "quota", i));
		html_put(t->h, "<td></td><td></td></tr>\n");
	}
	return rows;
}

/* The cohort and its queues; NULL: the queues without a cohort */
static void table_write(const struct tree *t, struct json_object *cohort)
{
	size_t rows = cohort_rows(t, cohort);

	for (size_t i = 0; i < json_items(t->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(t->document,
						      "clusterQueues", i);

		if (!is_below(queue, "cohort", json_text(cohort, "name")))
			continue;
		if (!rows++)
			table_begin(t->h);
		queue_rows(t, queue);
	}
	if (rows)
		html_put(t->h, "</tbody></table>\n");
}

/* depth: a document that is not ours could be deeper than any configuration */
static void members_write(const struct tree *t, struct json_object *parent,
			  int depth)
{
	table_write(t, parent);
	for (size_t i = 0; i < json_items(t->document, "cohorts"); i++) {
		struct json_object *cohort = json_item(t->document, "cohorts",
						       i);

		if (!is_below(cohort, "parent", json_text(parent, "name"))
		    || depth > DEPTH_MAX)
			continue;
		html_put(t->h, "<details open data-cohort=\"");
		html_text(t->h, json_text(cohort, "name"));
		html_put(t->h, "\"><summary>");
		html_text(t->h, json_text(cohort, "name"));
		html_put(t->h, "</summary>\n");
		members_write(t, cohort, depth + 1);
		html_put(t->h, "</details>\n");
	}
}

void tree_page(struct html *h, const struct page_source *v, bool all)
{
	const struct tree t = { h, v->p->document, { .all = all } };
	char outside[1024];

	if (frame_begin(h, v, all ? "All resources" : "Queues", NULL)) {
		bar_legend(h);
		html_put(h, all ? "" : "<p class=\"note\">A line shows the "
			 "scarcest resource.</p>\n");
		if (*outside_text(outside, sizeof(outside), v->p, NULL)) {
			html_put(h, "<p class=\"note\">");
			html_text(h, outside);
			html_put(h, "</p>\n");
		}
		html_put(h, "<div id=\"tree\">\n");
		members_write(&t, NULL, 0);
		html_put(h, "</div>\n");
	}
	frame_end(h);
}
