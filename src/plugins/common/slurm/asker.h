/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asker.h - does a scheduler ask for nodes, or a user?
\*****************************************************************************/
#ifndef COHORT_SLURM_ASKER_H
#define COHORT_SLURM_ASKER_H

#include "compat/slurm_compat.h"

/* This thread has sorted the queue. */
extern void asker_sorted(void);
/* This thread makes the record of a job that a user submits or asks about. */
extern void asker_makes_job(void);
/* Is what slurmctld asks now about that job? It is true once only: for the
 * first question after asker_makes_job(). */
extern bool asker_took_submission(void);
/* Does a scheduler ask? Where no queue had two records yet, that is not known of
 * the main scheduler: false. */
extern bool asker_is_scheduler(void);
/* Does a user ask, and not a scheduler? */
extern bool asker_is_user(uint16_t mode);

#endif /* COHORT_SLURM_ASKER_H */
