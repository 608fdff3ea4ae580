/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  nearest.h - which entry of a job users are told about
\*****************************************************************************/
#ifndef COHORT_RECORD_NEAREST_H
#define COHORT_RECORD_NEAREST_H

#include "state/job.h"

/* The entry that users are told about: if this entry is the first of its job,
 * the entry of the job that is nearest to its start */
extern const struct entry *nearest_entry(const struct entry *entry);

#endif /* COHORT_RECORD_NEAREST_H */
