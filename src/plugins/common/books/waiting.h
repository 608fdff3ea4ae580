/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waiting.h - jobs that wait, and in which cluster queues
\*****************************************************************************/
#ifndef COHORT_BOOKS_WAITING_H
#define COHORT_BOOKS_WAITING_H

#include "state/job.h"

/* A waiting job has come, or may have changed. */
extern void waiting_sync(struct job *job);

#endif /* COHORT_BOOKS_WAITING_H */
