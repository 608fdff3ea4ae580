/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  request.h - what a waiting job asks for
\*****************************************************************************/
#ifndef COHORT_REQUEST_REQUEST_H
#define COHORT_REQUEST_REQUEST_H

#include "state/job.h"

/* How many nodes "[a*1&b*2]" adds up to, 0 if it has no counts */
extern uint32_t request_counted(compat_list_t features);
/* What a waiting job (one task of an array) asks for on nodes of a flavor, or
 * SPEC_NONE: fills amounts[nresources] with totals for its smallest
 * allocation. entry may be NULL. */
extern void request_of(job_record_t *job_ptr, const struct entry *entry,
		       int flavor, int64_t *amounts);

#endif /* COHORT_REQUEST_REQUEST_H */
