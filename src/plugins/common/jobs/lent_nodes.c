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

static struct {
	bitstr_t *borrowed, *owned, *owned_by_two;
	bitstr_t *again;		/* of _note() alone */
	uint64_t pass;			/* in which they were made; 0: none */
} lent;

extern bool lent_borrows(int queue, int flavor, int resource)
{
	struct ledger l;

	return !engine_ledger(ctld.engine, false, queue, flavor, resource, &l) &&
		(l.borrowed > 0);
}

static bool _queue_borrows(const struct job *job)
{
	const int *flavors = job->first.flavors;
	int queue = workload_queue(job->first.work);

	for (size_t i = 0; flavors && (i < ctld.conf->spec->nresources); i++) {
		if ((flavors[i] >= 0) && lent_borrows(queue, flavors[i], i))
			return true;
	}
	return false;
}

extern void lent_note_charge(struct job *job)
{
	job->borrows = _queue_borrows(job);
}

extern void lent_flush(void)
{
	FREE_NULL_BITMAP(lent.borrowed);
	FREE_NULL_BITMAP(lent.owned);
	FREE_NULL_BITMAP(lent.owned_by_two);
	FREE_NULL_BITMAP(lent.again);
	lent.pass = 0;
}

static void _note(bitstr_t *nodes, bool borrows)
{
	if (borrows) {
		bit_or(lent.borrowed, nodes);
		return;
	}
	if (bit_overlap_any(lent.owned, nodes)) {
		bit_copybits(lent.again, nodes);
		bit_and(lent.again, lent.owned);
		bit_or(lent.owned_by_two, lent.again);
	}
	bit_or(lent.owned, nodes);
}

static void _see(struct job *job, void *arg UNUSED)
{
	job_record_t *job_ptr = job_runs(job) ? jobs_record(job) : NULL;

	if (!job_ptr || !job_ptr->node_bitmap)
		return;
	if (job->borrows)
		job->borrows = _queue_borrows(job);
	_note(job_ptr->node_bitmap, job->borrows);
}

extern struct lent_nodes lent_nodes(void)
{
	if (lent.pass != pass_begun()) {
		lent_flush();
		lent.pass = pass_begun();
		lent.borrowed = bit_alloc(node_record_count);
		lent.owned = bit_alloc(node_record_count);
		lent.owned_by_two = bit_alloc(node_record_count);
		lent.again = bit_alloc(node_record_count);
		jobs_each(_see, NULL);
	}
	return (struct lent_nodes) {
		lent.borrowed, lent.owned, lent.owned_by_two,
	};
}

extern void lent_add(bitstr_t *nodes, bool borrows)
{
	if (lent.pass)
		_note(nodes, borrows);
}
