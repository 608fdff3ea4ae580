/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gaps.h - what a database does not know of the time of a report
 */
#ifndef SCOHORT_REPORT_GAPS_H
#define SCOHORT_REPORT_GAPS_H

#include <json.h>

#include "report/span.h"

/* Adds recordedFrom and recordedUntil, hoursFrom (null: all hours are kept) and
 * the list of gaps. -1 after a message */
int gaps_fill(const struct db *db, const struct range *range,
	      struct json_object *document);

/* Instead, for evictions: evictionsFrom (null: none is kept) and recordedUntil */
int evictions_known_fill(const struct db *db, struct json_object *document);

/* Adds a sentence for each, with all that the reader has to know */
void gaps_notes(struct json_object *notes, const struct range *range,
		struct json_object *document);

#endif /* SCOHORT_REPORT_GAPS_H */
