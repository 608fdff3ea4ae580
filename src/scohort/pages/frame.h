/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.h - what all pages have: head, navigation, warnings
 */
#ifndef SCOHORT_FRAME_H
#define SCOHORT_FRAME_H

#include "pages/pages.h"

/* From <!DOCTYPE html> into <main>, with the warnings in it. title: a literal;
 * name: appended to it, or NULL. False: there is no document, which is said;
 * only frame_end() may follow. */
bool frame_begin(struct html *h, const struct page_source *v, const char *title,
		 const char *name);
/* What stands out. kind: a literal */
void frame_warn(struct html *h, const char *kind, const char *text);
void frame_end(struct html *h);

#endif /* SCOHORT_FRAME_H */
