/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ahead.c - nodes for a job that will have quota later
 *
 *  The estimate knows when there is quota, cons_tres when there are nodes: the
 *  later time counts. For a job that has to evict by then, those that it may
 *  evict at that time count as gone.
\*****************************************************************************/
#include "estimate/estimate.h"

#include "slurm/passes.h"
#include "match/match.h"

/* How often it is asked in one cycle, about one partition */
#define MAX_QUESTIONS 4

/* ---- flavors ---- */

/* The only flavor of the group that may hold the job, or -1 */
static int _only_flavor(const struct place *p, const struct spec_group *group)
{
	int only = -1;

	for (size_t i = 0; i < group->nflavors; i++) {
		if (!flavor_suits(group->flavors[i], p->job_ptr, p->job_ptr->part_ptr, false))
			continue;
		if (only >= 0)
			return -1;
		only = group->flavors[i];
	}
	return only;
}

static bool _has_one_choice(struct place *p)
{
	const struct spec_queue *queue =
		&ctld.conf->spec->queues[workload_queue(p->entry->work)];

	p->charges = place_charges(NULL, 0);
	for (size_t i = 0; i < queue->ngroups; i++) {
		int flavor = _only_flavor(p, &queue->groups[i]);

		if (flavor < 0)
			return false;
		p->charges[p->ncharges++] = (struct charge) {
			.flavor = flavor,
			.resource = queue->groups[i].resources[0],
		};
	}
	return true;
}

/* The flavors that it would be charged on, were there quota, and whom it would evict for that
 * then. Of a job that has to borrow they are not known, unless there is no choice. */
static bool _choose_flavors(struct place *p, time_t then)
{
	struct nomination nom;

	if (engine_nominate(ctld.engine, p->entry->work, ns_of(then), NULL, &nom))
		return false;
	if (!nom.ncharges)
		return _has_one_choice(p);
	p->charges = place_charges(nom.charges, nom.ncharges);
	p->ncharges = nom.ncharges;
	if (p->entry->job->estimate_evicts) {
		p->victims = place_victims(nom.victims, nom.nvictims);
		p->nvictims = nom.nvictims;
	}
	return true;
}

/* ---- nodes ---- */

/* Slurm asks first as if the job was alone on its nodes, and then on its own terms:
 * that is what it goes by. Told these at once, it need not be asked twice. */
static int _ask_cons_tres(struct place *p, compat_list_t candidates)
{
	compat_details_t *details = p->job_ptr->details;
	uint8_t share_res = details->share_res;
	int rc;

	if (!share_res && !details->whole_node)
		details->share_res = NO_VAL8;
	rc = p->cons_tres(p->job_ptr, p->node_bitmap, p->min_nodes,
			  p->max_nodes, p->req_nodes, SELECT_MODE_WILL_RUN,
			  candidates, NULL, COMPAT_REST_OF(&p->rest));
	details->share_res = share_res;
	return rc;
}

/* When nodes of the flavors in p->charges are free by themselves, or when its
 * victims and those in `more` are gone, for a job that starts at `from` or later:
 * SLURM_SUCCESS with p->node_bitmap, and the time in the record's start_time */
static int _find_nodes(struct place *p, time_t from, const struct victim *more, size_t nmore)
{
	compat_list_t candidates = NULL;
	int rc;

	if (!place_narrow(p, false))
		return SLURM_ERROR;
	planned_keep_out(p->entry, p->node_bitmap, from);
	if (p->nvictims + nmore)
		candidates = place_candidates(p, more, nmore);
	rc = _ask_cons_tres(p, candidates);
	FREE_NULL_LIST(candidates);
	return rc;
}

/* Quota needs some victims; where nodes need more, all that it may evict then */
static int _find_nodes_cleared(struct place *p, time_t from)
{
	struct victim *more;
	int64_t until;
	size_t n;
	int rc;

	p->now = ns_of(from);
	n = place_list_candidates(p, true, true, &more, &until);
	rc = n ? _find_nodes(p, from, more, n) : SLURM_ERROR;
	xfree(more);
	return rc;
}

