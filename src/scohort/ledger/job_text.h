/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_text.h - what a job asks for, in short
 */
#ifndef SCOHORT_JOB_TEXT_H
#define SCOHORT_JOB_TEXT_H

#include "ledger/published.h"
#include "slurm/job_views.h"

/* What a job asks for: TRES, without parts that tell nothing. Cut to size;
 * returns buf. */
char *request_text(const struct view *v, char *buf, size_t size);

/* The job's class, as `priority` in cohort.yaml has it: its priority, QOS or
 * partition. Returns buf. */
char *class_text(const struct published *p, const struct view *v, char *buf,
		 size_t size);

#endif /* SCOHORT_JOB_TEXT_H */
