/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  layout.h - do the headers that we were built with fit this slurmctld?
\*****************************************************************************/
#ifndef COHORT_SLURM_LAYOUT_H
#define COHORT_SLURM_LAYOUT_H

#include "compat/slurm_compat.h"

/* Do our headers fit this slurmctld? If not, ctld.broken is set, with an error
 * in the log. Call it before the settings are read, before partitions and nodes
 * are read, and by the first job record. */
extern void layout_check_start(void);
extern void layout_check_tables(void);
extern void layout_check_job(job_record_t *job_ptr);

#endif /* COHORT_SLURM_LAYOUT_H */
