/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  history.h - what was used lately, over restarts and reconfigures
 *
 *  No job record tells it. All functions under the job lock.
\*****************************************************************************/
#ifndef COHORT_BOOKS_HISTORY_H
#define COHORT_BOOKS_HISTORY_H

#include <json-c/json.h>

/* Events happen now. Before anything of a job is told to the engine; costs as
 * much as a look at the clock. */
extern void history_advance_now(void);
/* Local queues have the weights of cohort.yaml. For a new engine */
extern void history_weigh_locals(void);
/* The histories by names, or NULL if there are none; the caller's */
extern struct json_object *history_dump(void);
/* These histories count as soon as history_restore() is called: when all that runs is in the
 * books. What is no history is ignored. Takes a reference of its own; NULL is allowed. */
extern void history_keep(struct json_object *histories);
extern void history_restore(void);

#endif /* COHORT_BOOKS_HISTORY_H */
