/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ahead.c - nodes for a job that will have quota later
 *
 *  The estimate knows when there is quota, cons_tres when there are nodes: the
 *  later time counts. Such a question is dear where many jobs run, and backfill
 *  asks in each cycle: an answer is good for a minute, as long as backfill
 *  offers the same nodes.
\*****************************************************************************/
#include "placement/ahead.h"

#include "state/job.h"

/* How long an answer of cons_tres holds, seconds */
#define HOLDS 60
/* Backfill tries again from the next time on at which it has other nodes. */
#define MAX_QUESTIONS 4

static bool _is_enough(const struct place *p, bitstr_t *nodes)
{
	uint32_t n = bit_set_count(nodes);

	return (n >= p->min_nodes) && (n <= p->max_nodes);
}

static bool _is_known(const struct place *p, const struct planned *planned,
		      time_t now)
{
	return planned->nodes && (now < planned->answered + HOLDS) &&
		(bit_size(planned->nodes) == bit_size(p->node_bitmap)) &&
		bit_super_set(planned->nodes, p->node_bitmap) &&
		_is_enough(p, planned->nodes);
}

/* The flavors that it would be charged on, were there quota */
static bool _nominate(struct place *p, time_t now)
{
	struct nomination nom;

	if (engine_nominate(ctld.engine, p->entry->work, ns_of(now), NULL,
			    &nom) || !nom.ncharges)
		return false;
	xfree(p->charges);
	p->charges = place_charges(nom.charges, nom.ncharges);
	p->ncharges = nom.ncharges;
	return true;
}

static bool _ask(struct place *p, struct planned *planned, time_t now)
{
	p->usable = bit_copy(p->node_bitmap);
	return (planned->asked++ < MAX_QUESTIONS) && _nominate(p, now) &&
		(place_foresee(p) == SLURM_SUCCESS);
}

extern bool ahead_plan(struct place *p, struct planned *planned)
{
	job_record_t *job_ptr = p->job_ptr;
	time_t now = time(NULL);
	time_t quota = MAX(p->entry->job->estimate, now + 2);

	planned->reached = true;
	if (_is_known(p, planned, now)) {
		bit_copybits(p->node_bitmap, planned->nodes);
		job_ptr->start_time = MAX(quota, planned->nodes_at);
		planned_note(planned, planned->nodes, planned->nodes_at,
			     job_ptr->start_time, now);
		return true;
	}
	if (!_ask(p, planned, now)) {
		planned_clear(planned);
		return false;
	}
	planned_note(planned, p->node_bitmap, job_ptr->start_time,
		     MAX(quota, job_ptr->start_time), now);
	job_ptr->start_time = planned->start;
	return true;
}