static int _foresee(struct place *p, time_t from)
{
	int rc = _find_nodes(p, from, NULL, 0);

	if (!p->entry->job->estimate_evicts ||
	    ((rc == SLURM_SUCCESS) && (p->job_ptr->start_time <= from)))
		return rc;
	if (_find_nodes_cleared(p, from) == SLURM_SUCCESS)
		return SLURM_SUCCESS;
	return rc == SLURM_SUCCESS ? _find_nodes(p, from, NULL, 0) : rc;
}

/* ---- an answer that is known ---- */

/* In this cycle, perhaps by another partition */
static bool _is_planned(const struct place *p, const struct planned *planned)
{
	return p->job_ptr->sched_nodes && planned->nodes;
}

/* The second one of two questions, which Slurm asks about the same nodes one after the other.
 * A job that shares its nodes anyway has terms of its own then. */
static bool _is_asked_again(const struct place *p, struct planned *planned)
{
	uint8_t share_res = p->job_ptr->details->share_res;
	bool again = planned->alone && share_res && (share_res != 1);

	planned->alone = !share_res;
	return again;
}

static void _note_question(const struct place *p, struct planned *planned)
{
	if ((planned->asked_in != ctld.passes) || (planned->asked_by != p->job_ptr->part_ptr))
		planned->asked = 0;
	planned->asked_in = ctld.passes;
	planned->asked_by = p->job_ptr->part_ptr;
	planned->asked++;
}

/* These nodes, or NULL, at that time, if they are among those that it may use */
static bool _take_known(struct place *p, bitstr_t *nodes, time_t at)
{
	if (!nodes || (bit_size(nodes) != bit_size(p->node_bitmap)) ||
	    !bit_super_set(nodes, p->node_bitmap))
		return false;
	bit_copybits(p->node_bitmap, nodes);
	p->job_ptr->start_time = at;
	return true;
}

/* ---- the answer ---- */

/* Backfill reserves nodes for the job only if it is told a start in its window. */
static bool _is_of_use(const struct place *p, time_t start, time_t now)
{
	return !(p->job_ptr->bit_flags & TEST_NOW_ONLY) &&
		(start <= now + planned_window());
}

/* Nodes that were cleared for it are its own, as soon as its victims have left. Backfill asks
 * again from the next time on at which it has other nodes: after some questions those of the
 * last answer do. */
static bool _look_for_nodes(struct place *p, struct planned *planned, time_t quota)
{
	if (p->entry->own_until)
		return _take_known(p, p->entry->cleared, p->entry->job->estimate);
	if (planned->asked > MAX_QUESTIONS)
		return _take_known(p, planned->nodes, planned->nodes_at);
	return _foresee(p, quota) == SLURM_SUCCESS;
}

/* It knows no nodes, or no flavors. */
static bool _fail(const struct place *p, struct planned *planned, bool for_good)
{
	if (_is_planned(p, planned))
		return false;
	if (for_good)		/* another job instead */
		planned_give_up(planned, time(NULL));
	else
		planned_clear(planned);
	return false;
}

static bool _plan_anew(struct place *p, struct planned *planned)
{
	const struct job *job = p->entry->job;
	time_t now = time(NULL);
	time_t quota = MAX(job->estimate, now + 2);
	time_t start;

	if (!_choose_flavors(p, job->estimate_evicts ? quota : now))
		return _fail(p, planned, true);
	if (!_is_of_use(p, quota, now) || !_look_for_nodes(p, planned, quota))
		return _fail(p, planned, false);
	start = MAX(quota, p->job_ptr->start_time);
	if (!_is_of_use(p, start, now))
		return _fail(p, planned, false);
	if (_is_planned(p, planned) && (planned->start <= start))
		return false;
	planned_note(planned, p->job_ptr, p->node_bitmap, quota);
	p->job_ptr->start_time = start;
	return true;
}

extern bool ahead_plan(struct place *p, struct planned *planned)
{
	planned->reached = true;
	p->usable = bit_copy(p->node_bitmap);
	/* of an array only the next task is planned; another partition may be better */
	if (_is_planned(p, planned) && (planned->part_ptr == p->job_ptr->part_ptr))
		return false;
	if (_is_asked_again(p, planned))
		return _take_known(p, planned->nodes, planned->start);
	_note_question(p, planned);
	return _plan_anew(p, planned);
}
