/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  outlook.c - the cluster as it is, to be played forward
 *
 *  All workloads in the books with their time limits, as a simulation of its
 *  own. It is taken under the job lock, in time linear in the number of jobs,
 *  and played without the lock. Nodes are totals of their flavor. What jobs
 *  outside all cluster queues use of them is taken off until those jobs end.
\*****************************************************************************/
#include "estimate/estimate.h"

#include "match/match.h"
#include "request/request.h"
#include "jobs/jobs.h"

#include "sim.h"

#define YEAR (INT64_C(365) * 86400 * SPEC_SEC)
/* A hundred plans or so of a million jobs; or some minutes of CPU time, where
 * plans are dear: callers have a bound of time of their own. */
#define WORK 100000000

struct taking {
	struct outlook *outlook;
	int root;			/* the only tree, or SPEC_NONE */
	time_t now;
	bool failed;
};

/* ---- times ---- */

/* slurmctld starts a requeued job only when the credential of its last run has expired. */
static int64_t _requeue_time(void)
{
	char *set = xstrstr(slurm_conf.authinfo, "cred_expire=");
	long seconds = set ? atol(set + strlen("cred_expire=")) : 120;

	return ns_of(MAX(seconds, 0) + 1);
}

/* Its time limit in ns, or SIM_FOREVER */
static int64_t _duration(const job_record_t *job_ptr)
{
	int64_t longest = job_longest_run(job_ptr);

	return longest == INT64_MAX ? SIM_FOREVER : ns_of((time_t) longest);
}

/* When a running job is to end at the latest, in ns; or SIM_FOREVER */
static int64_t _end(const job_record_t *job_ptr)
{
	if (IS_JOB_SUSPENDED(job_ptr) || !job_ptr->end_time ||
	    (_duration(job_ptr) == SIM_FOREVER))
		return SIM_FOREVER;
	return ns_of(job_ptr->end_time);
}

static int64_t _exempt_time(job_record_t *job_ptr)
{
	int64_t until = evict_exempt_until(job_ptr);

	if (!until || (until == INT64_MAX))
		return until ? SIM_FOREVER : 0;
	return until - ns_of(job_ptr->start_time);
}

/* ---- nodes ---- */

extern bool outlook_nodes_changed(void)
{
	static bitstr_t *known;

	if (known && (bit_size(known) == bit_size(avail_node_bitmap)) &&
	    bit_equal(known, avail_node_bitmap))
		return false;
	FREE_NULL_BITMAP(known);
	known = bit_copy(avail_node_bitmap);
	return true;
}

static bool _is_of_nodes(const struct resource *r)
{
	return (r->kind == RESOURCE_CPU) || (r->kind == RESOURCE_MEM) ||
		(r->kind == RESOURCE_NODE) || (r->kind == RESOURCE_GRES);
}

/* How much of each resource the nodes of each flavor have. GRES that Slurm does not count on
 * its nodes are limited by quota only. */
static void _take_nodes(struct sim *sim)
{
	const struct spec *spec = ctld.conf->spec;
	size_t nresources = spec->nresources, n = spec->nflavors * nresources;
	int64_t *totals = xcalloc(n + 1, sizeof(*totals));
	node_record_t *node_ptr;

	for_each_node_in(node_ptr, avail_node_bitmap) {
		for (size_t r = 0; r < nresources; r++) {
			int64_t has = floor_node_has(node_ptr, &ctld.resources[r]);

			for (size_t f = 0; has && (f < spec->nflavors); f++) {
				bitstr_t *nodes = flavor_nodes(f);

				if (!nodes || bit_test(nodes, node_ptr->index))
					totals[f * nresources + r] += has;
			}
		}
	}
	for (size_t i = 0; i < n; i++) {
		const struct resource *r = &ctld.resources[i % nresources];

		if (_is_of_nodes(r) && (totals[i] || (r->kind != RESOURCE_GRES)))
			sim_room(sim, i / nresources, i % nresources, totals[i]);
	}
	xfree(totals);
}

