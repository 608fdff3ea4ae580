/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_page.c - one cluster queue: quota, line, rules; evictions of all
 */
#include <inttypes.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "ledger/reason.h"
#include "lib/sat.h"
#include "output/text.h"
#include "pages/pages.h"

static void fact_text(struct html *h, const char *what, const char *text)
{
	html_printf(h, "<div><dt>%s</dt><dd>%s</dd></div>\n", what, *text ? text : "-");
}

static void fact_number(struct html *h, const char *what, int64_t number)
{
	html_printf(h, "<div><dt>%s</dt><dd>%" PRId64 "</dd></div>\n", what, number);
}

static void fact_duration(struct html *h, const char *what, int64_t seconds)
{
	if (seconds)
		fact_text(h, what, text_duration(TEXT_BUF, seconds));
}

static void share_facts(struct html *h, const struct page_source *v, struct json_object *queue)
{
	char text[64] = "beyond all others (weight 0)";

	if (!json_truth(v->p->document, "fairSharing"))
		return;
	html_printf(h, "<div><dt>Weight</dt><dd>%g</dd></div>\n", json_real(queue, "weight"));
	if (json_member(queue, "share"))
		snprintf(text, sizeof(text), "%.3f", json_real(queue, "share"));
	fact_text(h, "Share", text);
}

