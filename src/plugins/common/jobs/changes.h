/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  changes.h - do the jobs that waited by the plan still wait?
 *
 *  The jobs that wait in line are in two lists. A settled one waits by the plan, and
 *  nothing but another plan can change that. All others are open: a pass looks at
 *  each of them in full.
\*****************************************************************************/
#ifndef COHORT_JOBS_CHANGES_H
#define COHORT_JOBS_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job;

/* In no order: the last one takes the place of one that leaves. */
struct job_list {
	struct job **first;	/* its first place, and how far it is from there to the */
	ptrdiff_t step;		/* next one: both lists are in one piece of memory */
	size_t n;
};

static inline struct job **job_list_at(const struct job_list *list, size_t i)
{
	return list->first + (ptrdiff_t) i * list->step;
}

extern const struct job_list *changes_settled(void), *changes_open(void);

/* The record was added, booked anew, is no longer marked, or its mark has come into
 * question without another plan: it was tried all the same. The job is open now. */
extern void changes_note(struct job *job);
/* The job was looked at in full, and is settled. */
extern void changes_settle(struct job *job);
/* Another plan has made it open, which is no change of the job. */
extern void changes_reopen(struct job *job);
/* The job does not wait in line, or is dropped: it is in neither list. */
extern void changes_forget(struct job *job);
/* All jobs are booked anew, or lists begin anew: both are empty, and are not to be gone
 * by before changes_listed(). */
extern void changes_forget_all(void);
/* From now on all jobs that wait are in the lists. */
extern void changes_listed(void);
extern bool changes_are_listed(void);
/* How many changes there were. Who waited by the plan still does if it stays the same
 * and no other plan was made. */
extern uint64_t changes_counted;	/* only for: */
static inline uint64_t changes_count(void)
{
	return changes_counted;
}

#endif /* COHORT_JOBS_CHANGES_H */
