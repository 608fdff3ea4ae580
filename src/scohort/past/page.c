/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.c - the past as HTML: what may be chosen, tables, a place for charts
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "past/past.h"

/* ---- what the reader may choose: time, cluster queue, resource ---- */

static const struct {
	const char *page, *says, *title;
} pages[] = {
	[PAST_USAGE] = { "history", "Use", "History" },
	[PAST_EVICTIONS] = { "history-evictions", "Evictions",
			     "Evictions over time" },
};

#define NPAGES (sizeof(pages) / sizeof(*pages))

/* "gres/gpu@a100"; "": the database was not read so far */
static void of_text(const struct past *p, char *buf, size_t size)
{
	const char *flavor = json_text(p->document, "flavor");

	snprintf(buf, size, *flavor ? "%s@%s" : "%s", json_text(p->document, "resource"), flavor);
}

static void part_write(struct html *h, const char *key, const char *value)
{
	if (!*value)
		return;
	html_printf(h, "&amp;%s=", key);
	html_address(h, value);
}

/* The address of a page, between double quotes, with all that is chosen but the cluster
 * queue, which is `queue` ("": all) */
static void address_write(struct html *h, const struct past *p, const char *page,
			  enum range_kind kind, const char *queue)
{
	char text[1024];

	html_printf(h, "%s?range=%s", page, range_name(kind));
	if (kind == RANGE_SPAN) {
		span_name(SPAN_MINUTE, p->ask.range.start, text, sizeof(text));
		part_write(h, "from", text);
		span_name(SPAN_MINUTE, p->ask.range.end, text, sizeof(text));
		part_write(h, "to", text);
	}
	part_write(h, "queue", queue);
	of_text(p, text, sizeof(text));
	part_write(h, "of", text);
}

static void link_write(struct html *h, const struct past *p, const char *page,
		       enum range_kind kind, bool here, const char *says)
{
	html_put(h, "<a href=\"");
	address_write(h, p, page, kind, json_text(p->document, "clusterQueue"));
	html_put(h, here ? "\" aria-current=\"page\">" : "\">");
	html_printf(h, "%c%s</a>\n", toupper((unsigned char) *says), says + 1);
}

static void links_write(struct html *h, const struct past *p)
{
	html_put(h, "<nav class=\"choices\" aria-label=\"What and when\">\n");
	for (size_t i = 0; i < NPAGES; i++)
		link_write(h, p, pages[i].page, p->when, i == p->kind, pages[i].says);
	html_put(h, "<span aria-hidden=\"true\">|</span>\n");
	for (int i = RANGE_HOUR; i < RANGE_SPAN; i++)
		link_write(h, p, pages[p->kind].page, (enum range_kind) i,
			   (int) p->when == i, range_name((enum range_kind) i));
	html_put(h, "</nav>\n");
}

static void option_write(struct html *h, const char *value, const char *says, bool chosen)
{
	html_printf(h, "<option value=\"%s\"", value);
	html_put(h, chosen ? " selected>" : ">");
	html_printf(h, "%s</option>", says);
}

/* all: also an option for all of them, or NULL */
static void select_write(struct html *h, const struct past *p, const char *label,
			 const char *name, const char *key, const char *all, const char *chosen)
{
	struct json_object *choices = json_member(p->document, "choices");

	html_printf(h, "<label>%s <select name=\"%s\">", label, name);
	if (all)
		option_write(h, "", all, false);
	for (size_t i = 0; i < json_items(choices, key); i++) {
		const char *value = json_object_get_string(json_item(choices, key, i));

		option_write(h, value, value, !strcmp(value, chosen));
	}
	html_put(h, "</select></label>\n");
}

static void time_input(struct html *h, const char *name, const char *says, int64_t at)
{
	char text[64] = "";

	if (at)
		span_name(SPAN_MINUTE, at, text, sizeof(text));
	html_printf(h, "<label>%s <input type=\"datetime-local\" name=\"%s\" "
		    "value=\"%s\"></label>\n", says, name, text);
}

