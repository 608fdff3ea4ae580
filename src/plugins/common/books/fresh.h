/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  fresh.h - whom the present pass has started
\*****************************************************************************/
#ifndef COHORT_BOOKS_FRESH_H
#define COHORT_BOOKS_FRESH_H

#include "state/job.h"

/* It has started in the present pass, which may not evict it. */
extern void fresh_add(struct job *job);
/* Exempt until then for that reason, in ns; 0: it is not */
extern int64_t fresh_until(const struct job *job);
/* A job is tried: the pass goes on. */
extern void fresh_renew(void);
/* The pass is over. Has it started any? */
extern bool fresh_forget(void);

#endif /* COHORT_BOOKS_FRESH_H */
