/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  marks.h - which jobs must wait in a pass
\*****************************************************************************/
#ifndef COHORT_HOOKS_MARKS_H
#define COHORT_HOOKS_MARKS_H

#include <stdbool.h>
#include <time.h>

struct entry;

struct marking {
	time_t now;
	bool news;	/* records or plan have changed: texts may have to change */
	bool sorting;	/* slurmctld's scheduler sorts its queue */
	bool testing;	/* a job is being tried */
	bool released;	/* out: a job may start that could not before */
	bool passed_over;	/* slurmctld has looked at one that may start, in vain */
};

/* Has a job come, gone or changed, or was another plan made, since all jobs were marked?
 * That happens between passes, too: where a job is submitted, or tried by an update. */
extern bool marks_are_outdated(void);
/* Marks every job that must wait preempt_in_progress, gives the others their
 * places in the order of the queue, and shows why jobs wait. Where nothing has
 * changed since the last call, a job that waits by the plan costs one look. */
extern void marks_set(struct marking *marking);
/* The entry had its chance to start, and found no nodes: others may go instead. One that
 * may start already stands where it stood, and is tried in the next pass as it was in
 * this one. So another pass is of use only if the plan lets somebody go who waits now,
 * and where nobody waits not even another plan is needed at once. */
extern void marks_let_others_go(const struct entry *entry);

#endif /* COHORT_HOOKS_MARKS_H */
