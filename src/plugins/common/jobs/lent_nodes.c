/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  lent_nodes.c - on which nodes jobs borrow, and on which jobs are within quota
 *
 *  Of a queue that is over its nominal quota the jobs borrow that were charged
 *  when it was: the newest ones, as those are evicted first. Jobs outside all
 *  cluster queues are neither.
 *
 *  How many jobs of each kind a node has is counted as jobs are charged and
 *  released, and not found out anew in each pass.
\*****************************************************************************/
#include "jobs/lent_nodes.h"

#include "query.h"
#include "state/job.h"
#include "slurm/passes.h"
#include "jobs/jobs.h"

/* A running job that is counted: on which nodes */
struct member {
	struct job *job;
	bool borrows;
	int *nodes;
	int nnodes;
};

static struct {
	bitstr_t *borrowed, *owned, *owned_by_two;
	bitstr_t *again;		/* of _note() alone */
	uint64_t pass;			/* in which they were made; 0: none */
} lent;

static struct {
	bool known;			/* all running jobs are members */
	uint32_t *borrowers, *owners;	/* by node */
	int nnodes;
	struct member *members;		/* run->lent is the place in it + 1 */
	size_t n, size;
	uint32_t *charged;		/* ids of jobs charged since the last look */
	size_t ncharged, charged_size;
} counts;

extern bool lent_borrows(int queue, int flavor, int resource)
{
	return engine_borrows(ctld.engine, queue, flavor, resource);
}

static bool _queue_borrows(const struct job *job)
{
	const int *flavors = parts_of(&job->first)->flavors;
	int queue = workload_queue(job->first.work);

	for (size_t i = 0; flavors && (i < ctld.conf->spec->nresources); i++) {
		if ((flavors[i] >= 0) && lent_borrows(queue, flavors[i], i))
			return true;
	}
	return false;
}

/* ---- counts ---- */

static void _count(const struct member *member, int by)
{
	uint32_t *of = member->borrows ? counts.borrowers : counts.owners;

	for (int i = 0; i < member->nnodes; i++)
		of[member->nodes[i]] += by;
}

static void _take_out(struct job *job)
{
	struct member *member = &counts.members[job_run(job)->lent - 1];

	_count(member, -1);
	xfree(member->nodes);
	*member = counts.members[--counts.n];
	job_run(member->job)->lent = job_run(job)->lent;
	job_run(job)->lent = 0;
}

static void _find_nodes(struct member *member, bitstr_t *nodes)
{
	int64_t last = MIN(bit_fls(nodes), counts.nnodes - 1);

	member->nodes = xcalloc(bit_set_count(nodes) + 1, sizeof(*member->nodes));
	for (int64_t i = MAX(bit_ffs(nodes), 0); i <= last; i++) {
		if (bit_test(nodes, i))
			member->nodes[member->nnodes++] = i;
	}
}

static void _put_in(struct job *job, void *arg UNUSED)
{
	job_record_t *job_ptr = job_runs(job) ? jobs_record(job) : NULL;
	struct member *member;

	if (run_of(job)->lent)
		_take_out(job);
	if (!job_ptr || !job_ptr->node_bitmap)
		return;
	if (counts.n == counts.size) {
		counts.size = MAX(2 * counts.size, 256);
		xrecalloc(counts.members, counts.size, sizeof(*counts.members));
	}
	member = &counts.members[counts.n++];
	*member = (struct member) { .job = job, .borrows = run_of(job)->borrows };
	_find_nodes(member, job_ptr->node_bitmap);
	job_get_run(job)->lent = counts.n;
	_count(member, 1);
}

static void _forget_counts(void)
{
	for (size_t i = 0; i < counts.n; i++) {
		job_run(counts.members[i].job)->lent = 0;
		xfree(counts.members[i].nodes);
	}
	counts.n = counts.ncharged = 0;
	xfree(counts.borrowers);
	xfree(counts.owners);
	counts.known = false;
}

/* So many charges are kept until the next look. Where nobody looks for long, all are
 * counted anew then. */
#define MAX_CHARGED 65536

extern void lent_note_charge(struct job *job)
{
	job_get_run(job)->borrows = _queue_borrows(job);
	if (!counts.known)
		return;
	if (counts.ncharged == MAX_CHARGED) {
		_forget_counts();
		return;
	}
	if (counts.ncharged == counts.charged_size) {
		counts.charged_size = MAX(2 * counts.charged_size, 256);
		xrecalloc(counts.charged, counts.charged_size,
			  sizeof(*counts.charged));
	}
	counts.charged[counts.ncharged++] = job->job_id;
}

extern void lent_note_release(struct job *job)
{
	if (run_of(job)->lent)
		_take_out(job);
}

static void _count_all(void)
{
	counts.nnodes = node_record_count;
	counts.borrowers = xcalloc(counts.nnodes + 1, sizeof(uint32_t));
	counts.owners = xcalloc(counts.nnodes + 1, sizeof(uint32_t));
	jobs_each(_put_in, NULL);
	counts.known = true;
}

static void _count_charged(void)
{
	for (size_t i = 0; i < counts.ncharged; i++) {
		struct job *job = jobs_find(counts.charged[i]);

		if (job)
			_put_in(job, NULL);
	}
	counts.ncharged = 0;
}

/* A job borrows no more where its queue is within nominal quota again. */
static void _renew_borrowers(void)
{
	for (size_t i = 0; i < counts.n; i++) {
		struct member *member = &counts.members[i];

		if (!member->borrows || _queue_borrows(member->job))
			continue;
		_count(member, -1);
		member->borrows = job_run(member->job)->borrows = false;
		_count(member, 1);
	}
}

/* ---- nodes ---- */

static void _flush_nodes(void)
{
	FREE_NULL_BITMAP(lent.borrowed);
	FREE_NULL_BITMAP(lent.owned);
	FREE_NULL_BITMAP(lent.owned_by_two);
	FREE_NULL_BITMAP(lent.again);
	lent.pass = 0;
}

extern void lent_flush(void)
{
	_flush_nodes();
	_forget_counts();
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

static void _make_nodes(void)
{
	lent.borrowed = bit_alloc(counts.nnodes);
	lent.owned = bit_alloc(counts.nnodes);
	lent.owned_by_two = bit_alloc(counts.nnodes);
	lent.again = bit_alloc(counts.nnodes);
	for (int i = 0; i < counts.nnodes; i++) {
		if (counts.borrowers[i])
			bit_set(lent.borrowed, i);
		if (counts.owners[i])
			bit_set(lent.owned, i);
		if (counts.owners[i] > 1)
			bit_set(lent.owned_by_two, i);
	}
}

extern struct lent_nodes lent_nodes(void)
{
	if (lent.pass != pass_begun()) {
		_flush_nodes();
		lent.pass = pass_begun();
		if (counts.nnodes != node_record_count)
			_forget_counts();
		if (!counts.known)
			_count_all();
		_count_charged();
		_renew_borrowers();
		_make_nodes();
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
