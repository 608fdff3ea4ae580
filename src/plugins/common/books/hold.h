/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  hold.h - nodes that were cleared for a job
\*****************************************************************************/
#ifndef COHORT_BOOKS_HOLD_H
#define COHORT_BOOKS_HOLD_H

#include "state/job.h"

/* Nodes were cleared for it: they are kept from others until hold_release(),
 * which jobs_set_own() calls when its time is over. */
extern void hold_nodes(struct job *job, const bitstr_t *nodes);
extern void hold_release(struct job *job);
/* The node table changes: nobody holds any. */
extern void hold_flush(void);
extern bool hold_any(void);
/* Whose victims are still on their way out? */
extern void hold_look(void);
/* Its nodes are being cleared, or were when that was looked at last. */
extern bool hold_awaits(const struct job *job);
/* Takes those that others hold out of `nodes`, but for some (or NULL) */
extern void hold_keep_out(const struct job *job, bitstr_t *nodes,
			  bitstr_t *but);
/* Leaves only those that it holds itself */
extern void hold_stay_in(const struct job *job, bitstr_t *nodes);
/* To and from the owner's part of the state file. What is read there need not
 * make sense: whatever names no node is left out. */
struct json_object;
extern void hold_dump(const struct job *job, struct json_object *o);
extern void hold_load(struct job *job, struct json_object *o);

#endif /* COHORT_BOOKS_HOLD_H */
