/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - the past as HTML: tables, and a place for the plots of history.js
 */
#ifndef SCOHORT_PAST_PAGE_H
#define SCOHORT_PAST_PAGE_H

#include "pages/pages.h"
#include "past/past.h"

/* Between past_open() and past_close(). v: is_past */
void past_page(struct html *h, const struct page_source *v,
	       const struct past *p);

#endif /* SCOHORT_PAST_PAGE_H */
