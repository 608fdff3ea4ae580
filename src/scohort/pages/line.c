/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.c - the line of a cluster queue: what each place waits for, and which
 * places belong together
 */
#include <inttypes.h>
#include <string.h>

#include "input/json_members.h"
#include "output/text.h"
#include "pages/line.h"

/* ---- what a place waits for ---- */

/* "8 gres/gpu": or only the resource, where the number is not told */
static void needed_write(struct html *h, struct json_object *run)
{
	const char *resource = json_text(run, "resource");
	char text[TEXT_SIZE];

	if (json_member(run, "need"))
		html_text(h, text_amount_of(text, sizeof(text), resource,
					    json_number(run, "need")));
	else
		html_text(h, *resource ? resource : "any resource");
	html_put(h, " on ");
	html_text(h, *json_text(run, "flavor") ? json_text(run, "flavor")
					       : "any flavor");
}

static void amount_write(struct html *h, struct json_object *run,
			 const char *key, const char *what)
{
	char text[TEXT_SIZE];

	if (!json_member(run, key))
		return;
	html_put(h, what);
	html_text(h, text_amount(text, sizeof(text), json_text(run, "resource"),
				 json_number(run, key)));
}

static void quota_wait(struct html *h, struct json_object *run)
{
	html_put(h, "quota: ");
	needed_write(h, run);
	amount_write(h, run, "free", ", free: ");
}

static void preempting_wait(struct html *h, struct json_object *run)
{
	int64_t n = json_number(run, "victims");

	html_printf(h, "the end of %" PRId64 " evicted job%s", n, text_s(n));
}

static void protected_wait(struct html *h, struct json_object *run)
{
	const char *by = json_text(run, "by");
	char when[TEXT_SIZE];

	html_put(h, "jobs that are protected");
	if (!strcmp(by, "maxPreemptions"))
		html_put(h, " by maxPreemptions");
	else if (!strcmp(by, "nonpreemptible"))
		html_put(h, ": they can't be preempted");
	else if (json_number(run, "until"))
		html_printf(h, ", the first until %s",
			    text_date(when, sizeof(when),
				      json_number(run, "until")));
}

static void never_wait(struct html *h, struct json_object *run)
{
	if (!*json_text(run, "flavor")) {
		html_put(h, "nodes that are not there: it can never start");
		return;
	}
	html_put(h, "more than there could ever be: ");
	needed_write(h, run);
	amount_write(h, run, "max", ", at most ");
}

static void cap_wait(struct html *h, struct json_object *run)
{
	html_put(h, "quota for jobs that can't be preempted: ");
	needed_write(h, run);
	amount_write(h, run, "cap", ", allowed: ");
	amount_write(h, run, "used", ", used: ");
}

static const struct {
	const char *word;
	const char *says;	/* or NULL: */
	void (*write)(struct html *h, struct json_object *run);
} waits[] = {
	{ "quota", NULL, quota_wait },
	{ "preempting", NULL, preempting_wait },
	{ "protected", NULL, protected_wait },
	{ "never", NULL, never_wait },
	{ "nonpreemptible", NULL, cap_wait },
	{ "yields", "free quota: it was evicted before", NULL },
	{ "order", "its turn: others are before it", NULL },
	{ "held", "the queue: it is stopped", NULL },
	{ "nodes", "nodes: quota is there", NULL },
	{ "pass", "the next pass of the scheduler", NULL },
};

/* A word that is not known here is shown as it is. */
static void wait_write(struct html *h, struct json_object *run)
{
	const char *word = json_text(run, "wait");

	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		if (strcmp(word, waits[i].word) != 0)
			continue;
		if (waits[i].says)
			html_put(h, waits[i].says);
		else
			waits[i].write(h, run);
		return;
	}
	html_text(h, word);
}

static void run_write(struct html *h, struct json_object *run)
{
	int64_t first = json_number(run, "first");
	int64_t last = json_number(run, "last");

	html_printf(h, "<tr><th scope=\"row\">%" PRId64, first);
	if (last != first)
		html_printf(h, "-%" PRId64, last);
	html_put(h, "</th><td class=\"text\" data-label=\"Waits for\">");
	wait_write(h, run);
	html_put(h, "</td></tr>\n");
}

/* Nothing, if the file was written by a slurmctld that does not tell */
static void waits_write(struct html *h, struct json_object *queue)
{
	int64_t rest = json_number(queue, "lineRest");
	size_t n = json_items(queue, "line");

	if (!n)
		return;
	html_put(h, "<table class=\"line\"><thead><tr><th scope=\"col\">Position</th>"
		    "<th scope=\"col\" class=\"text\">Waits for</th></tr>"
		    "</thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		run_write(h, json_item(queue, "line", i));
	html_put(h, "</tbody></table>\n");
	if (rest > 0)
		html_printf(h, "<p class=\"note\">Behind them %" PRId64
			    " more wait.</p>\n", rest);
}

/* ---- whose places ---- */

static const char *text_at(struct json_object *list, size_t i)
{
	struct json_object *o = json_object_array_get_idx(list, i);

	return json_object_is_type(o, json_type_string)
	       ? json_object_get_string(o) : "";
}

/* Whose places these are, nobody learns here. */
static void owners_write(struct html *h, const struct page_source *v,
		       struct json_object *queue)
{
	bool by_user = !strcmp(json_text(v->p->document, "localQueue"), "user");
	struct json_object *list = json_member(queue, "localQueues");
	size_t n = json_items(queue, "localQueues");

	if (!n)
		return;
	html_printf(h, "<table class=\"line\"><thead><tr><th scope=\"col\">%s</th>"
		    "<th scope=\"col\" class=\"text\">Positions of its jobs</th></tr></thead>"
		    "<tbody>\n", by_user ? "User" : "Account");
	for (size_t i = 0; i < n; i++) {
		html_printf(h, "<tr><th scope=\"row\">%zu</th><td class=\"text\" "
			    "data-label=\"Positions\">", i + 1);
		html_text(h, text_at(list, i));
		html_put(h, "</td></tr>\n");
	}
	html_printf(h, "</tbody></table>\n<p class=\"note\">%s have numbers "
		    "here in the order of their first job. squeue tells users "
		    "the position of their jobs.</p>\n",
		    by_user ? "Users" : "Accounts");
}

void line_write(struct html *h, const struct page_source *v,
		struct json_object *queue)
{
	html_put(h, "<h2>Line</h2>\n");
	if (!json_items(queue, "localQueues") && !json_items(queue, "line"))
		html_put(h, "<p>No job waits.</p>\n");
	waits_write(h, queue);
	owners_write(h, v, queue);
}
