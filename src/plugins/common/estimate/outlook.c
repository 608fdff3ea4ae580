/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  outlook.c - the cluster as it is, to be played forward
 *
 *  All workloads in the books with their time limits, as a simulation of its
 *  own. It is taken under the job lock, in time linear in the number of jobs,
 *  and played without the lock.
\*****************************************************************************/
#include "estimate/outlook.h"

#include "state/job.h"
#include "match/evict_terms.h"
#include "match/fingerprint.h"
#include "match/queue_of_job.h"
#include "request/demand.h"
#include "jobs/jobs.h"
#include "books/entries.h"
#include "estimate/outlook_nodes.h"
#include "estimate/outlook_times.h"

#include "query.h"

#define YEAR (INT64_C(365) * 86400 * SPEC_SEC)
/* A hundred plans or so of a million jobs; or some minutes of CPU time, where
 * plans are dear: callers have a bound of time of their own. */
#define WORK 100000000

/* ---- times ---- */

static int64_t _exempt_time(job_record_t *job_ptr)
{
	int64_t until = evict_exempt_until(job_ptr);

	if (!until || (until == INT64_MAX))
		return until ? SIM_FOREVER : 0;
	return until - ns_of(job_ptr->start_time);
}

/* slurmctld starts a requeued job only when the credential of its last run has
 * expired. */
static int64_t _requeue_time(void)
{
	char *set = xstrstr(slurm_conf.authinfo, "cred_expire=");
	long seconds = set ? atol(set + strlen("cred_expire=")) : 120;

	return ns_of(MAX(seconds, 0) + 1);
}

/* ---- jobs ---- */

struct taking {
	struct outlook *outlook;
	int root;			/* the only tree, or SPEC_NONE */
	time_t now;
	bool failed;
};

static bool _is_in(const struct taking *t, const struct entry *entry)
{
	return entry->work &&
		((t->root == SPEC_NONE) ||
		 (queue_root(workload_queue(entry->work)) == t->root));
}

/* An eviction that is under way counts when the job has gone. */
static struct evictions _evictions(const struct job *job)
{
	struct run run = *run_of(job);

	if (run.noted)
		run_count_eviction(&run, -1);
	return run.evictions;
}

static void _describe(struct entry *entry, struct sim_desc *desc)
{
	const struct job *job = entry->job;
	struct evictions evictions = _evictions(job);
	job_record_t *job_ptr = job->job_ptr;
	const job_array_struct_t *array = job_ptr->array_recs;

	*desc = (struct sim_desc) {
		.duration = outlook_duration(job_ptr),
		.evict_time = ns_of(outlook_evict_time(job_ptr)),
		.exempt_time = _exempt_time(job_ptr),
		.cancels = evict_cost(job_ptr) != 0,
		.settled = workload_settled(entry->work),
		.no_nodes = entry->standing == STANDS_NO_NODES,
		.array = job_ptr->array_job_id,
		.limit = array ? array->max_run_tasks : 0,
		.min_available = demand_min_available(job_ptr),
	};
	workload_describe(entry->work, &desc->work);
	desc->work.evictions = evictions.count;
	desc->work.lost = evictions.lost;
	desc->work.turns = evictions.turns;
	desc->work.owner = (void *) (uintptr_t) job->job_id;
}

/* Adds to the digest what the books do not know of the job. Digests of jobs are
 * summed: their order is history. */
static void _digest(struct taking *t, const struct sim_desc *desc,
		    int64_t begin, int64_t end)
{
	uint64_t h = fingerprint_mix(0, (uintptr_t) desc->work.owner);

	h = fingerprint_mix(h, begin);
	h = fingerprint_mix(h, end);
	h = fingerprint_mix(h, desc->duration);
	h = fingerprint_mix(h, desc->evict_time);
	h = fingerprint_mix(h, desc->exempt_time);
	h = fingerprint_mix(h, desc->cancels);
	h = fingerprint_mix(h, desc->settled);
	h = fingerprint_mix(h, desc->work.evictions);
	h = fingerprint_mix(h, desc->work.lost);
	h = fingerprint_mix(h, desc->work.turns);
	h = fingerprint_mix(h, desc->no_nodes);
	h = fingerprint_mix(h, desc->limit);
	t->outlook->digest += fingerprint_mix(h, desc->min_available);
}

