/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  learn.h - what selecting nodes for a job has taught
\*****************************************************************************/
#ifndef COHORT_REQUEST_LEARN_H
#define COHORT_REQUEST_LEARN_H

#include "state/job.h"

/* The job was offered so much in the partition in which it is tried, with these flavors,
 * and that was more than quota allows. All jobs know it that ask for the same. True if
 * that is news for this one. */
extern bool learn_amounts(struct entry *entry, const int *flavors, const int64_t *amounts);
/* Raise the amounts of its demand to what is known of jobs that ask for the same in the
 * partition of the job's record (part_ptr), in this flavor. The entry remembers it. */
extern void learn_apply(struct entry *entry, int flavor, int64_t *amounts);
/* Only raise them. True: more is known than that. */
extern bool learn_raise(const struct entry *entry, int flavor, int64_t *amounts);
/* That is more than quota allows, and so its demand is made anew. True if that is news. */
extern bool learn_anew(struct entry *entry);
/* A try found no nodes in the flavors that are not ok: their nodes are taken, until nodes are
 * released (but for two seconds at least), or for a minute. goes_on: the job goes on to flavors
 * that are not taken; else it waits for any of them, as if none was known to be taken. If that is
 * news, its demand is made anew. */
extern void learn_taken(struct entry *entry, const bool *flavor_ok, bool goes_on);
/* All of them may be tried again. */
extern void learn_forget_taken(struct entry *entry);
/* Ask, once for this request and the nodes that there are, whether nodes of the flavor that are
 * up, in the partition that is tried, could ever hold the job: those it could use if no other
 * job was on them. True: it is news that they can't, and the job's demand is made anew. */
extern bool learn_fit(struct entry *entry, int flavor,
		      bool (*could_ever)(bitstr_t *nodes, void *arg), void *arg);
/* Was that the answer? */
extern bool learn_never_fits(const struct entry *entry, int flavor);
/* Nodes were released: other nodes may be cheaper */
extern void learn_released(void);
/* How many times that was so, and never 0 */
extern uint64_t learn_releases(void);
/* Count a release if the end of a job is over: fewer nodes are completing */
extern void learn_completed(void);
/* Forget what is out of date */
extern void learn_check(struct entry *entry);
extern void learn_forget(struct entry *entry);
/* All that is known of amounts: nodes or partitions have changed */
extern void learn_flush(void);
/* The entry goes on as another entry of the same job, which is booked anew: what was
 * known of that one is forgotten. */
extern void learn_move(struct entry *to, struct entry *from);

#endif /* COHORT_REQUEST_LEARN_H */
