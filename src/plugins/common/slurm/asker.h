/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asker.h - does a scheduler ask for nodes, or a user?
\*****************************************************************************/
#ifndef COHORT_SLURM_ASKER_H
#define COHORT_SLURM_ASKER_H

#include "compat/slurm_compat.h"

/* This thread has sorted the queue. */
extern void asker_sorted(void);
/* Does a scheduler ask? Where no queue had two records yet, that is not known of
 * the main scheduler: false. */
extern bool asker_is_scheduler(void);
/* Does a user ask, and not a scheduler? */
extern bool asker_is_user(uint16_t mode);

#endif /* COHORT_SLURM_ASKER_H */
