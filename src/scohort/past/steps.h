/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - what one cluster queue, or all, had in each step of a range
 */
#ifndef SCOHORT_PAST_STEPS_H
#define SCOHORT_PAST_STEPS_H

#include "report/ask.h"

/* Lists of the same length, as past.h has them: mean amounts of the only chosen resource,
 * after ask_use(). queue: NULL: all. More steps than RANGE_STEPS_MAX and two that are cut are
 * an error. -1 after a message */
int steps_fill(const struct ask *a, const char *queue,
	       struct json_object *steps);

#endif /* SCOHORT_PAST_STEPS_H */
