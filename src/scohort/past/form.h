/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * form.h - what the reader may choose: time, cluster queue, resource
 */
#ifndef SCOHORT_PAST_FORM_H
#define SCOHORT_PAST_FORM_H

#include "pages/html.h"
#include "past/past.h"

/* The address of a page of the past, between double quotes, with all that is chosen but the
 * cluster queue, which is `queue` (NULL: all). page: "history" */
void past_address(struct html *h, const struct past *p, const char *page,
		  enum range_kind kind, const char *queue);

/* Links to ranges and to the other page, and the form */
void past_form(struct html *h, const struct past *p);

#endif /* SCOHORT_PAST_FORM_H */
