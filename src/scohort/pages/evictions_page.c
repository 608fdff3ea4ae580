/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evictions_page.c - evictions of all cluster queues, by rule
 */
#include "input/json_members.h"
#include "lib/sat.h"
#include "output/text.h"
#include "pages/frame.h"

static struct json_object *counts_of(struct json_object *queue,
				     const char *key)
{
	struct json_object *counts = json_member(json_member(queue, "counters"),
						 key);

	return json_object_is_type(counts, json_type_object) ? counts : NULL;
}

/* The rules of the first queue are those of all. */
static struct json_object *rules_of(struct json_object *document,
				    const char *key)
{
	return counts_of(json_item(document, "clusterQueues", 0), key);
}

static void headers_write(struct html *h, struct json_object *rules)
{
	html_put(h, "<table><thead><tr><th scope=\"col\">Cluster queue</th>");
	json_object_object_foreach(rules, rule, value) {
		(void) value;
		html_put(h, "<th scope=\"col\">");
		html_text(h, rule);
		html_put(h, "</th>");
	}
	html_put(h, "<th scope=\"col\">Total</th></tr></thead><tbody>\n");
}

static void cell_write(struct html *h, const char *rule, int64_t number)
{
	html_put(h, "<td data-label=\"");
	html_text(h, rule);
	html_printf(h, "\">%ld</td>", (long) number);
}

static void row_write(struct html *h, struct json_object *queue,
		      struct json_object *rules, const char *key)
{
	struct json_object *counts = counts_of(queue, key);
	int64_t total = 0;

	html_put(h, "<tr data-queue=\"");
	html_text(h, json_text(queue, "name"));
	html_put(h, "\"><th scope=\"row\">");
	queue_link(h, json_text(queue, "name"));
	html_put(h, "</th>");
	json_object_object_foreach(rules, rule, value) {
		(void) value;
		cell_write(h, rule, json_number(counts, rule));
		total = sat_add(total, json_number(counts, rule));
	}
	cell_write(h, "Total", total);
	html_put(h, "</tr>\n");
}

static void table_write(struct html *h, struct json_object *document,
			const char *title, const char *key)
{
	struct json_object *rules = rules_of(document, key);

	if (!rules)
		return;
	html_printf(h, "<h2>%s</h2>\n", title);
	headers_write(h, rules);
	for (size_t i = 0; i < json_items(document, "clusterQueues"); i++)
		row_write(h, json_item(document, "clusterQueues", i), rules,
			  key);
	html_put(h, "</tbody></table>\n");
}

void evictions_page(struct html *h, const struct page_source *v)
{
	struct json_object *document = v->p->document;
	char since[TEXT_SIZE];

	if (frame_begin(h, v, "Evictions", NULL)) {
		html_printf(h, "<p class=\"note\">Counted since %s.</p>\n",
			    text_date(since, sizeof(since),
				      json_number(json_member(document,
							      "counters"),
						  "since")));
		if (v->has_past)
			html_put(h, "<p><a href=\"history-evictions\">Evictions "
				 "over time</a></p>\n");
		table_write(h, document, "Jobs of the queue that were evicted",
			    "evicted");
		table_write(h, document, "Evictions for jobs of the queue",
			    "caused");
	}
	frame_end(h);
}
