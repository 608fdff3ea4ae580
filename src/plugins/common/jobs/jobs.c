/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  jobs.c - our record of each job, by job id
 *
 *  A chained hash, with a place for each job that slurmctld may have. Slurm's job
 *  ids are dense, so the id itself is the hash.
\*****************************************************************************/
#include "jobs/jobs.h"

#include "slurm/waker.h"
#include "match/queue_of_job.h"
#include "record/comment.h"
#include "jobs/chance.h"
#include "query.h"

static struct {
	struct job **buckets;
	uint32_t size;		/* a power of two */
} table;

static struct job **_bucket(uint32_t job_id)
{
	return &table.buckets[job_id & (table.size - 1)];
}

/* MaxJobCount changes only when slurmctld starts anew. */
static void _open(void)
{
	table.size = 1024;
	while (table.size < MIN(slurm_conf.max_job_cnt, 1U << 24))
		table.size *= 2;
	table.buckets = xcalloc(table.size, sizeof(struct job *));
}

extern struct job *jobs_find(uint32_t job_id)
{
	struct job *job;

	if (!ctld.njobs)
		return NULL;
	for (job = *_bucket(job_id); job; job = job->next) {
		if (job->job_id == job_id)
			return job;
	}
	return NULL;
}

static struct job *_add(job_record_t *job_ptr)
{
	struct evictions evictions = comment_evictions(job_ptr);
	struct job *job = xmalloc(sizeof(*job)), **to;

	job->job_id = job_ptr->job_id;
	job->new_at = waker_turns();
	job->first.job = job;
	job->first.queue = SPEC_NONE;
	if (job_ptr->details)
		job->order_at = job_time(job_ptr->details->submit_time);
	if (evictions.count || evictions.turns) {
		job_keep(job);
		job->run->evictions = evictions;
	}
	if (!table.size)
		_open();
	to = _bucket(job->job_id);
	job->next = *to;
	*to = job;
	ctld.njobs++;
	ctld.changes++;
	return job;
}

extern struct job *jobs_get(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job)
		job = _add(job_ptr);
	job->job_ptr = job_ptr;
	return job;
}

extern job_record_t *jobs_record(const struct job *job)
{
	job_record_t *job_ptr = find_job_record(job->job_id);

	return job_ptr == job->job_ptr ? job_ptr : NULL;
}

extern void jobs_set_alone(struct job *job, bool alone)
{
	ctld.nalone += alone - job->alone;
	job->alone = alone;
}

extern void jobs_unmark(struct job *job)
{
	ctld.changes++;
	job->marked = false;
}

extern bool job_queue_borrows(const struct job *job)
{
	const int *flavors = job->first.flavors;
	int queue = workload_queue(job->first.work);

	for (size_t i = 0; flavors && (i < ctld.conf->spec->nresources); i++) {
		if ((flavors[i] >= 0) && engine_borrows(ctld.engine, queue, flavors[i], i))
			return true;
	}
	return false;
}

/* ---- entries ---- */

extern struct entry *jobs_add_entry(struct job *job)
{
	struct entry *entry = xmalloc(sizeof(*entry));

	entry->job = job;
	entry->queue = SPEC_NONE;
	if (!job->first.next)
		job->estimate_queue = job->first.queue;
	entry->next = job->first.next;
	job->first.next = entry;
	return entry;
}

static void _empty(struct entry *entry)
{
	jobs_set_own(entry, 0);
	local_queue_release(entry);
	xfree(entry->flavors);
	entry_forget_lessons(entry);
}

extern void jobs_drop_entry(struct entry *entry)
{
	struct entry *before = &entry->job->first;

	while (before->next != entry)
		before = before->next;
	before->next = entry->next;
	_empty(entry);
	xfree(entry);
}

static void _empty_all(struct job *job)
{
	while (job->first.next)
		jobs_drop_entry(job->first.next);
	xfree(job->vias);
	_empty(&job->first);
	jobs_set_alone(job, false);
}

/* ---- removal ---- */

extern void jobs_drop(struct job *job)
{
	struct job **at = _bucket(job->job_id);

	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	ctld.njobs--;
	ctld.changes++;
	_empty_all(job);
	job_forget_het_test(job);
	job_forget_run(job);
	xfree(job);
}

/* f may drop the record it is called with */
extern void jobs_each(void (*f)(struct job *job, void *arg), void *arg)
{
	for (uint32_t i = 0; i < table.size; i++) {
		struct job *job = table.buckets[i];

		while (job) {
			struct job *next = job->next;

			f(job, arg);
			job = next;
		}
	}
}

static void _drop(struct job *job, void *arg UNUSED)
{
	jobs_drop(job);
}

extern void jobs_clear(void)
{
	jobs_each(_drop, NULL);
}

static void _unbook(struct job *job, void *arg UNUSED)
{
	_empty_all(job);
	job->outside = false;
	job->fingerprint = 0;
	job->first.work = NULL;
	job->first.queue = SPEC_NONE;
	job->first.observed = 0;
	chance_reset(job);
}

extern void jobs_unbook(void)
{
	ctld.changes++;
	jobs_each(_unbook, NULL);
}
