/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  dump.h - what the state file holds, as text
\*****************************************************************************/
#ifndef COHORT_STATEFILE_DUMP_H
#define COHORT_STATEFILE_DUMP_H

#define STATE_VERSION 1

/* What is to be kept of all jobs, and the counters; xmalloc'd, under the job lock */
extern char *dump_state(void);

#endif /* COHORT_STATEFILE_DUMP_H */
