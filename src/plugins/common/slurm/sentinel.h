/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sentinel.h - the flag by which the start of a pass is seen
\*****************************************************************************/
#ifndef COHORT_SLURM_SENTINEL_H
#define COHORT_SLURM_SENTINEL_H

#include "compat/slurm_compat.h"

/* After all marks are set: by whose flag the next pass is seen. It is the first
 * job for which f says that its flag may be set. */
extern void sentinel_choose(bool (*f)(const job_record_t *job_ptr));
/* A job that starts will do where there was none. */
extern void sentinel_offer(job_record_t *job_ptr);
/* Has slurmctld cleared it? */
extern bool sentinel_is_cleared(void);
/* What comes next is another pass, if there is no sentinel. */
extern void sentinel_expire(void);

#endif /* COHORT_SLURM_SENTINEL_H */
