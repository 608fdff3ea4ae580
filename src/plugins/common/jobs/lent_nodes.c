/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  lent_nodes.c - on which nodes jobs borrow, and on which jobs are within quota
 *
 *  Of a queue that is over its nominal quota the jobs borrow that were charged
 *  when it was: the newest ones, as those are evicted first. Jobs outside all
 *  cluster queues are neither.
\*****************************************************************************/
#include "jobs/lent_nodes.h"

#include "query.h"
#include "state/job.h"
#include "slurm/passes.h"
#include "jobs/jobs.h"

static struct lent_nodes lent;
static uint64_t lent_pass;		/* in which they were made; 0: none */

static bool _queue_borrows(const struct job *job)
{
	const int *flavors = job->first.flavors;
	int queue = workload_queue(job->first.work);

	for (size_t i = 0; flavors && (i < ctld.conf->spec->nresources); i++) {
		if ((flavors[i] >= 0) && engine_borrows(ctld.engine, queue, flavors[i], i))
			return true;
	}
	return false;
}

extern void lent_note_charge(struct job *job)
{
	job_get_run(job)->borrows = _queue_borrows(job);
}

extern void lent_flush(void)
{
	FREE_NULL_BITMAP(lent.borrowed);
	FREE_NULL_BITMAP(lent.owned);
	FREE_NULL_BITMAP(lent.owned_by_two);
	lent_pass = 0;
}

static void _note(bitstr_t *nodes, bool borrows)
{
	bitstr_t *again;

	if (borrows) {
		bit_or(lent.borrowed, nodes);
		return;
	}
	if (bit_overlap_any(lent.owned, nodes)) {
		again = bit_copy(nodes);
		bit_and(again, lent.owned);
		bit_or(lent.owned_by_two, again);
		FREE_NULL_BITMAP(again);
	}
	bit_or(lent.owned, nodes);
}

/* A job borrows no more where its queue is within nominal quota again. */
static void _note_job(struct job *job, void *arg UNUSED)
{
	job_record_t *job_ptr = job_runs(job) ? jobs_record(job) : NULL;

	if (!job_ptr || !job_ptr->node_bitmap)
		return;
	if (run_of(job)->borrows)
		job->run->borrows = _queue_borrows(job);
	_note(job_ptr->node_bitmap, run_of(job)->borrows);
}

extern struct lent_nodes lent_nodes(void)
{
	if (lent_pass != pass_begun()) {
		lent_flush();
		lent_pass = pass_begun();
		lent.borrowed = bit_alloc(node_record_count);
		lent.owned = bit_alloc(node_record_count);
		lent.owned_by_two = bit_alloc(node_record_count);
		jobs_each(_note_job, NULL);
	}
	return lent;
}

extern void lent_add(bitstr_t *nodes, bool borrows)
{
	if (lent_pass)
		_note(nodes, borrows);
}