/* The same form may be sent by keyboard, and without a script. */
static void form_write(struct html *h, const struct past *p)
{
	char of[1024], last[32];

	html_printf(h, "<form class=\"choices\" method=\"get\" action=\"%s\">\n"
		    "<label>Time <select name=\"range\">", pages[p->kind].page);
	for (int i = RANGE_HOUR; i < RANGE_SPAN; i++) {
		const char *name = range_name((enum range_kind) i);

		snprintf(last, sizeof(last), "last %s", name);
		option_write(h, name, last, (int) p->when == i);
	}
	option_write(h, range_name(RANGE_SPAN), "from - to", p->when == RANGE_SPAN);
	html_put(h, "</select></label>\n");
	time_input(h, "from", "From", p->ask.range.start);
	time_input(h, "to", "to", p->ask.range.end);
	if (p->kind == PAST_USAGE)
		select_write(h, p, "Cluster queue", "queue", "queues", "all",
			     json_text(p->document, "clusterQueue"));
	of_text(p, of, sizeof(of));
	select_write(h, p, "Resource", "of", "of", NULL, of);
	html_put(h, "<button>Show</button></form>\n");
}

/* ---- tables: the columns are those of scohort report ---- */

/* "OWNED[h]": "Owned [h]" */
static void label_write(struct html *h, const struct column *c)
{
	html_printf(h, "%c", *c->name);
	for (const char *at = c->name + 1; *at; at++)
		html_printf(h, *at == '[' ? " %c" : "%c", tolower((unsigned char) *at));
}

/* Columns that are only for some reports, and jobs, are not shown. */
static const struct column *column_next(const struct column *c, const char *without)
{
	while (c->name && (c->flags & (COLUMN_ASKED | COLUMN_IF_ANY)
			   || !strcmp(c->key, "jobId") || !strcmp(c->key, "byJobId")
			   || !strcmp(c->key, without)))
		c++;
	return c;
}

static void value_write(struct html *h, const struct column *c, struct json_object *row)
{
	struct json_object *value = json_member(row, c->key);
	char text[512];

	if (value && c->text)
		c->text(row, value, text, sizeof(text));
	html_text(h, !value ? "-" : c->text ? text : json_object_get_string(value));
}

/* The first column: a cluster queue leads to its history. */
static void head_cell(struct html *h, const struct past *p, const struct column *c,
		      struct json_object *row, bool total)
{
	const char *queue = total ? "" : json_text(row, "clusterQueue");
	bool leads = p->kind == PAST_USAGE;

	if (!total && !strcmp(c->key, "clusterQueue"))
		html_printf(h, "<tr data-queue=\"%s\">", queue);
	else
		html_put(h, total ? "<tr class=\"cohort\">" : "<tr>");
	html_put(h, "<th scope=\"row\">");
	if (leads) {
		html_put(h, "<a href=\"");
		address_write(h, p, "history", p->when, queue);
		html_put(h, "\">");
	}
	if (total)
		html_put(h, "All");
	else
		value_write(h, c, row);
	html_put(h, leads ? "</a></th>" : "</th>");
}

static void rows_write(struct html *h, const struct past *p, const char *key,
		       const struct column *columns, const char *without)
{
	bool total = !strcmp(key, "totals");

	for (size_t i = 0; i < json_items(p->document, key); i++) {
		struct json_object *row = json_item(p->document, key, i);
		const struct column *c = column_next(columns, without);

		head_cell(h, p, c, row, total);
		while ((c = column_next(c + 1, without))->name) {
			html_put(h, c->flags & COLUMN_RIGHT ? "<td data-label=\""
				 : "<td class=\"text\" data-label=\"");
			label_write(h, c);
			html_put(h, "\">");
			value_write(h, c, row);
			html_put(h, "</td>");
		}
		html_put(h, "</tr>\n");
	}
}

/* Of lists of the document (NULL: no such): totals, and rows */
static void table_write(struct html *h, const struct past *p, const char *totals,
			const char *rows, const struct column *columns, const char *without)
{
	html_put(h, "<table><thead><tr>");
	for (const struct column *c = column_next(columns, without); c->name;
	     c = column_next(c + 1, without)) {
		html_printf(h, "<th scope=\"col\" title=\"%s\"", c->help);
		html_put(h, c->flags & COLUMN_RIGHT ? ">" : " class=\"text\">");
		label_write(h, c);
		html_put(h, "</th>");
	}
	html_put(h, "</tr></thead><tbody>\n");
	if (totals)
		rows_write(h, p, totals, columns, without);
	rows_write(h, p, rows, columns, without);
	html_put(h, "</tbody></table>\n");
}

/* ---- use ---- */

