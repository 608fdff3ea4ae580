/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * form.c - what the reader may choose: time, cluster queue, resource
 */
#include <string.h>

#include "input/json_members.h"
#include "past/form.h"

static const char *const ranges[] = {
	[RANGE_HOUR] = "Hour", [RANGE_DAY] = "Day", [RANGE_WEEK] = "Week",
	[RANGE_MONTH] = "Month",
};

static const struct {
	enum past_kind kind;
	const char *page, *says;
} pages[] = {
	{ PAST_USAGE, "history", "Use" },
	{ PAST_EVICTIONS, "history-evictions", "Evictions" },
};

#define NPAGES (sizeof(pages) / sizeof(*pages))

/* "gres/gpu@a100"; "": the database was not read so far */
static void of_text(const struct past *p, char *buf, size_t size)
{
	const char *flavor = json_text(p->document, "flavor");

	snprintf(buf, size, *flavor ? "%s@%s" : "%s",
		 json_text(p->document, "resource"), flavor);
}

static void part_write(struct html *h, const char *key, const char *value)
{
	if (!*value)
		return;
	html_printf(h, "&amp;%s=", key);
	html_address(h, value);
}

void past_address(struct html *h, const struct past *p, const char *page,
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
	part_write(h, "queue", queue ? queue : "");
	of_text(p, text, sizeof(text));
	part_write(h, "of", text);
}

static const char *page_of(const struct past *p)
{
	return pages[p->kind].page;
}

static void link_write(struct html *h, const struct past *p, const char *page,
		       enum range_kind kind, bool here, const char *says)
{
	html_put(h, "<a href=\"");
	past_address(h, p, page, kind, json_text(p->document, "clusterQueue"));
	html_printf(h, "\"%s>%s</a>\n", here ? " aria-current=\"page\"" : "",
		    says);
}

static void links_write(struct html *h, const struct past *p)
{
	html_put(h, "<nav class=\"choices\" aria-label=\"What and when\">\n");
	for (size_t i = 0; i < NPAGES; i++)
		link_write(h, p, pages[i].page, p->when,
			   pages[i].kind == p->kind, pages[i].says);
	html_put(h, "<span aria-hidden=\"true\">|</span>\n");
	for (int i = RANGE_HOUR; i < RANGE_SPAN; i++)
		link_write(h, p, page_of(p), (enum range_kind) i,
			   (int) p->when == i, ranges[i]);
	html_put(h, "</nav>\n");
}

static void option_write(struct html *h, const char *value, const char *says,
			 bool chosen)
{
	html_put(h, "<option value=\"");
	html_text(h, value);
	html_put(h, chosen ? "\" selected>" : "\">");
	html_text(h, says);
	html_put(h, "</option>");
}

static void options_write(struct html *h, const struct past *p,
			  const char *key, const char *chosen)
{
	struct json_object *choices = json_member(p->document, "choices");

	for (size_t i = 0; i < json_items(choices, key); i++) {
		const char *name = json_object_get_string(
			json_item(choices, key, i));

		option_write(h, name, name, !strcmp(name, chosen));
	}
}

static void time_write(struct html *h, const char *name, const char *says,
		       int64_t at)
{
	char text[64] = "";

	if (at)
		span_name(SPAN_MINUTE, at, text, sizeof(text));
	html_printf(h, "<label>%s <input type=\"datetime-local\" name=\"%s\" "
		    "value=\"%s\"></label>\n", says, name, text);
}

/* The same form may be sent by keyboard, and without a script. */
void past_form(struct html *h, const struct past *p)
{
	char of[1024], of_range[32];

	links_write(h, p);
	of_text(p, of, sizeof(of));
	html_printf(h, "<form class=\"choices\" method=\"get\" action=\"%s\">\n",
		    page_of(p));
	html_put(h, "<label>Time <select name=\"range\">");
	for (int i = RANGE_HOUR; i < RANGE_SPAN; i++) {
		const char *name = range_name((enum range_kind) i);

		snprintf(of_range, sizeof(of_range), "last %s", name);
		option_write(h, name, of_range, (int) p->when == i);
	}
	option_write(h, range_name(RANGE_SPAN), "from - to",
		     p->when == RANGE_SPAN);
	html_put(h, "</select></label>\n");
	time_write(h, "from", "From", p->ask.range.start);
	time_write(h, "to", "to", p->ask.range.end);
	if (p->kind == PAST_USAGE) {
		html_put(h, "<label>Cluster queue <select name=\"queue\">");
		option_write(h, "", "all", false);
		options_write(h, p, "queues",
			      json_text(p->document, "clusterQueue"));
		html_put(h, "</select></label>\n");
	}
	html_put(h, "<label>Resource <select name=\"of\">");
	options_write(h, p, "of", of);
	html_put(h, "</select></label>\n<button>Show</button></form>\n");
}
