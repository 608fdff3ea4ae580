/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_page.c - one cluster queue: quota, line, rules
 */
#include <inttypes.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "output/text.h"
#include "pages/bar.h"
#include "pages/frame.h"
#include "pages/line.h"

static void fact_begin(struct html *h, const char *what)
{
	html_printf(h, "<div><dt>%s</dt><dd>", what);
}

static void fact_text(struct html *h, const char *what, const char *text)
{
	fact_begin(h, what);
	html_text(h, *text ? text : "-");
	html_put(h, "</dd></div>\n");
}

static void fact_number(struct html *h, const char *what, int64_t number)
{
	fact_begin(h, what);
	html_printf(h, "%" PRId64 "</dd></div>\n", number);
}

static void fact_duration(struct html *h, const char *what, int64_t seconds)
{
	char text[TEXT_SIZE];

	if (seconds)
		fact_text(h, what, text_duration(text, sizeof(text), seconds));
}

static void share_facts(struct html *h, const struct page_source *v,
			struct json_object *queue)
{
	if (!json_truth(v->p->document, "fairSharing"))
		return;
	fact_begin(h, "Weight");
	html_printf(h, "%g</dd></div>\n", json_real(queue, "weight"));
	fact_begin(h, "Share");
	if (json_member(queue, "share"))
		html_printf(h, "%.3f", json_real(queue, "share"));
	else
		html_put(h, "beyond all others (weight 0)");
	html_put(h, "</dd></div>\n");
}

static void facts_write(struct html *h, const struct page_source *v,
			struct json_object *queue)
{
	const char *stop = json_text(queue, "stopPolicy");

	html_put(h, "<dl class=\"facts\">\n");
	fact_text(h, "Cohort", json_text(queue, "cohort"));
	fact_number(h, "Running", json_number(queue, "running"));
	fact_number(h, "Waiting", json_number(queue, "waiting"));
	fact_text(h, "Order", json_text(queue, "queueingStrategy"));
	if (*stop && strcmp(stop, "None") != 0)
		fact_text(h, "Stopped", stop);
	share_facts(h, v, queue);
	html_put(h, "</dl>\n");
	if (v->has_past) {
		html_printf(h, "<p><a href=\"%shistory?queue=", h->up);
		html_address(h, json_text(queue, "name"));
		html_put(h, "\">History of this queue</a></p>\n");
	}
}

/* ---- quota ---- */

/* What a minimum run time protects from reclaim, and until when */
static void later_write(struct html *h, const struct page_source *v,
			struct json_object *queue)
{
	for (size_t i = 0; i < json_items(queue, "quota"); i++) {
		struct json_object *quota = json_item(queue, "quota", i);
		const char *resource = json_text(quota, "resource");
		int64_t later = json_number(quota, "reclaimableLater");
		char amount[TEXT_SIZE], when[TEXT_SIZE];

		if (!later)
			continue;
		html_put(h, "<p>Of what is lent, ");
		html_text(h, text_amount_of(amount, sizeof(amount), resource,
					    later));
		html_put(h, " of flavor ");
		html_text(h, json_text(quota, "flavor"));
		html_printf(h, " are still protected. The first protection "
			    "ends at %s.</p>\n",
			    text_time(when, sizeof(when),
				      json_number(quota, "reclaimableAt"),
				      v->now));
	}
}

static void quota_write(struct html *h, const struct page_source *v,
			struct json_object *queue)
{
	struct json_object *scale = json_object_new_object();
	size_t n = json_items(queue, "quota");

	scale_add(scale, queue);
	html_put(h, "<h2>Quota</h2>\n");
	bar_legend(h);
	html_put(h, "<table><thead><tr>");
	quota_headers(h);
	html_put(h, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++) {
		html_put(h, "<tr>");
		quota_cells(h, json_item(queue, "quota", i), scale);
		html_put(h, "</tr>\n");
	}
	html_put(h, "</tbody></table>\n");
	json_object_put(scale);
	later_write(h, v, queue);
}

/* ---- rules ---- */

static void preemption_write(struct html *h, struct json_object *queue)
{
	struct json_object *p = json_member(queue, "preemption");

	html_put(h, "<h2>Preemption</h2>\n<dl class=\"facts\">\n");
	fact_text(h, "Within the queue", json_text(p, "withinClusterQueue"));
	fact_text(h, "Reclaim in the cohort",
		  json_text(p, "reclaimWithinCohort"));
	if (*json_text(p, "borrowWithinCohort"))
		fact_text(h, "While borrowing",
			  json_text(p, "borrowWithinCohort"));
	fact_duration(h, "Minimum run time before preemption",
		      json_number(p, "preemptMinRuntime"));
	fact_duration(h, "Minimum run time before reclaim",
		      json_number(p, "reclaimMinRuntime"));
	fact_duration(h, "A turn lasts",
		      json_number(p, "minAdmitDuration"));
	if (json_number(p, "maxPreemptions"))
		fact_number(h, "Runs of a job that others than owners may evict",
			    json_number(p, "maxPreemptions"));
	if (json_number(p, "yieldAfterEvictions"))
		fact_number(h, "Evictions after which a job yields",
			    json_number(p, "yieldAfterEvictions"));
	html_put(h, "</dl>\n");
}

static void rule_part(struct html *h, struct json_object *rule,
		      const char *key, const char *what, int *parts)
{
	if (!*json_text(rule, key))
		return;
	html_printf(h, "%s%s ", (*parts)++ ? ", " : "", what);
	html_text(h, json_text(rule, key));
}

static void match_write(struct html *h, struct json_object *queue)
{
	html_put(h, "<h2>Jobs of this queue</h2>\n<ul>\n");
	for (size_t i = 0; i < json_items(queue, "match"); i++) {
		struct json_object *rule = json_item(queue, "match", i);
		int parts = 0;

		html_put(h, "<li>");
		rule_part(h, rule, "partition", "partition", &parts);
		rule_part(h, rule, "qos", "QOS", &parts);
		rule_part(h, rule, "account", "account", &parts);
		if (json_truth(rule, "user"))
			html_put(h, parts ? ", of a certain user"
					  : "of a certain user");
		html_put(h, "</li>\n");
	}
	html_put(h, "</ul>\n");
}

bool queue_page(struct html *h, const struct page_source *v, const char *name)
{
	struct json_object *queue = v->p->document
				    ? published_queue(v->p, name) : NULL;

	if (!queue && v->p->document)
		return false;
	if (frame_begin(h, v, "Cluster queue", queue ? name : NULL)) {
		facts_write(h, v, queue);
		quota_write(h, v, queue);
		line_write(h, v, queue);
		preemption_write(h, queue);
		match_write(h, queue);
	}
	frame_end(h);
	return true;
}
