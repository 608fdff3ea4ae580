/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  jobs.c - our record of each job, by job id, and what it owns
 *
 *  A chained hash, with a place for each job that slurmctld may have. Slurm's job
 *  ids are dense, so the id itself is the hash. Walks go through a list: there may be
 *  far fewer jobs than places.
\*****************************************************************************/
#include <json-c/json.h>

#include "jobs/jobs.h"

#include "slurm/worker.h"
#include "match/match.h"
#include "record/record.h"
#include "query.h"

static struct {
	struct job **buckets;
	uint32_t size;		/* a power of two */
	struct job *first, *last;	/* of all jobs, the oldest first */
} table;

static struct job **_bucket(uint32_t job_id)
{
	return &table.buckets[job_id & (table.size - 1)];
}

/* Chains of a few jobs cost nothing. */
#define MOST_PLACES (1U << 18)

/* MaxJobCount changes only when slurmctld starts anew. */
static void _open(void)
{
	table.size = 1024;
	while (table.size < MIN(slurm_conf.max_job_cnt, MOST_PLACES))
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
	struct evictions evictions = eviction_counts(job_ptr);
	struct job *job = xmalloc(sizeof(*job)), **to;

	job->job_id = job_ptr->job_id;
	job->new_at = ctld.turns;
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
	job->older = table.last;
	*(job->older ? &job->older->newer : &table.first) = job;
	table.last = job;
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
	const struct workload *w = job->first.work;
	const struct charge *charges;
	size_t n;

	charges = workload_charges(w, &n);
	for (size_t i = 0; i < n; i++) {
		if (engine_borrows(ctld.engine, workload_queue(w), charges[i].flavor,
				   charges[i].resource))
			return true;
	}
	return false;
}

/* ---- what was freed by eviction for a job ---- */

/* A preemptor owns that until it starts or its time is over: quota in the engine's books, and
 * here the nodes that were selected for it. They are kept from all other managed jobs, whatever
 * their PriorityTier: otherwise another job would take them, and the preemptor would have to
 * evict again. Jobs outside all queues are Slurm's and are not held off. */
static struct {
	struct entry **entries;		/* that own what was freed, in no order */
	size_t n, size;
	uint64_t look;			/* the last look at victims that leave */
} hold;

extern void hold_flush(void)
{
	for (size_t i = 0; i < hold.n; i++)
		FREE_NULL_BITMAP(hold.entries[i]->cleared);
}

static void _list(struct entry *entry)
{
	grow_list(hold.entries, hold.n, hold.size);
	hold.entries[hold.n++] = entry;
}

static void _unlist(const struct entry *entry)
{
	size_t i = 0;

	while (hold.entries[i] != entry)
		i++;
	hold.entries[i] = hold.entries[--hold.n];
}

extern void jobs_save(struct job *job)
{
	if (run_of(job)->keep)
		return;
	job_keep(job);
	saver_save();
}

extern void jobs_set_own(struct entry *entry, time_t until)
{
	uint32_t own_until = job_time(until);

	if (entry->own_until != own_until)
		saver_save();
	if (own_until && !entry->own_until)
		_list(entry);
	else if (!own_until && entry->own_until)
		_unlist(entry);
	entry->own_until = own_until;
	if (own_until)
		job_keep(entry->job);
	else
		FREE_NULL_BITMAP(entry->cleared);
}

/* A victim of this job is still on its way out. */
static void _await_victim(struct job *preemptor)
{
	for_each_entry(e, preemptor)
		e->victims_leave = hold.look;
}

static void _look_at_victim(struct job *victim, void *arg UNUSED)
{
	uint32_t by = run_of(victim)->noted_by;
	struct job *preemptor = by && job_runs(victim) && workload_evicting(victim->first.work) ?
		jobs_find(by) : NULL;

	if (preemptor)
		_await_victim(preemptor);
}

extern void hold_look_at_victims(void)
{
	hold.look++;
	if (hold.n)
		jobs_each(_look_at_victim, NULL);
}

extern void hold_nodes(struct entry *entry, const bitstr_t *nodes)
{
	FREE_NULL_BITMAP(entry->cleared);
	entry->cleared = bit_copy((bitstr_t *) nodes);
	_await_victim(entry->job);
	saver_save();
}

extern bool hold_any(void)
{
	return hold.n;
}

static bool _is_about(const struct entry *entry, bitstr_t *nodes)
{
	return entry->cleared && (bit_size(entry->cleared) == bit_size(nodes));
}

extern void hold_keep_out(const struct entry *entry, bitstr_t *nodes, bitstr_t *but)
{
	bitstr_t *others = bit_alloc(bit_size(nodes));

	for (size_t i = 0; i < hold.n; i++) {
		if (_is_about(hold.entries[i], nodes))
			bit_or(others, hold.entries[i]->cleared);
	}
	if (_is_about(entry, nodes))
		bit_and_not(others, entry->cleared);
	if (but)
		bit_and_not(others, but);
	bit_and_not(nodes, others);
	FREE_NULL_BITMAP(others);
}

extern void hold_stay_in(const struct entry *entry, bitstr_t *nodes)
{
	if (_is_about(entry, nodes))
		bit_and(nodes, entry->cleared);
}

extern bool hold_awaits(const struct entry *entry)
{
	return entry->cleared && (entry->victims_leave == hold.look);
}

/* The state file has nodes by name, as the node table may change. */

extern void hold_dump(const struct entry *entry, struct json_object *o)
{
	bitstr_t *cleared = entry->cleared;
	const node_record_t *node_ptr;
	struct json_object *names;

	if (!cleared || (bit_size(cleared) != node_record_count))
		return;
	names = json_object_new_array();
	for_each_node_in(node_ptr, cleared)
		json_object_array_add(names, json_object_new_string(node_ptr->name));
	json_object_object_add(o, "ownNodes", names);
}

extern void hold_load(struct entry *entry, struct json_object *o)
{
	struct json_object *names;
	bitstr_t *nodes;

	if (!json_object_object_get_ex(o, "ownNodes", &names) ||
	    !json_object_is_type(names, json_type_array))
		return;
	nodes = bit_alloc(node_record_count);
	for (size_t i = 0; i < json_object_array_length(names); i++) {
		const char *name = json_object_get_string(
			json_object_array_get_idx(names, i));
		const node_record_t *node = name ?
			find_node_record((char *) name) : NULL;

		if (node)
			bit_set(nodes, node->index);
	}
	if (bit_ffs(nodes) >= 0)
		hold_nodes(entry, nodes);
	FREE_NULL_BITMAP(nodes);
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
	*(job->older ? &job->older->newer : &table.first) = job->newer;
	*(job->newer ? &job->newer->older : &table.last) = job->older;
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
	struct job *next;

	for (struct job *job = table.first; job; job = next) {
		next = job->newer;
		f(job, arg);
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
	job->first.recorded = job->first.room = false;
	chance_reset(job);
}

extern void jobs_unbook(void)
{
	ctld.changes++;
	jobs_each(_unbook, NULL);
}
