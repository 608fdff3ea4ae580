/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  hold.h - nodes that were cleared for a job
\*****************************************************************************/
#ifndef COHORT_JOBS_HOLD_H
#define COHORT_JOBS_HOLD_H

#include "state/job.h"

/* Nodes were cleared for it: they are kept from others until hold_release(). */
extern void hold_nodes(struct entry *entry, const bitstr_t *nodes);
extern void hold_release(struct entry *entry);
/* The node table changes: nobody holds any. */
extern void hold_flush(void);
extern bool hold_any(void);
/* What was seen of victims before is out of date. */
extern void hold_next_look(void);
/* A victim of this job is still on its way out. */
extern void hold_see_victim(struct job *preemptor);
/* Its nodes are being cleared, or were when that was looked at last. */
extern bool hold_awaits(const struct entry *entry);
/* Takes those that others hold out of `nodes`, but for some (or NULL) */
extern void hold_keep_out(const struct entry *entry, bitstr_t *nodes,
			  bitstr_t *but);
/* Leaves only those that it holds itself */
extern void hold_stay_in(const struct entry *entry, bitstr_t *nodes);
/* To and from the owner's part of the state file. What is read there need not
 * make sense: whatever names no node is left out. */
struct json_object;
extern void hold_dump(const struct entry *entry, struct json_object *o);
extern void hold_load(struct entry *entry, struct json_object *o);

#endif /* COHORT_JOBS_HOLD_H */
