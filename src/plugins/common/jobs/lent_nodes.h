/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  lent_nodes.h - on which nodes jobs borrow, and on which jobs are within quota
\*****************************************************************************/
#ifndef COHORT_JOBS_LENT_NODES_H
#define COHORT_JOBS_LENT_NODES_H

#include "state/job.h"

struct lent_nodes {
	bitstr_t *borrowed;	/* with a job that borrows */
	bitstr_t *owned;		/* with a job within its quota */
	bitstr_t *owned_by_two;		/* with two such jobs, or more */
};

/* The job has been charged: does it borrow? Not, from the moment on at which its
 * queue is within nominal quota again. */
extern void lent_note_charge(struct job *job);
/* As of the first call in a pass of the scheduler, with what lent_add() told since.
 * Ours, until the next call. */
extern struct lent_nodes lent_nodes(void);
/* A job is to start there. */
extern void lent_add(bitstr_t *nodes, bool borrows);
/* The node table changes, or the books are begun anew. */
extern void lent_flush(void);

#endif /* COHORT_JOBS_LENT_NODES_H */
