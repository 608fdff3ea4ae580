/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  revoke.h - an eviction that was decided, and that slurmctld did not carry out
\*****************************************************************************/
#ifndef COHORT_BOOKS_REVOKE_H
#define COHORT_BOOKS_REVOKE_H

#include "state/job.h"

/* As if it had never been: the victim goes on, and nothing is kept for the job it
 * was to go for, which evicts nobody for a while. Does nothing if the job is no
 * victim. */
extern void revoke_eviction(struct job *job);

#endif /* COHORT_BOOKS_REVOKE_H */
