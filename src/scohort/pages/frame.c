/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.c - what all pages have: head, navigation, warnings
 */
#include <string.h>

#include "input/json_members.h"
#include "ledger/published.h"
#include "output/text.h"
#include "pages/pages.h"

static void head_write(struct html *h, const struct page_source *v, const char *title)
{
	html_printf(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		    "<meta charset=\"utf-8\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n"
		    "<title>%s - slurm-cohort</title>\n"
		    "<link rel=\"icon\" href=\"%sicon.svg\">\n"
		    "<link rel=\"stylesheet\" href=\"%sstyle.css\">\n"
		    "<script src=\"%slive.js\" defer></script>\n", title, h->up, h->up, h->up);
	if (v->is_past)
		html_put(h, "<link rel=\"stylesheet\" href=\"uplot.css\">\n"
			 "<script src=\"uplot.js\" defer></script>\n"
			 "<script src=\"charts.js\" defer></script>\n");
	html_put(h, "</head>\n");
}

static void navigation_write(struct html *h, const struct page_source *v)
{
	const char *top = *h->up ? h->up : "./";

	html_printf(h, "<body>\n<a class=\"skip\" href=\"#main\">To the numbers</a>\n<header><nav "
		    "aria-label=\"Pages\">"
		    "<a class=\"brand\" href=\"%s.\">slurm-cohort</a>"
		    "<a href=\"%s.\">Queues</a>"
		    "<a href=\"%sall\">All resources</a>"
		    "<a href=\"%sevictions\">Evictions</a>", top, top, h->up, h->up);
	if (v->has_past)
		html_printf(h, "<a href=\"%shistory\">History</a>", h->up);
	html_put(h, "</nav><p id=\"live\" role=\"status\"></p></header>\n");
}

void frame_warn(struct html *h, const char *kind, const char *text)
{
	html_printf(h, "<p class=\"warning %s\" role=\"alert\">%s</p>\n", kind, text);
}

void frame_note(struct html *h, const char *text)
{
	html_printf(h, "<p class=\"note\">%s</p>\n", text);
}

/* Is slurmctld there, and has it written the numbers? */
static void age_warn(struct html *h, const struct page_source *v)
{
	int64_t written = json_number(v->p->document, "time");
	const char *at = text_time(TEXT_BUF, written, v->now);
	char text[512];

	if (v->down_since) {
		snprintf(text, sizeof(text), "slurmctld has not answered since %s. The numbers are "
			 "those of %s.", text_time(TEXT_BUF, v->down_since, v->now), at);
		frame_warn(h, "down", text);
	} else if (v->boot_time && written < v->boot_time) {
		snprintf(text, sizeof(text), "The numbers are those of %s: slurmctld has started "
			 "since, and has not published any.", at);
		frame_warn(h, "old", text);
	}
}

static void warnings_write(struct html *h, const struct page_source *v)
{
	char text[2048];

	age_warn(h, v);
	if (!strcmp(json_text(v->p->document, "enforcement"), "observe"))
		frame_warn(h, "observe", "slurm-cohort only observes: nothing is enforced.");
	if (!config_is_in_force(v->p->document, v->now, text, sizeof(text)))
		frame_warn(h, "rejected", text);
}

bool frame_begin(struct html *h, const struct page_source *v, const char *title, const char *name)
{
	char all[1024];

	snprintf(all, sizeof(all), name ? "%s %s" : "%s", title, name);
	head_write(h, v, all);
	navigation_write(h, v);
	html_printf(h, "<main id=\"main\">\n<h1>%s</h1>\n", all);
	if (v->is_past)
		return true;
	if (!v->p->document) {
		frame_warn(h, "down", v->error);
		return false;
	}
	warnings_write(h, v);
	html_printf(h, "<p class=\"time\">As of <time>%s</time>.</p>\n",
		    text_date(TEXT_BUF, json_number(v->p->document, "time")));
	return true;
}

void frame_end(struct html *h)
{
	html_put(h, "</main>\n</body>\n</html>\n");
}

void queue_link(struct html *h, const char *name)
{
	html_printf(h, "<a href=\"%squeue/", h->up);
	html_address(h, name);
	html_printf(h, "\">%s</a>", name);
}

void missing_page(struct html *h, const struct page_source *v)
{
	if (frame_begin(h, v, "There is no such page", NULL))
		html_put(h, "<p>A cluster queue of that name may have been removed from the "
			 "configuration.</p>\n");
	frame_end(h);
}
