/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asker.h - does a scheduler ask for nodes, or a user?
\*****************************************************************************/
#ifndef COHORT_SLURM_ASKER_H
#define COHORT_SLURM_ASKER_H

#include "compat/slurm_compat.h"

/* What is known of a thread. Noted for each comparison of a sort: it must not cost a call
 * of the dynamic linker. The C library keeps room for the few bytes of libraries that are
 * opened later. */
struct asker {
	bool sorts;			/* it has sorted the queue: it is a scheduler's */
	bool makes_job;			/* the record of a job that is submitted */
	uint32_t submitted;		/* how many jobs were, until then */
};
extern __thread struct asker asker __attribute__((tls_model("initial-exec")));

/* This thread has sorted the queue. */
static inline void asker_sorted(void)
{
	asker.sorts = true;
	asker.makes_job = false;
}

/* This thread makes the record of a job that a user submits or asks about. */
extern void asker_makes_job(void);
/* Is what slurmctld asks now about that job? It is true once only: for the
 * first question after asker_makes_job(). */
extern bool asker_took_submission(void);
/* Does a scheduler ask? Where no queue had two records yet, that is not known of
 * the main scheduler: false. */
extern bool asker_is_scheduler(void);
/* Does a user ask, and not a scheduler? */
extern bool asker_is_user(uint16_t mode);

#endif /* COHORT_SLURM_ASKER_H */
