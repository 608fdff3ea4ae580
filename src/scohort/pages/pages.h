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
bool frame_begin(struct html *h, const struct page_source *v, const char *title, const char *name);
/* What stands out */
void frame_warn(struct html *h, const char *kind, const char *text);
void frame_end(struct html *h);
/* A remark in small print */
void frame_note(struct html *h, const char *text);
/* The name of a cluster queue, which leads to its page */
void queue_link(struct html *h, const char *name);

/* ---- bar.c: quota as a bar, and as cells of a table ---- */

/* The parts of a quota: they add up to nominal quota and what is borrowed. */
struct parts {
	int64_t own;		/* nominal quota that the queue uses itself */
	int64_t lent;		/* nominal quota that others use */
	int64_t unused;		/* the rest of nominal quota */
	int64_t borrowed;
};

/* Of a published quota; that of a cohort counts what its members lend to it. */
struct parts quota_parts(struct json_object *quota);

/* A picture of the parts, and the same in words for those who do not see it. scale:
 * scale_add(), so that bars of one resource can be compared; NULL: it fills the width */
void bar_write(struct html *h, struct json_object *quota, struct json_object *scale);
/* A scale is an object, empty at first: the bars of the node fit into it. */
void scale_add(struct json_object *scale, struct json_object *node);
/* What the colours of a bar are */
void bar_legend(struct html *h);

/* Headers and cells of a row: the bar and the numbers of a quota, NULL: none */
void quota_headers(struct html *h);
void quota_cells(struct html *h, struct json_object *quota, struct json_object *scale);

/* ---- overview.c ---- */

/* Above all cohorts: what is free of each flavor, who lends to whom, which quotas are for a
 * time */
void overview_write(struct html *h, const struct page_source *v);
/* The GRES that queues own, the first by its name; NULL: there is none */
const char *main_resource(struct json_object *document);

#endif /* SCOHORT_PAGES_H */
