/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_order.h - the order of slurmctld's queue in a pass
\*****************************************************************************/
#ifndef COHORT_HOOKS_QUEUE_ORDER_H
#define COHORT_HOOKS_QUEUE_ORDER_H

#include "state/job.h"

/* From here on, no job has a place. */
extern void queue_order_begin(void);
/* The entry may start by this partition, in which its job has this priority; v: what the plan
 * says of the entry. *place is set by queue_order_assign(). */
extern void queue_order_add(const struct entry *entry, const struct verdict *v,
			    part_record_t *part_ptr, uint32_t priority, uint32_t *place);
/* One of several partitions by which a job must wait: it is tried there last. */
extern void queue_order_note_last(void);
/* All entries are there: they get their places. */
extern void queue_order_assign(void);

/* How many places jobs of ours have taken in this pass */
extern size_t queue_order_places(void);
/* Does the first job go before the second? */
extern bool queue_order_before(const job_queue_rec_t *rec1, const job_queue_rec_t *rec2);

#endif /* COHORT_HOOKS_QUEUE_ORDER_H */
