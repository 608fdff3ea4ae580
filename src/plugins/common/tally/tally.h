/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  tally.h - starts and evictions are counted
\*****************************************************************************/
#ifndef COHORT_TALLY_TALLY_H
#define COHORT_TALLY_TALLY_H

#include "state/job.h"

/* The job has started, and is in the books. */
extern void tally_start(const struct job *job);
/* The run of the job ends as it was evicted: that is counted, and becomes an
 * event. Its charges are still in the books. */
extern void tally_eviction(struct job *job);

#endif /* COHORT_TALLY_TALLY_H */
