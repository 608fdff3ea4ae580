/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.h - the line of a cluster queue, as tables
 */
#ifndef SCOHORT_PAGES_LINE_H
#define SCOHORT_PAGES_LINE_H

#include "pages/pages.h"

/* queue: of the published document. Nobody learns whose places these are. */
void line_write(struct html *h, const struct page_source *v,
		struct json_object *queue);

#endif /* SCOHORT_PAGES_LINE_H */
