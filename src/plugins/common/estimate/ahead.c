/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ahead.c - nodes for a job that will have quota later
 *
 *  The estimate knows when there is quota, cons_tres when there are nodes: the
 *  later time counts.
\*****************************************************************************/
#include "estimate/ahead.h"

#include "state/job.h"
#include "slurm/passes.h"
#include "match/flavor_eligibility.h"

/* How often it is asked in one cycle */
#define MAX_QUESTIONS 4

/* The only flavor of the group that may hold the job, or -1 */
static int _only_flavor(const struct place *p, const struct spec_group *group)
{
	int only = -1;

	for (size_t i = 0; i < group->nflavors; i++) {
		if (!flavor_is_eligible(group->flavors[i], p->job_ptr,
					p->job_ptr->part_ptr))
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

/* The flavors that it would be charged on, were there quota. Of one that has to
 * borrow they are not known, unless there is no choice. */
static bool _choose_flavors(struct place *p, time_t now)
{
	struct nomination nom;

	if (engine_nominate(ctld.engine, p->entry->work, ns_of(now), NULL,
			    &nom))
		return false;
	if (!nom.ncharges)
		return _has_one_choice(p);
	p->charges = place_charges(nom.charges, nom.ncharges);
	p->ncharges = nom.ncharges;
	return true;
}

/* Backfill reserves nodes for the job only if it is told a start in its window. */
static bool _is_of_use(const struct place *p, time_t start, time_t now)
{
	return !(p->job_ptr->bit_flags & TEST_NOW_ONLY) &&
		(start <= now + planned_window());
}

/* Backfill asks again from the next time on at which it has other nodes. After some
 * questions of one pass those of the last answer do, if they are among its nodes. */
static bool _foresee(struct place *p, struct planned *planned, time_t quota)
{
	if (planned->asked_in != pass_begun()) {
		planned->asked_in = pass_begun();
		planned->asked = 0;
	}
	if (planned->asked++ < MAX_QUESTIONS)
		return place_foresee(p, quota) == SLURM_SUCCESS;
	if (!planned->nodes ||
	    (bit_size(planned->nodes) != bit_size(p->node_bitmap)) ||
	    !bit_super_set(planned->nodes, p->node_bitmap))
		return false;
	bit_copybits(p->node_bitmap, planned->nodes);
	p->job_ptr->start_time = planned->nodes_at;
	return true;
}

extern bool ahead_plan(struct place *p, struct planned *planned)
{
	job_record_t *job_ptr = p->job_ptr;
	time_t now = time(NULL);
	time_t quota = MAX(p->entry->job->estimate, now + 2);

	planned->reached = true;
	p->usable = bit_copy(p->node_bitmap);
	if (!_choose_flavors(p, now)) {
		planned_give_up(planned, now);	/* another job instead */
		return false;
	}
	if (!_is_of_use(p, quota, now) || !_foresee(p, planned, quota) ||
	    !_is_of_use(p, MAX(quota, job_ptr->start_time), now)) {
		planned_clear(planned);
		return false;
	}
	planned_note(planned, p->node_bitmap, job_ptr->start_time, quota);
	job_ptr->start_time = MAX(quota, job_ptr->start_time);
	return true;
}
