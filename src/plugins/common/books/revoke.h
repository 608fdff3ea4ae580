/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  revoke.h - an eviction that was decided, and that slurmctld did not carry out
\*****************************************************************************/
#ifndef COHORT_BOOKS_REVOKE_H
#define COHORT_BOOKS_REVOKE_H

#include "state/job.h"

/* Undo the eviction: the victim runs on, and nothing is kept for the preemptor,
 * which evicts no job for a while. Does nothing if the job is no victim. */
extern void revoke_eviction(struct job *job);

#endif /* COHORT_BOOKS_REVOKE_H */