/* charts.js draws there what the address that it has tells. */
static void charts_place(struct html *h, const struct past *p)
{
	const char *queue = json_text(p->document, "clusterQueue");
	const char *flavor = json_text(p->document, "flavor");

	html_printf(h, "<h2>%s%s%s: %s</h2>\n<div id=\"plots\" data-from=\"",
		    json_text(p->document, "resource"), *flavor ? " on " : "", flavor,
		    *queue ? queue : "all cluster queues");
	address_write(h, p, "history.json", p->when, queue);
	html_put(h, "\"></div>\n");
}

static void steps_write(struct html *h, const struct past *p)
{
	static const struct {
		const char *label, *key;
	} cells[] = {
		{ "Owned", "owned" }, { "Own use", "own" }, { "Borrowed", "borrowed" },
		{ "Lent", "lent" }, { "Idle", "idle" }, { "Evicted", "evicted" },
		{ "Delay 50 %", "delayMedianSeconds" },
		{ "Delay 95 %", "delay95Seconds" },
	};
	struct json_object *steps = json_member(p->document, "steps"), *value;
	const size_t n = sizeof(cells) / sizeof(*cells);

	html_printf(h, "<details data-cohort=\"steps\"><summary>By %s: use on "
		    "average</summary>\n<table><thead><tr><th scope=\"col\">From</th>",
		    json_text(p->document, "by"));
	for (size_t c = 0; c < n; c++)
		html_printf(h, "<th scope=\"col\">%s</th>", cells[c].label);
	html_put(h, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < json_items(steps, "time"); i++) {
		html_printf(h, "<tr><th scope=\"row\">%s</th>",
			    json_object_get_string(json_item(steps, "time", i)));
		for (size_t c = 0; c < n; c++) {
			value = json_item(steps, cells[c].key, i);
			html_printf(h, "<td data-label=\"%s\">", cells[c].label);
			if (json_object_is_type(value, json_type_double))
				html_printf(h, "%.1f</td>", json_object_get_double(value));
			else
				html_printf(h, "%s</td>", value
					    ? json_object_get_string(value) : "-");
		}
		html_put(h, "</tr>\n");
	}
	html_put(h, "</tbody></table></details>\n");
}

static void usage_write(struct html *h, const struct past *p)
{
	const char *resource = json_text(p->document, "resource");

	charts_place(h, p);
	html_printf(h, "<h2>Cluster queues, in hours of %s%s</h2>\n", resource,
		    strcmp(resource, "mem") ? "" : " (MB)");
	table_write(h, p, "totals", "rows", use_columns, "resource");
	frame_note(h, "Idle is nominal quota that nobody used while a job of the queue waited; "
		   "lost is what evicted runs had used. Delays are seconds from eligible to start, "
		   "of jobs within nominal quota: half of them, and 95 %, waited no longer.");
	steps_write(h, p);
}

/* ---- evictions ---- */

static void evictions_write(struct html *h, const struct past *p)
{
	int64_t left_out = json_number(p->document, "rowsLeftOut");

	html_put(h, "<h2>By cluster queue and rule</h2>\n");
	if (json_items(p->document, "rows"))
		table_write(h, p, "totals", "rows", eviction_columns, "");
	else
		html_put(h, "<p>Nobody lost a job.</p>\n");
	if (left_out)
		html_printf(h, "<p class=\"note\">%" PRId64 " more rows are left out.</p>\n",
			    left_out);
	html_put(h, "<h2>The costliest</h2>\n");
	if (!json_member(p->document, "costliest")) {
		html_put(h, "<p>They are not shown: slurm.conf keeps jobs private, or can't be "
			 "read.</p>\n");
	} else if (!json_items(p->document, "costliest")) {
		html_put(h, "<p>None.</p>\n");
	} else {
		table_write(h, p, NULL, "costliest", costliest_columns, "");
		frame_note(h, "scohort report --costliest has their job ids.");
	}
}

/* ---- both ---- */

static void time_write(struct html *h, const struct past *p)
{
	html_printf(h, "<p class=\"time\">From <time>%s</time> to <time>%s</time>, time zone "
		    "%s.</p>\n", text_date(TEXT_BUF, p->ask.range.start),
		    text_date(TEXT_BUF, p->ask.range.end), json_text(p->document, "zone"));
	for (size_t i = 0; i < json_items(p->document, "notes"); i++)
		frame_note(h, json_object_get_string(json_item(p->document, "notes", i)));
}

void past_page(struct html *h, const struct page_source *v, const struct past *p)
{
	const char *error = json_text(p->document, "error");

	(void) frame_begin(h, v, pages[p->kind].title, NULL);
	links_write(h, p);
	form_write(h, p);
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
