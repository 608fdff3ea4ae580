/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asker.h - who asks for nodes: a scheduler, or a user?
\*****************************************************************************/
#ifndef COHORT_HOOKS_ASKER_H
#define COHORT_HOOKS_ASKER_H

#include "compat/slurm_compat.h"

/* The queue was sorted in this thread. */
extern void asker_sorted(void);
/* Is it a user who wants to know, not a scheduler? */
extern bool asker_is_user(uint16_t mode);

#endif /* COHORT_HOOKS_ASKER_H */
