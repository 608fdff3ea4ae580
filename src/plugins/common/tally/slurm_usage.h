/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  slurm_usage.h - local queues go by the usage that Slurm keeps
 *
 *  admissionFairSharing.usageFrom: slurm. All functions under the job lock.
\*****************************************************************************/
#ifndef COHORT_TALLY_SLURM_USAGE_H
#define COHORT_TALLY_SLURM_USAGE_H

#include "compat/slurm_compat.h"

struct conf;

/* The half-life is Slurm's, if it has one. Before the engine is made */
extern void slurm_usage_take_half_life(struct conf *conf);
/* Before a plan: what Slurm has counted since the last call is the engine's from
 * now on. Looks at all associations once in a minute, or when there is a new
 * local queue; does nothing with another usageFrom. */
extern void slurm_usage_look(time_t now);
/* There is a new engine. */
extern void slurm_usage_forget(void);

#endif /* COHORT_TALLY_SLURM_USAGE_H */