/* For list_find_first(): a job outside all queues, which is found if there was no memory for it */
static int _take_other(void *x, void *sim)
{
	size_t nresources = ctld.conf->spec->nresources;
	size_t most = ctld.conf->spec->nflavors * nresources, n = 0;
	job_record_t *job_ptr = x;
	struct job *job = jobs_find(job_ptr->job_id);
	struct charge *charges;
	int64_t *used;
	int rc;

	if ((job && job->first.work) || !IS_JOB_RUNNING(job_ptr) || !job_ptr->job_resrcs ||
	    !job_ptr->job_resrcs->node_bitmap)
		return 0;
	used = xcalloc(most + 1, sizeof(*used));
	charges = xcalloc(most + 1, sizeof(*charges));
	allocated_by_flavor(job_ptr, used);
	for (size_t i = 0; i < most; i++) {
		if (used[i] && _is_of_nodes(&ctld.resources[i % nresources]))
			charges[n++] = (struct charge) {
				i / nresources, i % nresources, used[i],
			};
	}
	rc = sim_occupy(sim, charges, n, _end(job_ptr));
	xfree(used);
	xfree(charges);
	return rc;
}

/* ---- jobs ---- */

static bool _is_in(const struct taking *t, const struct entry *entry)
{
	return entry->work && ((t->root == SPEC_NONE) ||
			       (queue_root(workload_queue(entry->work)) == t->root));
}

static void _describe(struct entry *entry, struct sim_desc *desc)
{
	const struct job *job = entry->job;
	job_record_t *job_ptr = job->job_ptr;
	const job_array_struct_t *array = job_ptr->array_recs;
	struct run run = *run_of(job);

	/* an eviction that is under way counts when the job has gone */
	if (run.noted)
		run_count_eviction(&run, -1);
	*desc = (struct sim_desc) {
		.duration = _duration(job_ptr),
		.evict_time = ns_of((time_t) evict_grace_time(job_ptr) + HANDOVER),
		.exempt_time = _exempt_time(job_ptr),
		.cancels = evict_cost(job_ptr) != 0,
		.no_nodes = entry->standing == STANDS_NO_NODES,
		.array = job_ptr->array_job_id,
		.limit = array ? array->max_run_tasks : 0,
		.min_available = demand_min_available(job_ptr),
	};
	workload_describe(entry->work, &desc->work);
	desc->work.evictions = run.evictions.count;
	desc->work.lost = run.evictions.lost;
	desc->work.turns = run.evictions.turns;
	desc->work.owner = (void *) (uintptr_t) job->job_id;
}

/* It remembers what its workload in the books does. */
static bool _remind(struct taking *t, const struct entry *entry, struct sim_job *sim_job)
{
	struct workload_memory m;

	workload_recall(entry->work, &m);
	return !sim_remind(t->outlook->sim, sim_job, &m, ns_of(entry->own_until));
}

static bool _take_running(struct taking *t, struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;
	const struct run *run = run_of(job);
	const struct victim victim = { .reason = run->noted_for, .pure = run->noted_pure };
	const struct charge *charges;
	struct sim_job *sim_job;
	struct sim_desc desc;
	time_t gone_at;
	size_t n;

	_describe(&job->first, &desc);
	/* an ordinary end is one from which it does not come back */
	if (IS_JOB_COMPLETING(job_ptr))
		desc.cancels = !IS_JOB_PENDING(job_ptr);
	charges = workload_charges(job->first.work, &n);
	sim_job = sim_run(t->outlook->sim, &desc, charges, n,
			  ns_of(job_ptr->start_time + run->paused), _end(job_ptr));
	if (!sim_job || !_remind(t, &job->first, sim_job))
		return false;
	if (!workload_evicting(job->first.work))
		return true;
	gone_at = IS_JOB_COMPLETING(job_ptr) ? t->now : MAX(job_ptr->end_time, t->now);
	sim_leaves(t->outlook->sim, sim_job, ns_of(gone_at + HANDOVER),
		   run->noted ? &victim : NULL);
	return true;
}

