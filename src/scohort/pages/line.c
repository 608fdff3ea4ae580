/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.c - the line of a cluster queue: what each place waits for, and which
 * places belong together
 */
#include <inttypes.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/reason.h"
#include "pages/line.h"

/* ---- what a place waits for ---- */

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
	html_put(h, "</th><td class=\"text\" data-label=\"Why\">");
	html_text(h, text);
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
		    "<th scope=\"col\" class=\"text\">Why they wait</th></tr>"
		    "</thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		run_write(h, queue, json_item(queue, "line", i));
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
static void owners_write(struct html *h, const struct page_source *v, struct json_object *queue)
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

void line_write(struct html *h, const struct page_source *v, struct json_object *queue)
{
	html_put(h, "<h2>Line</h2>\n");
	if (!json_items(queue, "localQueues") && !json_items(queue, "line"))
		html_put(h, "<p>No job waits.</p>\n");
	waits_write(h, queue);
	owners_write(h, v, queue);
}