static bool _take_running(struct taking *t, struct job *job,
			  const struct sim_desc *desc)
{
	job_record_t *job_ptr = job->job_ptr;
	struct sim *sim = t->outlook->sim;
	const struct charge *charges;
	int64_t since = ns_of(job_ptr->start_time + run_of(job)->paused);
	int64_t until = outlook_end(job_ptr);
	const struct run *run = run_of(job);
	const struct victim victim = {
		.reason = run->noted_for, .pure = run->noted_pure,
	};
	struct sim_job *sim_job;
	time_t gone_at;
	size_t n;

	charges = workload_charges(job->first.work, &n);
	sim_job = sim_run(sim, desc, charges, n, since, until);
	/* one that is late may end at any time */
	_digest(t, desc, since, MAX(until, ns_of(t->now)));
	if (!sim_job || !workload_evicting(job->first.work))
		return sim_job;
	gone_at = IS_JOB_COMPLETING(job_ptr) ? t->now :
		MAX(job_ptr->end_time, t->now);
	return !sim_leaves(sim, sim_job, ns_of(gone_at + HANDOVER),
			   run->noted ? &victim : NULL);
}

static bool _own(struct taking *t, const struct entry *entry,
		 struct sim_job *sim_job)
{
	const struct spec *spec = ctld.conf->spec;
	struct charge *charges = xcalloc(spec->nflavors * spec->nresources + 1,
					 sizeof(*charges));
	size_t n = engine_owned(ctld.engine, entry->work, charges);
	int rc = sim_own(t->outlook->sim, sim_job, charges, n,
			 ns_of(entry->own_until));

	xfree(charges);
	return !rc;
}

static void _note(struct outlook *outlook, const job_record_t *job_ptr,
		  struct sim_job *sim_job)
{
	if (outlook->nwaiting == outlook->size) {
		outlook->size = outlook->size ? 2 * outlook->size : 256;
		xrecalloc(outlook->waiting, outlook->size,
			  sizeof(*outlook->waiting));
	}
	outlook->waiting[outlook->nwaiting++] = (struct outlook_job) {
		.job_id = job_ptr->job_id, .het_job_id = job_ptr->het_job_id,
		.job = sim_job,
	};
}

/* first: of another entry of the job, or NULL */
static struct sim_job *_take_entry(struct taking *t, struct entry *entry,
				   struct sim_job *first)
{
	time_t begin = entry->job->job_ptr->details->begin_time;
	struct sim *sim = t->outlook->sim;
	struct sim_job *sim_job;
	struct sim_desc desc;

	_describe(entry, &desc);
	_digest(t, &desc, begin > t->now ? begin : 0, entry->own_until);
	/* only a question about a later time is in the books before it is
	 * due */
	if (!(sim_job = sim_submit(sim, begin > t->now ? ns_of(begin) : 0,
				   &desc)) ||
	    (first && sim_bind(sim, sim_job, first, BOND_EITHER)) ||
	    (entry->own_until && !_own(t, entry, sim_job)))
		t->failed = true;
	return sim_job;
}

static void _take_waiting(struct taking *t, struct job *job)
{
	struct sim_job *first = NULL;

	for_each_entry(e, job) {
		struct sim_job *sim_job;

		if (t->failed || !_is_in(t, e))
			continue;
		sim_job = _take_entry(t, e, first);
		if (first || !(first = sim_job))
			continue;
		_note(t->outlook, job->job_ptr, first);
	}
}

static void _take(struct job *job, void *arg)
{
	struct taking *t = arg;
	struct sim_desc desc;

	/* slurmctld may have freed its record since the last scan */
	if (t->failed || (find_job_record(job->job_id) != job->job_ptr))
		return;
	if (!job_runs(job)) {
		_take_waiting(t, job);
	} else if (_is_in(t, &job->first)) {
		_describe(&job->first, &desc);
		/* an ordinary end is one from which it does not come back */
		if (IS_JOB_COMPLETING(job->job_ptr))
			desc.cancels = !IS_JOB_PENDING(job->job_ptr);
		t->failed = !_take_running(t, job, &desc);
	}
}

/* ---- heterogeneous jobs ---- */

static int _by_het_job(const void *x, const void *y)
{
	const struct outlook_job *const *a = x, *const *b = y;

	if ((*a)->het_job_id != (*b)->het_job_id)
		return (*a)->het_job_id < (*b)->het_job_id ? -1 : 1;
	return *a < *b ? -1 : *a > *b;
}

