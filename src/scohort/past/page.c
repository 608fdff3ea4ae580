/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.c - the past as HTML: tables, and a place for the plots of history.js
 */
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "pages/frame.h"
#include "past/form.h"
#include "past/page.h"

struct cell {
	const char *label, *key;	/* key NULL: a text */
};

static void headers_write(struct html *h, const char *first,
			  const struct cell *cells, size_t n)
{
	html_printf(h, "<table><thead><tr><th scope=\"col\">%s</th>", first);
	for (size_t i = 0; i < n; i++)
		html_printf(h, "<th scope=\"col\"%s>%s</th>",
			    cells[i].key ? "" : " class=\"text\"",
			    cells[i].label);
	html_put(h, "</tr></thead><tbody>\n");
}

/* A number with one decimal if it is not whole by nature; "-" where nothing is known */
static void number_write(struct html *h, const char *label,
			 struct json_object *value)
{
	html_printf(h, "<td data-label=\"%s\">", label);
	if (!value)
		html_put(h, "-");
	else if (json_object_is_type(value, json_type_int))
		html_printf(h, "%lld", (long long) json_object_get_int64(value));
	else
		html_printf(h, "%.1f", json_object_get_double(value));
	html_put(h, "</td>");
}

static void text_cell(struct html *h, const char *label, const char *text)
{
	html_printf(h, "<td class=\"text\" data-label=\"%s\">", label);
	html_text(h, *text ? text : "-");
	html_put(h, "</td>");
}

/* ---- use ---- */

static const struct cell sums[] = {
	{ "Owned", "ownedHours" }, { "Own use", "ownHours" },
	{ "Borrowed", "borrowedHours" }, { "Lent", "lentHours" },
	{ "Idle", "idleHours" }, { "Lost", "lostHours" },
	{ "Evicted", "evicted" }, { "Caused", "caused" },
	{ "Delay 50 %", "delayMedianSeconds" },
	{ "Delay 95 %", "delay95Seconds" },
};

static const struct cell means[] = {
	{ "Owned", "owned" }, { "Own use", "own" }, { "Borrowed", "borrowed" },
	{ "Lent", "lent" }, { "Idle", "idle" }, { "Evicted", "evicted" },
	{ "Delay 50 %", "delayMedianSeconds" },
	{ "Delay 95 %", "delay95Seconds" },
};

#define LENGTH(list) (sizeof(list) / sizeof(*(list)))

static void sums_row(struct html *h, const struct past *p,
		     struct json_object *row, bool total)
{
	const char *queue = json_text(row, "clusterQueue");

	if (total) {
		html_put(h, "<tr class=\"cohort\"><th scope=\"row\"><a href=\"");
		past_address(h, p, "history", p->when, NULL);
		html_put(h, "\">All</a></th>");
	} else {
		html_put(h, "<tr data-queue=\"");
		html_text(h, queue);
		html_put(h, "\"><th scope=\"row\"><a href=\"");
		past_address(h, p, "history", p->when, queue);
		html_put(h, "\">");
		html_text(h, queue);
		html_put(h, "</a></th>");
	}
	for (size_t i = 0; i < LENGTH(sums); i++)
		number_write(h, sums[i].label, json_member(row, sums[i].key));
	html_put(h, "</tr>\n");
}

static void sums_write(struct html *h, const struct past *p)
{
	struct json_object *o = p->document;

	html_put(h, "<h2>Cluster queues, in hours of ");
	html_text(h, json_text(o, "resource"));
	html_put(h, !strcmp(json_text(o, "resource"), "mem") ? " (MB)</h2>\n"
							    : "</h2>\n");
	headers_write(h, "Cluster queue", sums, LENGTH(sums));
	for (size_t i = 0; i < json_items(o, "totals"); i++)
		sums_row(h, p, json_item(o, "totals", i), true);
	for (size_t i = 0; i < json_items(o, "rows"); i++)
		sums_row(h, p, json_item(o, "rows", i), false);
	html_put(h, "</tbody></table>\n<p class=\"note\">Idle is nominal quota "
		 "that nobody used while a job of the queue waited; lost is "
		 "what evicted runs had used. Delays are seconds from eligible "
		 "to start, of jobs within nominal quota: half of them, and "
		 "95 %, waited no longer.</p>\n");
}

static void steps_write(struct html *h, const struct past *p)
{
	struct json_object *steps = json_member(p->document, "steps");

	html_printf(h, "<details data-cohort=\"steps\"><summary>By %s: use on "
		    "average</summary>\n", json_text(p->document, "by"));
	headers_write(h, "From", means, LENGTH(means));
	for (size_t i = 0; i < json_items(steps, "time"); i++) {
		html_put(h, "<tr><th scope=\"row\">");
		html_text(h, json_object_get_string(json_item(steps, "time",
							      i)));
		html_put(h, "</th>");
		for (size_t c = 0; c < LENGTH(means); c++)
			number_write(h, means[c].label,
				     json_item(steps, means[c].key, i));
		html_put(h, "</tr>\n");
	}
	html_put(h, "</tbody></table></details>\n");
}

/* history.js draws there what the address that it has tells. */
static void plots_place(struct html *h, const struct past *p)
{
	const char *queue = json_text(p->document, "clusterQueue");

	html_put(h, "<h2>");
	html_text(h, json_text(p->document, "resource"));
	if (*json_text(p->document, "flavor")) {
		html_put(h, " on ");
		html_text(h, json_text(p->document, "flavor"));
	}
	html_put(h, ": ");
	html_text(h, *queue ? queue : "all cluster queues");
	html_put(h, "</h2>\n<div id=\"plots\" data-from=\"");
	past_address(h, p, "history.json", p->when, queue);
	html_put(h, "\"></div>\n");
}

