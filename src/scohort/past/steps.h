/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - what one cluster queue, or all, had in each step of a range
 */
#ifndef SCOHORT_PAST_STEPS_H
#define SCOHORT_PAST_STEPS_H

#include <json.h>

#include "report/catalog.h"
#include "report/slots.h"

/* Lists of the same length, as past.h has them: mean amounts of the first resource of the
 * catalog. queue: -1: all. begun, until: what is earlier is not
 * recorded, what is later not yet. More steps than
 * RANGE_STEPS_MAX and two that are cut are an error. -1 after a message */
int steps_fill(const struct db *db, const struct range *range,
	       const struct catalog *catalog, int queue, int64_t begun,
	       int64_t until, struct json_object *steps);

#endif /* SCOHORT_PAST_STEPS_H */