static void _take_waiting(struct taking *t, struct job *job)
{
	/* only a question about a later time is in the books before it is due */
	time_t begin = job->job_ptr->details->begin_time;
	int64_t at = begin > t->now ? ns_of(begin) : 0;
	struct sim_job *first = NULL, *sim_job;
	struct sim *sim = t->outlook->sim;
	struct sim_desc desc;

	for_each_entry(e, job) {
		if (t->failed || !_is_in(t, e))
			continue;
		_describe(e, &desc);
		if (!(sim_job = sim_submit(sim, at, &desc)) ||
		    (first && sim_bind(sim, sim_job, first, BOND_EITHER)) ||
		    !_remind(t, e, sim_job))
			t->failed = true;
		if (first || !sim_job)
			continue;
		first = sim_job;
		t->outlook->waiting[t->outlook->nwaiting++] = (struct outlook_job) {
			job->job_id, job->job_ptr->het_job_id, first,
		};
	}
}

static void _take(struct job *job, void *arg)
{
	struct taking *t = arg;

	/* slurmctld may have freed its record since the last walk */
	if (t->failed || !jobs_record(job))
		return;
	if (!job_runs(job))
		_take_waiting(t, job);
	else if (_is_in(t, &job->first))
		t->failed = !_take_running(t, job);
}

/* ---- heterogeneous jobs ---- */

static int _by_het_job(const void *x, const void *y)
{
	const struct outlook_job *a = x, *b = y;
	int cmp = compare64(a->het_job_id, b->het_job_id);

	return cmp ? cmp : compare64(a->job_id, b->job_id);
}

/* All components of a heterogeneous job start, or none. False: no memory */
static bool _bind_het_jobs(const struct outlook *outlook)
{
	struct outlook_job *waiting = outlook->waiting;
	bool bound = true;

	qsort(waiting, outlook->nwaiting, sizeof(*waiting), _by_het_job);
	for (size_t i = 1; bound && (i < outlook->nwaiting); i++)
		bound = !waiting[i].het_job_id ||
			(waiting[i].het_job_id != waiting[i - 1].het_job_id) ||
			!sim_bind(outlook->sim, waiting[i].job, waiting[i - 1].job, BOND_TOGETHER);
	return bound;
}

/* ---- the whole outlook ---- */

static uint32_t _id_of(const void *owner)
{
	return (uint32_t) (uintptr_t) owner;
}

/* Of a job that is evicted twice, the first time is kept. */
static void _happens(void *arg, const struct sim_event *event)
{
	struct outlook *outlook = arg;
	const struct job *victim;

	if ((event->kind != SIM_EVICT) || !outlook->asked ||
	    (_id_of(event->by) != outlook->asked))
		return;
	victim = jobs_find(_id_of(event->owner));
	if (!victim || !victim->first.work)
		return;
	for (size_t i = 0; i < outlook->nvictims; i++) {
		if (outlook->victims[i].workload == victim->first.work)
			return;
	}
	xrecalloc(outlook->victims, outlook->nvictims + 1, sizeof(*outlook->victims));
	outlook->victims[outlook->nvictims++] = (struct victim) {
		.workload = victim->first.work, .reason = event->reason,
	};
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
		.waiting = xcalloc(ctld.njobs + 1, sizeof(*outlook->waiting)),
	};
	if (!outlook->sim)
		return false;
	_take_nodes(outlook->sim);
	jobs_each(_take, &t);
	return !t.failed && !sim_remember(outlook->sim, ctld.engine) &&
		_bind_het_jobs(outlook) &&
		!list_find_first(job_list, _take_other, outlook->sim);
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
		.enough = outlook->enough, .plan_budget = outlook->plan_budget,
	};

	return forecast_play(outlook->sim, watched, &bounds);
}
