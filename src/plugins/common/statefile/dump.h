/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  dump.h - the contents of the state file, as text
\*****************************************************************************/
#ifndef COHORT_STATEFILE_DUMP_H
#define COHORT_STATEFILE_DUMP_H

#define STATE_VERSION 1

/* What the state file keeps of all jobs, and the counters; xmalloc'd, under the
 * job lock */
extern char *dump_state(void);

#endif /* COHORT_STATEFILE_DUMP_H */
