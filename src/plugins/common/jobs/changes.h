/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  changes.h - do the jobs that waited by the plan still wait?
\*****************************************************************************/
#ifndef COHORT_JOBS_CHANGES_H
#define COHORT_JOBS_CHANGES_H

#include <stdint.h>

/* A record was added or dropped, booked anew, is no longer marked, or its mark has come into
 * question without another plan: it was tried all the same. */
extern void changes_note(void);
/* How many there were. Who waited by the plan still does if it stays the same
 * and no other plan was made. */
extern uint64_t changes_count(void);

#endif /* COHORT_JOBS_CHANGES_H */
