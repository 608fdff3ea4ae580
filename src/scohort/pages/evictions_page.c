/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evictions_page.c - evictions of all cluster queues, by rule
 */
#include <inttypes.h>

#include "input/json_members.h"
#include "lib/sat.h"
#include "output/text.h"
#include "pages/pages.h"

static struct json_object *counts_of(struct json_object *queue, const char *key)
{
	struct json_object *counts = json_member(json_member(queue, "counters"), key);

	return json_object_is_type(counts, json_type_object) ? counts : NULL;
}

static void cell_write(struct html *h, const char *rule, int64_t number)
{
	html_printf(h, "<td data-label=\"%s\">%" PRId64 "</td>", rule, number);
}

static void row_write(struct html *h, struct json_object *queue,
		      struct json_object *rules, const char *key)
{
	struct json_object *counts = counts_of(queue, key);
	const char *name = json_text(queue, "name");
	int64_t total = 0;

	html_printf(h, "<tr data-queue=\"%s\"><th scope=\"row\">", name);
	queue_link(h, name);
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
	/* the rules of the first queue are those of all */
	struct json_object *rules = counts_of(json_item(document, "clusterQueues", 0), key);

	if (!rules)
		return;
	html_printf(h, "<h2>%s</h2>\n<table><thead><tr>"
		    "<th scope=\"col\">Cluster queue</th>", title);
	json_object_object_foreach(rules, rule, value) {
		(void) value;
		html_printf(h, "<th scope=\"col\">%s</th>", rule);
	}
	html_put(h, "<th scope=\"col\">Total</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < json_items(document, "clusterQueues"); i++)
		row_write(h, json_item(document, "clusterQueues", i), rules, key);
	html_put(h, "</tbody></table>\n");
}

void evictions_page(struct html *h, const struct page_source *v)
{
	struct json_object *document = v->p->document;
	char since[TEXT_SIZE];

	if (frame_begin(h, v, "Evictions", NULL)) {
		html_printf(h, "<p class=\"note\">Counted since %s.</p>\n",
			    text_date(since, sizeof(since),
				      json_number(json_member(document, "counters"), "since")));
		if (v->has_past)
			html_put(h, "<p><a href=\"history-evictions\">Evictions over "
				 "time</a></p>\n");
		table_write(h, document, "Jobs of the queue that were evicted", "evicted");
		table_write(h, document, "Evictions for jobs of the queue", "caused");
	}
	frame_end(h);
}
