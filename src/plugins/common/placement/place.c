/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  place.c - one try to place a job on nodes of its flavors
 *
 *  Quota decides which flavors are used and, if the job takes quota that other
 *  jobs use, which jobs must go. cons_tres chooses the nodes: it gets the nodes
 *  of the flavors only, and the quota victims as its first candidates, so that
 *  it uses the nodes that they leave. Only when that is not enough may it
 *  choose among the other jobs that the policies let this job evict. A job that
 *  neither quota nor nodes need stays.
\*****************************************************************************/
#include "placement/place.h"

#include "match/match.h"
#include "jobs/jobs.h"
#include "books/books.h"

/* How often cons_tres is asked again without the jobs that the rules keep */
#define MAX_TRIES 16

extern void place_free(struct place *p)
{
	for (size_t i = 0; i < p->nothers; i++) {
		FREE_NULL_BITMAP(p->others[i].node_bitmap);
		FREE_NULL_LIST(p->others[i].preemptees);
		place_free(&p->others[i]);
	}
	xfree(p->others);
	FREE_NULL_BITMAP(p->usable);
	xfree(p->victims);
	xfree(p->charges);
	p->nvictims = p->ncharges = p->nothers = 0;
}

extern struct victim *place_victims(const struct victim *list, size_t n)
{
	struct victim *copy = xcalloc(n + 1, sizeof(*copy));

	if (n)
		memcpy(copy, list, n * sizeof(*copy));
	return copy;
}

extern struct charge *place_charges(const struct charge *list, size_t n)
{
	struct charge *copy = xcalloc(ctld.conf->spec->nresources + 1, sizeof(*copy));

	if (n)
		memcpy(copy, list, n * sizeof(*copy));
	return copy;
}

extern void place_begin(struct place *p)
{
	xfree(p->victims);
	xfree(p->charges);
	p->victims = place_victims(p->quota.victims, p->quota.nvictims);
	p->nvictims = p->quota.nvictims;
	p->charges = place_charges(p->quota.charges, p->quota.ncharges);
	p->ncharges = p->quota.ncharges;
}

/* ---- nodes ---- */

/* Leave out nodes that were cleared for others */
static void _mind_others(struct place *p)
{
	bitstr_t *but;

	if (p->mode == SELECT_MODE_RUN_NOW)
		planned_keep_out(p->entry, p->node_bitmap, time(NULL));
	else if (planned_any() && compat_in_backfill())
		planned_keep_out(p->entry, p->node_bitmap, 0);
	if (!hold_any())
		return;
	if (p->on_cleared_nodes)
		hold_stay_in(p->entry, p->node_bitmap);
	but = bit_alloc(bit_size(p->node_bitmap));
	for (size_t i = 0; p->on_victims_nodes && (i < p->nvictims); i++) {
		const struct workload *w = p->victims[i].workload;
		job_record_t *job_ptr = jobs_record(job_of(w));

		/* of those that leave already others have the nodes */
		if (job_ptr && job_ptr->node_bitmap && !workload_evicting(w))
			bit_or(but, job_ptr->node_bitmap);
	}
	hold_keep_out(p->entry, p->node_bitmap, but);
	FREE_NULL_BITMAP(but);
}

extern bool place_narrow(struct place *p, bool completing)
{
	bit_copybits(p->node_bitmap, p->usable);
	if (completing) {
		bit_or(p->node_bitmap, cg_node_bitmap);
		bit_and(p->node_bitmap, p->job_ptr->part_ptr->node_bitmap);
	}
	for (size_t i = 0; i < p->ncharges; i++) {
		bitstr_t *nodes = flavor_nodes(p->charges[i].flavor);

		if (nodes)
			bit_and(p->node_bitmap, nodes);
	}
	_mind_others(p);
	return (uint32_t) bit_set_count(p->node_bitmap) >= p->min_nodes;
}

static int _select(struct place *p, compat_list_t candidates, bool completing)
{
	if (!place_narrow(p, completing))
		return SLURM_ERROR;
	if (p->preemptee_job_list)
		FREE_NULL_LIST(*p->preemptee_job_list);
	return p->cons_tres(p->job_ptr, p->node_bitmap, p->min_nodes, p->most_nodes,
			    MIN(p->req_nodes, p->most_nodes), p->mode, candidates,
			    p->preemptee_job_list, COMPAT_REST_OF(&p->rest));
}

/* ---- victims ---- */

extern job_record_t *place_victim_record(const struct workload *w)
{
	struct job *job = job_of(w);

	return jobs_record(job) ? het_leader(job->job_ptr) : NULL;
}

