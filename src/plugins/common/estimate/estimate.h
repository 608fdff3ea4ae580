/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  estimate.h - when waiting jobs will start, for squeue --start
\*****************************************************************************/
#ifndef COHORT_ESTIMATE_ESTIMATE_H
#define COHORT_ESTIMATE_ESTIMATE_H

#include "state/job.h"

extern void estimate_start(void);
/* Something has changed: look ahead once more. */
extern void estimate_due(void);
/* A job that waits by the plan shows what is known of it; one that does not
 * any more shows what Slurm says; one that is out of line shows nothing. */
extern void estimate_show(struct job *job);
extern void estimate_released(struct job *job);
extern void estimate_clear(struct job *job);

#endif /* COHORT_ESTIMATE_ESTIMATE_H */
