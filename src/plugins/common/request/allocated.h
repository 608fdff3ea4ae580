/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  allocated.h - what a job got, or is about to get
\*****************************************************************************/
#ifndef COHORT_REQUEST_ALLOCATED_H
#define COHORT_REQUEST_ALLOCATED_H

#include "compat/slurm_compat.h"

/* What a job got (`selected`: before job_begin) */
extern void allocated_of(job_record_t *job_ptr, bool selected,
			 int64_t *amounts);

#endif /* COHORT_REQUEST_ALLOCATED_H */