extern compat_list_t place_candidates(const struct place *p, const struct victim *more, size_t n)
{
	compat_list_t list = list_create(NULL);

	for (size_t i = 0; i < p->nvictims + n; i++) {
		const struct victim *v = i < p->nvictims ? &p->victims[i] : &more[i - p->nvictims];
		job_record_t *job_ptr = place_victim_record(v->workload);

		/* a job that has ended has no cores left to give */
		if (job_ptr && job_holds_nodes(job_ptr))
			list_append(list, job_ptr);
	}
	return list;
}

extern bool place_fits(const struct place *p, const struct victim *victims, size_t n)
{
	return engine_fits(ctld.engine, p->entry->work, p->charges, p->ncharges, victims, n);
}

extern size_t place_is_allowed(const struct place *p, const struct victim *victims, size_t n)
{
	return engine_allowed(ctld.engine, p->entry->work, p->now, p->charges, p->ncharges,
			      victims, n);
}

extern size_t place_list_candidates(const struct place *p, bool gone, bool alone,
				    struct victim **list, int64_t *until)
{
	const struct candidates_query query = {
		.charges = p->charges, .ncharges = p->ncharges,
		.gone = p->victims, .ngone = gone ? p->nvictims : 0, .alone = alone,
	};
	struct candidates found;

	if (engine_candidates(ctld.engine, p->entry->work, p->now, &query, &found))
		error(PREFIX "%pJ: %m", p->job_ptr);
	if (found.protected_until)	/* its reclaimDelay may have begun */
		jobs_save(p->entry->job);
	*list = place_victims(found.list, found.n);
	*until = found.protected_until;
	return found.n;
}

static bool _is_chosen(struct place *p, const struct workload *w)
{
	job_record_t *job_ptr = place_victim_record(w);

	return p->preemptee_job_list && *p->preemptee_job_list && job_ptr &&
		list_find_first(*p->preemptee_job_list, same_pointer, job_ptr);
}

/* The final victims: the jobs whose nodes are used, and of the others those
 * that quota still needs. `more` were candidates for nodes only. */
static void _settle_victims(struct place *p, const struct victim *more, size_t nmore)
{
	size_t n = p->nvictims, total = n + nmore, kept = 0;
	struct victim *all = xcalloc(total + 1, sizeof(*all));
	bool *keep = xcalloc(total + 1, sizeof(*keep));

	for (size_t i = 0; i < total; i++) {
		struct victim v = i < n ? p->victims[i] : more[i - n];
		bool chosen = _is_chosen(p, v.workload);

		if (!chosen && (i >= n))
			continue;
		keep[kept] = chosen;
		all[kept++] = v;
	}
	xfree(p->victims);
	p->victims = all;
	p->nvictims = engine_drop_needless(ctld.engine, p->entry->work, p->charges, p->ncharges,
					   all, keep, kept);
	xfree(keep);
}

/* With candidates cons_tres only looks whether it would work. Where it then needs none of
 * them, it has selected nothing that could be started: it counts on cores that it has not yet
 * noticed to be free, as after a restart. That is no success. */
static int _select_among(struct place *p, const struct victim *more, size_t nmore)
{
	compat_list_t candidates = p->nvictims + nmore ? place_candidates(p, more, nmore) : NULL;
	int rc = _select(p, candidates, false);

	FREE_NULL_LIST(candidates);
	if (rc != SLURM_SUCCESS)
		return rc;
	_settle_victims(p, more, nmore);
	return (p->mode == SELECT_MODE_RUN_NOW) && !p->nvictims && !p->job_ptr->job_resrcs ?
		SLURM_ERROR : SLURM_SUCCESS;
}

extern int place_select_with(struct place *p, const struct victim *victims, size_t n)
{
	xfree(p->victims);
	p->victims = place_victims(victims, n);
	p->nvictims = n;
	return _select_among(p, NULL, 0);
}

/* ---- more victims than quota needs, as nodes need them ---- */

static bool _remove(struct victim *list, size_t *n, const struct workload *w)
{
	for (size_t i = 0; i < *n; i++) {
		if (place_victim_record(list[i].workload) != place_victim_record(w))
			continue;
		(*n)--;
		memmove(&list[i], &list[i + 1], (*n - i) * sizeof(*list));
		return true;
	}
	return false;
}

/* All but the quota victims */
static size_t _other_candidates(struct place *p, struct victim **more)
{
	size_t n = place_list_candidates(p, false, true, more, &p->protected_until);

	for (size_t i = 0; i < p->nvictims; i++)
		(void) _remove(*more, &n, p->victims[i].workload);
	return n;
}

/* cons_tres chooses nodes among all candidates, which are freed; then the rules judge the jobs
 * it chose, together. A job that would have to stay is no candidate in the next try. */
