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

/* ---- what it still uses ---- */

/* What is left of an amount: the part that is on nodes that are still in use, of what is on all
 * of them. Rounded up: nothing is promised twice. */
static int64_t _left_of(int64_t amount, job_record_t *job_ptr, const struct resource *r)
{
	int64_t left = 0, all = 0;
	node_record_t *node_ptr;
	uint32_t host = 0;

	for_each_node_in(node_ptr, job_ptr->job_resrcs->node_bitmap) {
		int64_t there = allocated_on(job_ptr, r, host++);

		all += there;
		if (bit_test(job_ptr->node_bitmap_cg, node_ptr->index))
			left += there;
	}
	if (left == all)
		return amount;
	return (int64_t) (((__int128) amount * left + all - 1) / all);
}

/* Are some of its nodes free, and others not? */
static bool _is_free_in_part(const job_record_t *job_ptr)
{
	const job_resources_t *resrcs = job_ptr->job_resrcs;
	uint32_t nodes;

	if (!resrcs || !resrcs->node_bitmap || !job_ptr->node_bitmap_cg ||
	    (bit_size(resrcs->node_bitmap) != bit_size(job_ptr->node_bitmap_cg)))
		return false;
	nodes = bit_set_count(job_ptr->node_bitmap_cg);
	return nodes && (nodes < resrcs->nhosts);
}

static bool _is_charged(const struct job *job, const struct charge *charges, size_t n)
{
	size_t nbefore;
	const struct charge *before = workload_charges(job->first.work, &nbefore);

	return (n == nbefore) && (!n || !memcmp(before, charges, n * sizeof(*charges)));
}

extern void ending_sync(struct job *job)
{
	size_t nresources = ctld.conf->spec->nresources, n;
	struct charge *charges;
	int64_t *amounts;

	if (!_is_free_in_part(job->job_ptr))
		return;
	amounts = xcalloc(nresources + 1, sizeof(*amounts));
	charges = xcalloc(nresources + 1, sizeof(*charges));
	allocated_of(job->job_ptr, NULL, amounts);
	for (size_t i = 0; i < nresources; i++)
		amounts[i] = _left_of(amounts[i], job->job_ptr, &ctld.resources[i]);
	n = charge_list(entry_get_flavors(&job->first), amounts, charges);
	if (!_is_charged(job, charges, n))
		charge_set(job, charges, n);
	xfree(amounts);
	xfree(charges);
}

/* ---- who is to be looked at ---- */

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
