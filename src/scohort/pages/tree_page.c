/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_page.c - all cohorts and cluster queues
 *
 * A cohort is a part of the page that can be folded. In it are a table, of the
 * cohort and its queues, and the cohorts below it.
 */
#include <inttypes.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "pages/pages.h"
#include "status/status.h"
#include "story/story.h"

struct tree {
	struct html *h;
	struct json_object *document;
	bool all;
	const char *resource;	/* whose rows are shown, where a node has any; or NULL */
	struct json_object *scale, *cohort_scale;	/* of bars */
};

static void table_begin(struct html *h)
{
	html_put(h, "<table class=\"quota\"><thead><tr><th scope=\"col\">Name"
		 "</th>");
	quota_headers(h);
	html_put(h, "<th scope=\"col\">Running</th><th scope=\"col\">Waiting"
		 "</th></tr></thead><tbody>\n");
}

/* quota: NULL: it has none. Jobs in its first row only */
static void queue_row(const struct tree *t, struct json_object *queue,
		      struct json_object *quota, bool first)
{
	const char *name = json_text(queue, "name"), *stop = published_stop(queue);
	struct html *h = t->h;

	html_printf(h, "<tr data-queue=\"%s\"><th scope=\"row\">", name);
	queue_link(h, name);
	if (*stop)
		html_printf(h, " <span class=\"stop\">%s</span>", stop);
	html_put(h, "</th>");
	quota_cells(h, quota, t->scale);
	if (first)
		html_printf(h, "<td data-label=\"Running\">%" PRId64 "</td>"
			    "<td data-label=\"Waiting\">%" PRId64 "</td></tr>\n",
			    json_number(queue, "running"), json_number(queue, "waiting"));
	else
		html_put(h, "<td></td><td></td></tr>\n");
}

/* Is it of the resource of this page, and owned or used? */
static bool is_main(const struct tree *t, struct json_object *quota)
{
	return t->resource && !strcmp(json_text(quota, "resource"), t->resource)
	       && (quota_is_owned(quota) || json_number(quota, "used"));
}

static bool has_main(const struct tree *t, struct json_object *node)
{
	for (size_t i = 0; i < json_items(node, "quota"); i++)
		if (is_main(t, json_item(node, "quota", i)))
			return true;
	return false;
}

/* Calls row() for each quota that is shown, those that the node owns first. How many */
static size_t rows_each(const struct tree *t, struct json_object *node,
			void (*row)(const struct tree *t, struct json_object *node,
				    struct json_object *quota, bool first))
{
	const struct shown scarcest = { .all = t->all };
	bool by_resource = !t->all && has_main(t, node);
	size_t rows = 0;

	for (int owned = 1; owned >= 0; owned--) {
		for (size_t i = 0; i < json_items(node, "quota"); i++) {
			struct json_object *quota = json_item(node, "quota", i);

			if (quota_is_owned(quota) == owned
			    && (by_resource ? is_main(t, quota)
				: quota_is_shown(&scarcest, node, i)))
				row(t, node, quota, !rows++);
		}
	}
	return rows;
}

static void cohort_row(const struct tree *t, struct json_object *cohort,
		       struct json_object *quota, bool first)
{
	if (first)
		table_begin(t->h);
	html_printf(t->h, "<tr class=\"cohort\"><th scope=\"row\">%s</th>",
		    json_text(cohort, "name"));
	quota_cells(t->h, quota, t->cohort_scale);
	html_put(t->h, "<td></td><td></td></tr>\n");
}

/* The cohort and its queues; NULL: the queues without a cohort */
static void table_write(const struct tree *t, struct json_object *cohort)
{
	size_t rows = rows_each(t, cohort, cohort_row);

	for (size_t i = 0; i < json_items(t->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(t->document, "clusterQueues", i);

		if (strcmp(json_text(queue, "cohort"), json_text(cohort, "name")) != 0)
			continue;
		if (!rows++)
			table_begin(t->h);
		if (!rows_each(t, queue, queue_row))
			queue_row(t, queue, NULL, true);
	}
	if (rows)
		html_put(t->h, "</tbody></table>\n");
}

/* A document whose cohorts are no trees was not opened (published.h). */
static void members_write(const struct tree *t, struct json_object *parent)
{
	table_write(t, parent);
	for (size_t i = 0; i < json_items(t->document, "cohorts"); i++) {
		struct json_object *cohort = json_item(t->document, "cohorts", i);
		const char *name = json_text(cohort, "name");

		if (strcmp(json_text(cohort, "parent"), json_text(parent, "name")) != 0)
			continue;
		html_printf(t->h, "<details open data-cohort=\"%s\"><summary>%s</summary>\n",
			    name, name);
		members_write(t, cohort);
		html_put(t->h, "</details>\n");
	}
}

static void scales_make(const struct tree *t)
{
	for (size_t i = 0; i < json_items(t->document, "clusterQueues"); i++)
		scale_add(t->scale, json_item(t->document, "clusterQueues", i));
	for (size_t i = 0; i < json_items(t->document, "cohorts"); i++)
		scale_add(t->cohort_scale, json_item(t->document, "cohorts", i));
}

static void notes_write(const struct tree *t, const struct page_source *v)
{
	char outside[1024];

	if (t->resource && !t->all)
		html_printf(t->h, "<p class=\"note\">Rows show %s, or the scarcest resource of a "
			    "queue without any.</p>\n", t->resource);
	else if (!t->all)
		frame_note(t->h, "A row shows the scarcest resource.");
	if (*outside_text(outside, sizeof(outside), v->p, NULL))
		frame_note(t->h, outside);
}

void tree_page(struct html *h, const struct page_source *v, bool all)
{
	const struct tree t = {
		h, v->p->document, all, main_resource(v->p->document),
		json_object_new_object(), json_object_new_object(),
	};

	if (frame_begin(h, v, all ? "All resources" : "Queues", NULL)) {
		scales_make(&t);
		if (!all)
			overview_write(h, v);
		html_put(h, all ? "" : "<h2>Cohorts and cluster queues</h2>\n");
		bar_legend(h);
		notes_write(&t, v);
		html_put(h, "<div id=\"tree\">\n");
		members_write(&t, NULL);
		html_put(h, "</div>\n");
	}
	frame_end(h);
	json_object_put(t.scale);
	json_object_put(t.cohort_scale);
}