static int _select_judged(struct place *p, struct victim *more, size_t nmore)
{
	bool again = true;

	for (int tries = 0; again && nmore && (tries < MAX_TRIES); tries++) {
		int rc = _select_among(p, more, nmore);
		size_t stays;

		if (rc != SLURM_SUCCESS)
			return rc;
		stays = place_is_allowed(p, p->victims, p->nvictims);
		if (stays == p->nvictims)
			return SLURM_SUCCESS;
		again = _remove(more, &nmore, p->victims[stays].workload);
		place_begin(p);
	}
	return SLURM_ERROR;
}

/* Every victim is on its way out already, and the nodes of one are being cleaned up: the job
 * can't start before they are clean, and nodes are looked for then. */
static bool _waits_for_cleanup(const struct place *p)
{
	bool any = false;

	for (size_t i = 0; i < p->nvictims; i++) {
		struct job *victim = job_of(p->victims[i].workload);

		if (!workload_evicting(p->victims[i].workload))
			return false;
		any |= jobs_record(victim) && IS_JOB_COMPLETING(victim->job_ptr);
	}
	return any;
}

/* With its quota victims gone the nodes it needs are there, but for jobs on them that have
 * ended and are being cleaned up: that is no reason to evict other jobs. Only in a test of
 * backfill does cons_tres count on nodes that are not clean. */
static bool _fits_when_cleaned(struct place *p)
{
	uint64_t flag = BACKFILL_TEST & ~p->job_ptr->bit_flags;
	compat_list_t gone;
	int rc;

	if (!bit_overlap_any(cg_node_bitmap, p->job_ptr->part_ptr->node_bitmap))
		return false;
	gone = place_candidates(p, NULL, 0);
	p->job_ptr->bit_flags |= flag;
	rc = _select(p, gone, true);
	p->job_ptr->bit_flags &= ~flag;
	FREE_NULL_LIST(gone);
	FREE_NULL_LIST(*p->preemptee_job_list);
	free_job_resources(&p->job_ptr->job_resrcs);
	return rc == SLURM_SUCCESS;
}

/* With all jobs that the policies allow, on nodes that nobody holds. rc: without them */
static int _select_evicting(struct place *p, int rc)
{
	struct victim *more = NULL;
	int64_t until;
	size_t n;

	/* WILL_RUN takes all candidates away at once: there is no set to judge */
	if (p->mode == SELECT_MODE_RUN_NOW) {
		n = _other_candidates(p, &more);
		/* by what the records are now, not by what they were a moment ago */
		if ((n || p->nvictims) && books_look_at_running()) {
			xfree(more);
			n = _other_candidates(p, &more);
		}
		if (n || p->nvictims)
			rc = _select_judged(p, more, n);
		xfree(more);
		if ((rc == SLURM_SUCCESS) || (!n && !p->nvictims))
			return rc;
	}
	if ((n = place_list_candidates(p, true, false, &more, &until)))
		rc = _select_among(p, more, n);
	xfree(more);
	return rc;
}

/* With no other victims than those for quota: on the nodes that were cleared for it; then
 * on any; then also on nodes of its victims that others hold, as what the victims leave is
 * its own */
static int _select_for_quota(struct place *p)
{
	int rc = SLURM_ERROR;

	if (p->entry->cleared && (p->mode == SELECT_MODE_RUN_NOW)) {
		p->on_cleared_nodes = true;
		rc = _select_among(p, NULL, 0);
		p->on_cleared_nodes = false;
	}
	if (rc != SLURM_SUCCESS)
		rc = _select_among(p, NULL, 0);
	if ((rc == SLURM_SUCCESS) || !p->nvictims || !hold_any())
		return rc;
	p->on_victims_nodes = true;
	return _select_among(p, NULL, 0);
}

/* Where quota decides who goes, nodes change nothing about that as long as these and
 * idle nodes are enough. Only if they are not, all go that the policies allow. */
extern int place_select(struct place *p)
{
	struct victim *more;
	size_t n;
	int rc;

	p->on_victims_nodes = false;
	/* Which jobs a component may evict depends on the other components: victims are judged
	 * when all components are to start. For backfill it is enough that there may be nodes. */
	if (p->job_ptr->het_job_id && (p->mode == SELECT_MODE_WILL_RUN)) {
		n = _other_candidates(p, &more);
		rc = _select_among(p, more, n);
		xfree(more);
		return rc;
	}
	rc = _select_for_quota(p);
	if ((rc == SLURM_SUCCESS) || !p->preemptee_job_list)
		return rc;
	if (_waits_for_cleanup(p) || _fits_when_cleaned(p)) {
		p->nodes_being_cleaned = true;
		return rc;
	}
	p->on_victims_nodes = false;
	return p->may_evict ? _select_evicting(p, rc) : rc;
}