static void facts_write(struct html *h, const struct page_source *v, struct json_object *queue)
{
	const char *stop = published_stop(queue);

	html_put(h, "<dl class=\"facts\">\n");
	fact_text(h, "Cohort", json_text(queue, "cohort"));
	fact_number(h, "Running", json_number(queue, "running"));
	fact_number(h, "Waiting", json_number(queue, "waiting"));
	fact_text(h, "Order", json_text(queue, "queueingStrategy"));
	if (*stop)
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
static void later_write(struct html *h, const struct page_source *v, struct json_object *queue)
{
	for (size_t i = 0; i < json_items(queue, "quota"); i++) {
		struct json_object *quota = json_item(queue, "quota", i);
		int64_t later = json_number(quota, "reclaimableLater");

		if (!later)
			continue;
		html_printf(h, "<p>Of what is lent, %s of flavor %s are still protected. The first "
			    "protection ends at %s.</p>\n",
			    text_amount_of(TEXT_BUF, json_text(quota, "resource"), later),
			    json_text(quota, "flavor"),
			    text_time(TEXT_BUF, json_number(quota, "reclaimableAt"), v->now));
	}
}

static void quota_write(struct html *h, const struct page_source *v, struct json_object *queue)
{
	struct json_object *scale = json_object_new_object();

	scale_add(scale, queue);
	html_put(h, "<h2>Quota</h2>\n");
	bar_legend(h);
	html_put(h, "<table><thead><tr>");
	quota_headers(h);
	html_put(h, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < json_items(queue, "quota"); i++) {
		html_put(h, "<tr>");
		quota_cells(h, json_item(queue, "quota", i), scale);
		html_put(h, "</tr>\n");
	}
	html_put(h, "</tbody></table>\n");
	json_object_put(scale);
	later_write(h, v, queue);
}

/* ---- the line: what each place waits for, and which places belong together ---- */

static void run_write(struct html *h, struct json_object *queue, struct json_object *run)
{
	int64_t first = json_number(run, "first");
	int64_t last = json_number(run, "last");
	char text[SENTENCE_SIZE];
	struct reason r;

	reason_of_run(&r, run);
	reason_sentence(&r, json_text(queue, "name"), queue, text, sizeof(text));
	html_printf(h, "<tr><th scope=\"row\">%" PRId64, first);
	if (last != first)
		html_printf(h, "-%" PRId64, last);
	html_printf(h, "</th><td class=\"text\" data-label=\"Why\">%s</td></tr>\n", text);
}

/* Nothing, if the file was written by a slurmctld that does not tell */
static void waits_write(struct html *h, struct json_object *queue)
{
	int64_t rest = json_number(queue, "lineRest");
	size_t n = json_items(queue, "line");

	if (!n)
		return;
	html_put(h, "<table class=\"line\"><thead><tr><th scope=\"col\">Position</th>"
		    "<th scope=\"col\" class=\"text\">Why they wait</th></tr>"
		    "</thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		run_write(h, queue, json_item(queue, "line", i));
	html_put(h, "</tbody></table>\n<p class=\"note\">Which change would start a job sooner, its "
		    "user can ask: <code>scohort why JOBID --fit</code></p>\n");
	if (rest > 0)
		html_printf(h, "<p class=\"note\">Behind them %" PRId64 " more wait.</p>\n", rest);
}

/* Whose places these are, nobody learns here. */
static void owners_write(struct html *h, const struct page_source *v, struct json_object *queue)
{
	bool by_user = !strcmp(json_text(v->p->document, "localQueue"), "user");
	size_t n = json_items(queue, "localQueues");

	if (!n)
		return;
	html_printf(h, "<table class=\"line\"><thead><tr><th scope=\"col\">%s</th>"
		    "<th scope=\"col\" class=\"text\">Positions of its jobs</th></tr></thead>"
		    "<tbody>\n", by_user ? "User" : "Account");
	for (size_t i = 0; i < n; i++) {
		const char *places = json_object_get_string(json_item(queue, "localQueues", i));

		html_printf(h, "<tr><th scope=\"row\">%zu</th><td class=\"text\" "
			    "data-label=\"Positions\">%s</td></tr>\n", i + 1, places ? places : "");
	}
	html_printf(h, "</tbody></table>\n<p class=\"note\">%s have numbers here in the order of "
		    "their first job. squeue tells users the position of their jobs.</p>\n",
		    by_user ? "Users" : "Accounts");
}

static void line_write(struct html *h, const struct page_source *v, struct json_object *queue)
{
	html_put(h, "<h2>Line</h2>\n");
	if (!json_items(queue, "localQueues") && !json_items(queue, "line"))
		html_put(h, "<p>No job waits.</p>\n");
	waits_write(h, queue);
	owners_write(h, v, queue);
}

/* ---- rules ---- */

static void preemption_write(struct html *h, struct json_object *queue)
{
	struct json_object *p = json_member(queue, "preemption");

	html_put(h, "<h2>Preemption</h2>\n<dl class=\"facts\">\n");
	fact_text(h, "Within the queue", json_text(p, "withinClusterQueue"));
	fact_text(h, "Reclaim in the cohort", json_text(p, "reclaimWithinCohort"));
	if (*json_text(p, "borrowWithinCohort"))
		fact_text(h, "While borrowing", json_text(p, "borrowWithinCohort"));
	fact_duration(h, "Minimum run time before preemption", json_number(p, "preemptMinRuntime"));
	fact_duration(h, "Minimum run time before reclaim", json_number(p, "reclaimMinRuntime"));
	fact_duration(h, "Delay before its jobs reclaim", json_number(p, "reclaimDelay"));
	fact_duration(h, "A turn lasts", json_number(p, "minAdmitDuration"));
	if (json_number(p, "maxPreemptions"))
		fact_number(h, "Runs of a job that others than owners may evict",
			    json_number(p, "maxPreemptions"));
	if (json_number(p, "yieldAfterEvictions"))
		fact_number(h, "Evictions after which a job yields",
			    json_number(p, "yieldAfterEvictions"));
	html_put(h, "</dl>\n");
}

static void match_write(struct html *h, struct json_object *queue)
{
	static const char *const keys[][2] = {
		{ "partition", "partition" }, { "qos", "QOS" }, { "account", "account" },
	};

	html_put(h, "<h2>Jobs of this queue</h2>\n<ul>\n");
	for (size_t i = 0; i < json_items(queue, "match"); i++) {
		struct json_object *rule = json_item(queue, "match", i);
		char text[1024] = "";

		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
			if (*json_text(rule, keys[k][0]))
				text_join(text, sizeof(text), "%s %s", keys[k][1],
					  json_text(rule, keys[k][0]));
		if (json_truth(rule, "user"))
			text_join(text, sizeof(text), "of a certain user");
		html_printf(h, "<li>%s</li>\n", text);
	}
	html_put(h, "</ul>\n");
}

bool queue_page(struct html *h, const struct page_source *v, const char *name)
{
	struct json_object *queue = published_queue(v->p, name);

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

/* ---- evictions of all cluster queues, by rule ---- */

static struct json_object *counts_of(struct json_object *queue, const char *key)
{
	struct json_object *counts = json_member(json_member(queue, "counters"), key);

	return json_object_is_type(counts, json_type_object) ? counts : NULL;
}

static void evictions_cell(struct html *h, const char *rule, int64_t number)
{
	html_printf(h, "<td data-label=\"%s\">%" PRId64 "</td>", rule, number);
}

static void evictions_row(struct html *h, struct json_object *queue,
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
		evictions_cell(h, rule, json_number(counts, rule));
		total = sat_add(total, json_number(counts, rule));
	}
	evictions_cell(h, "Total", total);
	html_put(h, "</tr>\n");
}

static void evictions_table(struct html *h, struct json_object *document,
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
		evictions_row(h, json_item(document, "clusterQueues", i), rules, key);
	html_put(h, "</tbody></table>\n");
}

void evictions_page(struct html *h, const struct page_source *v)
{
	struct json_object *document = v->p->document;

	if (frame_begin(h, v, "Evictions", NULL)) {
		html_printf(h, "<p class=\"note\">Counted since %s.</p>\n",
			    text_date(TEXT_BUF, json_number(json_member(document, "counters"),
							    "since")));
		if (v->has_past)
			html_put(h, "<p><a href=\"history-evictions\">Evictions over "
				 "time</a></p>\n");
		evictions_table(h, document, "Jobs of the queue that were evicted", "evicted");
		evictions_table(h, document, "Evictions for jobs of the queue", "caused");
	}
	frame_end(h);
}
