/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * private.h - what of a range is not told where jobs are private
 *
 * The evictions of a minute are mostly a single one, and so are the reclaim delays: whole
 * days of them are told. Use is told by hour and minute, without them.
 */
#ifndef SCOHORT_PAST_PRIVATE_H
#define SCOHORT_PAST_PRIVATE_H

#include <stdbool.h>

#include <json.h>

/* What a page says of that. hidden: there are none; else they are of whole days */
const char *private_says(bool hidden);
/* Takes them out of rows, totals and steps. */
void private_hide(struct json_object *document);

#endif /* SCOHORT_PAST_PRIVATE_H */
