/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pages.h - the ledger as HTML, for browsers
 *
 * Each page is whole without a script: the script only loads it again and puts
 * the new <main> in the place of the old one. A page has no more facts than
 * the published document.
 */
#ifndef SCOHORT_PAGES_H
#define SCOHORT_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "ledger/published.h"
#include "pages/html.h"

/* What a page is made of. Times are seconds since the epoch. */
struct page_source {
	const struct published *p;	/* its document is NULL if there is none */
	const char *error;	/* why there is none; else "" */
	int64_t now;
	int64_t down_since;	/* slurmctld has not answered since; 0: it does */
	int64_t boot_time;	/* when slurmctld started; 0: not known */
	bool has_past;		/* there are pages of the past (past/page.c), */
	bool is_past;		/* and this is one: nothing here is of the document */
};

/* All cohorts and cluster queues. all: each flavor and resource, else the
 * scarcest of each. */
void tree_page(struct html *h, const struct page_source *v, bool all);
/* One cluster queue. False, and nothing is written: there is none of that
 * name. */
bool queue_page(struct html *h, const struct page_source *v, const char *name);
/* Evictions of all cluster queues, by rule */
void evictions_page(struct html *h, const struct page_source *v);
/* What says that there is no such page */
void missing_page(struct html *h, const struct page_source *v);

/* ---- frame.c: what all pages have: head, navigation, warnings ---- */

/* From <!DOCTYPE html> into <main>, with the warnings in it. name: appended to the title, or
 * NULL. False: there is no document, which is said; only frame_end() may follow. */
bool frame_begin(struct html *h, const struct page_source *v, const char *title,
		 const char *name);
/* What stands out */
void frame_warn(struct html *h, const char *kind, const char *text);
void frame_end(struct html *h);
/* A remark in small print */
void frame_note(struct html *h, const char *text);
/* The name of a cluster queue, which leads to its page */
void queue_link(struct html *h, const char *name);

/* ---- overview.c ---- */

/* Above all cohorts: what is free of each flavor, who lends to whom, which quotas are for a
 * time */
void overview_write(struct html *h, const struct page_source *v);
/* The GRES that queues own, the first by its name; NULL: there is none */
const char *main_resource(struct json_object *document);

#endif /* SCOHORT_PAGES_H */
