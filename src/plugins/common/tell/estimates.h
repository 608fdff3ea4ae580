/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  estimates.h - what estimates of starts cost, and how far they see
\*****************************************************************************/
#ifndef COHORT_TELL_ESTIMATES_H
#define COHORT_TELL_ESTIMATES_H

#include "compat/slurm_compat.h"

struct json_object;

/* The cluster was played forward, which cost so many ns of CPU time.
 * too_far: jobs whose start it has not come to, because of that cost. Under the
 * job lock. */
extern void estimates_count(int64_t cost, size_t too_far);
/* Nothing had changed since the last time, and so it was not played. */
extern void estimates_count_look(int64_t cost);
/* How often, the cost, how often it was not played to the end, and how many
 * jobs the last one has not come to */
extern struct json_object *estimates_json(void);

#endif /* COHORT_TELL_ESTIMATES_H */
