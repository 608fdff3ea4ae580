/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  loss.h - what is lost when a running job goes
\*****************************************************************************/
#ifndef COHORT_REQUEST_LOSS_H
#define COHORT_REQUEST_LOSS_H

#include "state/state.h"

#include "clearing/clearing.h"

/* Seconds of this run, the one that has begun included, times what the job has:
 * CPUs, or the sum of its resources by lossWeights of cohort.yaml; then CPU time is
 * what breaks ties. No level, no shares. The rule is section 10 of
 * doc/how-it-decides.md. */
extern struct clearing_item loss_of(job_record_t *job_ptr, time_t now);

#endif /* COHORT_REQUEST_LOSS_H */
