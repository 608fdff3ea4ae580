/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  learn.h - what selecting nodes for a job has taught
\*****************************************************************************/
#ifndef COHORT_REQUEST_LEARN_H
#define COHORT_REQUEST_LEARN_H

#include "state/job.h"

/* The job was offered so much, with these flavors, and that was more than quota
 * allows. True if that is news. */
extern bool learn_amounts(struct entry *entry, const int *flavors,
			  const int64_t *amounts);
/* Raise amounts to what is known of the job in this flavor */
extern void learn_apply(const struct entry *entry, int flavor,
			int64_t *amounts);
/* A try found no nodes in this flavor: its nodes are taken, until nodes are
 * released (but for two seconds at least), or for a minute. */
extern void learn_taken(struct entry *entry, int flavor);
extern bool learn_is_taken(const struct entry *entry, int flavor);
/* Does the job go on to flavors that are not taken? Else it waits for any of them,
 * as if none was known to be taken. True if that is news: its demand is made
 * anew. */
extern bool learn_goes_on(struct entry *entry, bool goes_on);
/* It went on, and the plan had nothing for it there. */
extern bool learn_went_on_in_vain(const struct entry *entry);
/* All of them may be tried again. */
extern void learn_forget_taken(struct entry *entry);
/* When what is known of taken flavors may be out of date, or 0 */
extern time_t learn_due(const struct entry *entry);
/* Nodes were released: other nodes may be cheaper */
extern void learn_released(void);
/* How many times that was so, and never 0 */
extern uint64_t learn_releases(void);
/* Count a release if the end of a job is over: fewer nodes are completing */
extern void learn_completed(void);
/* Forget what is out of date */
extern void learn_check(struct entry *entry);
extern void learn_forget(struct entry *entry);
/* The entry goes on as another entry of the same job: what is known of its amounts
 * goes along, and what was known of that one is forgotten. */
extern void learn_move(struct entry *to, struct entry *from);

#endif /* COHORT_REQUEST_LEARN_H */
