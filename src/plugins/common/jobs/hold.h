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
/* The node table changes: no job holds any nodes. */
extern void hold_flush(void);
extern bool hold_any(void);
/* What was seen of victims before is out of date. */
extern void hold_next_look(void);
/* A victim of this job is still on its way out. */
extern void hold_see_victim(struct job *preemptor);
/* Are its nodes being cleared, as of the last look? */
extern bool hold_awaits(const struct entry *entry);
/* Clear in `nodes` the nodes that others hold, except the nodes in `but` (or
 * NULL) */
extern void hold_keep_out(const struct entry *entry, bitstr_t *nodes,
			  bitstr_t *but);
/* Leave only the nodes that the job itself holds */
extern void hold_stay_in(const struct entry *entry, bitstr_t *nodes);
/* To and from the owner's part of the state file. The text that is read need
 * not make sense: names that are no nodes are left out. */
struct json_object;
extern void hold_dump(const struct entry *entry, struct json_object *o);
extern void hold_load(struct entry *entry, struct json_object *o);

#endif /* COHORT_JOBS_HOLD_H */