/* Binds each to the one before, if they are of one job. False: no memory */
static bool _bind_components(struct sim *sim,
			     const struct outlook_job *const *list, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if ((list[i]->het_job_id == list[i - 1]->het_job_id) &&
		    sim_bind(sim, list[i]->job, list[i - 1]->job,
			     BOND_TOGETHER))
			return false;
	}
	return true;
}

/* All components of a heterogeneous job, or none */
static bool _bind_het_jobs(const struct outlook *outlook)
{
	const struct outlook_job **list;
	size_t n = 0;
	bool bound;

	list = xcalloc(outlook->nwaiting + 1, sizeof(*list));
	for (size_t i = 0; i < outlook->nwaiting; i++) {
		if (outlook->waiting[i].het_job_id)
			list[n++] = &outlook->waiting[i];
	}
	if (n)
		qsort(list, n, sizeof(*list), _by_het_job);
	bound = _bind_components(outlook->sim, list, n);
	xfree(list);
	return bound;
}

/* ---- the whole outlook ---- */

static uint32_t _id_of(const void *owner)
{
	return (uint32_t) (uintptr_t) owner;
}

static void _happens(void *arg, const struct sim_event *event)
{
	struct outlook *outlook = arg;
	size_t n = outlook->nvictims;

	if ((event->kind != SIM_EVICT) || !outlook->asked ||
	    (_id_of(event->by) != outlook->asked))
		return;
	if (n == outlook->victims_size) {
		outlook->victims_size = MAX(2 * outlook->victims_size, 16);
		xrecalloc(outlook->victims, outlook->victims_size,
			  sizeof(*outlook->victims));
	}
	outlook->victims[n] = (struct outlook_victim) {
		.job_id = _id_of(event->owner), .reason = event->reason,
		.nth = n,
	};
	outlook->nvictims++;
}

static int _by_id(const void *x, const void *y)
{
	const struct outlook_victim *a = x, *b = y;

	if (a->job_id != b->job_id)
		return a->job_id < b->job_id ? -1 : 1;
	return a->nth < b->nth ? -1 : a->nth > b->nth;
}

static int _by_time(const void *x, const void *y)
{
	const struct outlook_victim *a = x, *b = y;

	return a->nth < b->nth ? -1 : a->nth > b->nth;
}

/* Of a job that was evicted twice, keep the first time; keep the order in which
 * they were evicted. */
static void _no_victim_twice(struct outlook *outlook)
{
	struct outlook_victim *list = outlook->victims;
	size_t n = 0;

	if (!outlook->nvictims)
		return;
	qsort(list, outlook->nvictims, sizeof(*list), _by_id);
	for (size_t i = 0; i < outlook->nvictims; i++) {
		if (!n || (list[n - 1].job_id != list[i].job_id))
			list[n++] = list[i];
	}
	outlook->nvictims = n;
	qsort(list, n, sizeof(*list), _by_time);
}

extern bool outlook_take(struct outlook *outlook, int queue)
{
	struct sim_options options = {
		.requeue_time = _requeue_time(),
		.own_time = ctld.conf->own_timeout,
		.event = _happens, .arg = outlook,
	};
	struct taking t = {
		.outlook = outlook, .now = time(NULL),
		.root = queue == SPEC_NONE ? SPEC_NONE : queue_root(queue),
	};

	*outlook = (struct outlook) {
		.sim = sim_create(ctld.conf->spec, ns_of(t.now), &options),
	};
	if (!outlook->sim)
		return false;
	outlook->digest = fingerprint_mix(engine_digest(ctld.engine),
					  entries_booked());
	outlook->digest += outlook_take_nodes(outlook->sim);
	jobs_each(_take, &t);
	if (!t.failed &&
	    sim_remember(outlook->sim, ctld.conf->spec, ctld.engine))
		t.failed = true;
	return !t.failed && _bind_het_jobs(outlook) &&
		outlook_take_others(outlook->sim, &outlook->digest);
}

extern void outlook_free(struct outlook *outlook)
{
	sim_destroy(outlook->sim);
	xfree(outlook->waiting);
	xfree(outlook->victims);
}

extern int outlook_play(struct outlook *outlook, const struct sim_job *watched)
{
	struct forecast_bounds bounds = {
		.exact = outlook->nwaiting < 1000 ? 500 : 50,
		.steps = 2000, .horizon = YEAR, .work = WORK,
		.enough = outlook->enough,
	};
	int rc = forecast_play(outlook->sim, watched, &bounds);

	_no_victim_twice(outlook);
	return rc;
}
