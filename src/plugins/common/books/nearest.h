/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  nearest.h - which of the entries of a job to speak of
\*****************************************************************************/
#ifndef COHORT_BOOKS_NEAREST_H
#define COHORT_BOOKS_NEAREST_H

#include "state/job.h"

/* The entry to speak of: if this one is the first of its job, that of them
 * which is nearest to its start */
extern const struct entry *nearest_entry(const struct entry *entry);

#endif /* COHORT_BOOKS_NEAREST_H */
