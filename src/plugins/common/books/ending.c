/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ending.c - what a job still uses while its end goes on
 *
 *  Its nodes become free one after the other, as their epilogs end. CPUs, memory,
 *  GRES and nodes are charged as far as they are on nodes that are not free yet;
 *  what is on no node, licenses for example, until all of them are free.
 *
 *  slurmctld does not tell when a node or the last one of them is free: each walk
 *  looks, and so does a job that is submitted between two walks.
\*****************************************************************************/
#include "books/ending.h"

#include "request/charge.h"

/* Ids of jobs whose end went on when we last looked; some may be there twice. */
static struct {
	uint32_t *ids;
	size_t n, size;
} awaited;

struct ending {
	uint32_t nodes;			/* that it used when we last looked */
	size_t n;
	struct charge charges[];	/* on all its nodes */
};

/* How much is on nodes that are still in use, of how much on all of them. In any
 * unit. */
struct part {
	int64_t left, all;
};

static struct part _part_of(job_record_t *job_ptr, const struct resource *r)
{
	const job_resources_t *resrcs = job_ptr->job_resrcs;
	struct part part = { 0 };
	uint32_t host = 0;

	for (int64_t i = 0; (i < bit_size(resrcs->node_bitmap)) &&
	     (host < resrcs->nhosts); i++) {
		int64_t amount;

		if (!bit_test(resrcs->node_bitmap, i))
			continue;
		amount = allocated_on(job_ptr, r, host++);
		part.all += amount;
		if (bit_test(job_ptr->node_bitmap_cg, i))
			part.left += amount;
	}
	return part;
}

/* Rounded up: nothing is promised twice. */
static int64_t _left_of(int64_t amount, struct part part)
{
	if (!part.all || (part.left >= part.all))
		return amount;
	return (int64_t) (((__int128) amount * part.left + part.all - 1) /
			  part.all);
}

static bool _nodes_are_known(const job_record_t *job_ptr)
{
	const job_resources_t *resrcs = job_ptr->job_resrcs;

	return resrcs && resrcs->node_bitmap && job_ptr->node_bitmap_cg &&
		(bit_size(resrcs->node_bitmap) ==
		 bit_size(job_ptr->node_bitmap_cg));
}

static void _charge(struct job *job)
{
	const struct ending *ending = job->run->ending;
	struct charge *left = xcalloc(ending->n + 1, sizeof(*left));
	size_t n = 0;

	for (size_t i = 0; i < ending->n; i++) {
		struct charge charge = ending->charges[i];

		charge.amount = _left_of(charge.amount,
					 _part_of(job->job_ptr,
						  &ctld.resources[charge.resource]));
		if (charge.amount > 0)
			left[n++] = charge;
	}
	charge_set(job, left, n);
	xfree(left);
}

extern void ending_begin(struct job *job)
{
	const job_resources_t *resrcs = job->job_ptr->job_resrcs;
	const struct charge *charges;
	struct ending *ending;
	size_t n;

	if (run_of(job)->ending || !resrcs || (resrcs->nhosts < 2))
		return;
	charges = workload_charges(job->first.work, &n);
	ending = xcalloc(1, sizeof(*ending) + n * sizeof(*charges));
	ending->nodes = resrcs->nhosts;
	ending->n = n;
	if (n)
		memcpy(ending->charges, charges, n * sizeof(*charges));
	job_get_run(job)->ending = ending;
}

extern void ending_sync(struct job *job)
{
	struct ending *ending = run_of(job)->ending;
	uint32_t nodes;

	if (!ending || !_nodes_are_known(job->job_ptr))
		return;
	nodes = bit_set_count(job->job_ptr->node_bitmap_cg);
	if (!nodes || (nodes == ending->nodes))
		return;
	ending->nodes = nodes;
	_charge(job);
}

extern void ending_over(struct job *job)
{
	if (job->run)
		xfree(job->run->ending);
}

extern void ending_await(const struct job *job)
{
	if (awaited.n == awaited.size) {
		awaited.size = MAX(2 * awaited.size, 64);
		xrecalloc(awaited.ids, awaited.size, sizeof(*awaited.ids));
	}
	awaited.ids[awaited.n++] = job->job_id;
}

extern void ending_await_none(void)
{
	awaited.n = 0;
}

extern void ending_look(void (*look)(uint32_t job_id))
{
	size_t n = awaited.n;

	for (size_t i = 0; i < n; i++)
		look(awaited.ids[i]);
	/* those that are awaited again came behind */
	awaited.n -= n;
	if (awaited.n)
		memmove(awaited.ids, awaited.ids + n, awaited.n * sizeof(*awaited.ids));
}