static void usage_write(struct html *h, const struct past *p)
{
	plots_place(h, p);
	sums_write(h, p);
	steps_write(h, p);
}

/* ---- evictions ---- */

static const struct cell losses[] = {
	{ "For", NULL }, { "Rule", NULL }, { "Evicted", "evicted" },
	{ "Resource", NULL }, { "Lost [h]", "lostHours" },
};

static const struct cell runs[] = {
	{ "Cluster queue", NULL }, { "For", NULL }, { "Rule", NULL },
	{ "Ran", NULL }, { "Resource", NULL }, { "Lost [h]", "lostHours" },
};

static void loss_cells(struct html *h, struct json_object *row)
{
	const char *resource = json_text(row, "resource");

	text_cell(h, "Resource", strcmp(resource, "mem") != 0 ? resource
							     : "mem (MB)");
	number_write(h, "Lost [h]", json_member(row, "lostHours"));
}

static void loss_row(struct html *h, struct json_object *row, bool total)
{
	html_put(h, total ? "<tr class=\"cohort\">" : "<tr data-queue=\"");
	if (!total) {
		html_text(h, json_text(row, "clusterQueue"));
		html_put(h, "\">");
	}
	html_put(h, "<th scope=\"row\">");
	html_text(h, total ? "All" : json_text(row, "clusterQueue"));
	html_put(h, "</th>");
	text_cell(h, "For", json_text(row, "byClusterQueue"));
	text_cell(h, "Rule", json_text(row, "rule"));
	number_write(h, "Evicted", json_member(row, "evicted"));
	loss_cells(h, row);
	html_put(h, "</tr>\n");
}

static void run_row(struct html *h, struct json_object *row)
{
	char text[TEXT_SIZE];

	html_put(h, "<tr><th scope=\"row\">");
	html_text(h, text_date(text, sizeof(text), json_number(row, "ended")));
	html_put(h, "</th>");
	text_cell(h, "Cluster queue", json_text(row, "clusterQueue"));
	text_cell(h, "For", json_text(row, "byClusterQueue"));
	text_cell(h, "Rule", json_text(row, "rule"));
	text_cell(h, "Ran", text_duration(text, sizeof(text),
					  json_number(row, "ran")));
	loss_cells(h, row);
	html_put(h, "</tr>\n");
}

static void costliest_write(struct html *h, struct json_object *o)
{
	html_put(h, "<h2>The costliest</h2>\n");
	if (!json_member(o, "costliest")) {
		html_put(h, "<p>They are not shown: slurm.conf keeps jobs "
			 "private, or can't be read.</p>\n");
		return;
	}
	if (!json_items(o, "costliest")) {
		html_put(h, "<p>None.</p>\n");
		return;
	}
	headers_write(h, "Ended", runs, LENGTH(runs));
	for (size_t i = 0; i < json_items(o, "costliest"); i++)
		run_row(h, json_item(o, "costliest", i));
	html_put(h, "</tbody></table>\n<p class=\"note\">scohort report "
		 "--costliest tells their job numbers.</p>\n");
}

static void evictions_write(struct html *h, const struct past *p)
{
	struct json_object *o = p->document;

	html_put(h, "<h2>By cluster queue and rule</h2>\n");
	if (json_items(o, "rows")) {
		headers_write(h, "Cluster queue", losses, LENGTH(losses));
		for (size_t i = 0; i < json_items(o, "totals"); i++)
			loss_row(h, json_item(o, "totals", i), true);
		for (size_t i = 0; i < json_items(o, "rows"); i++)
			loss_row(h, json_item(o, "rows", i), false);
		html_put(h, "</tbody></table>\n");
	} else {
		html_put(h, "<p>Nobody lost a job.</p>\n");
	}
	if (json_number(o, "rowsLeftOut"))
		html_printf(h, "<p class=\"note\">%lld more rows are left "
			    "out.</p>\n",
			    (long long) json_number(o, "rowsLeftOut"));
	costliest_write(h, o);
}

/* ---- both ---- */

static void time_write(struct html *h, const struct past *p)
{
	char from[TEXT_SIZE], until[TEXT_SIZE];

	html_printf(h, "<p class=\"time\">From <time>%s</time> ",
		    text_date(from, sizeof(from), p->ask.range.start));
	html_printf(h, "to <time>%s</time>, time zone ",
		    text_date(until, sizeof(until), p->ask.range.end));
	html_text(h, json_text(p->document, "zone"));
	html_put(h, ".</p>\n");
	for (size_t i = 0; i < json_items(p->document, "notes"); i++) {
		html_put(h, "<p class=\"note\">");
		html_text(h, json_object_get_string(
			json_item(p->document, "notes", i)));
		html_put(h, "</p>\n");
	}
}

void past_page(struct html *h, const struct page_source *v,
	       const struct past *p)
{
	const char *error = json_text(p->document, "error");

	(void) frame_begin(h, v, p->kind == PAST_USAGE ? "History"
			   : "Evictions over time", NULL);
	past_form(h, p);
	if (*error) {
		frame_warn(h, "failed", error);
	} else {
		time_write(h, p);
		if (p->kind == PAST_USAGE)
			usage_write(h, p);
		else
			evictions_write(h, p);
	}
	frame_end(h);
}
