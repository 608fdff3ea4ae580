/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  het_place.c - nodes for all components of a heterogeneous job, or for none
 *
 *  Only backfill starts such jobs: it looks when each component could start
 *  (WILL_RUN), and if all could now, starts one after the other. A component
 *  that fails then takes those before it down again, and they have to wait for
 *  their credentials to expire. So before the first component starts, or evicts
 *  other jobs, all are tried here on the nodes that backfill saw for them.
 *  Victims are evicted, and quota is owned, for all components at once.
\*****************************************************************************/

#include "slurm/passes.h"
#include "request/request.h"
#include "jobs/jobs.h"
#include "books/books.h"
#include "placement/place.h"

/* ---- what backfill saw ---- */

/* It could start now by an earlier one of its partitions: backfill takes that. */
static bool _is_seen(const struct job *job)
{
	const struct het_test *seen = job->offer.seen;

	return job->job_ptr->part_ptr_list && seen &&
		(seen->pass == ctld.sorted) &&
		xstrcmp(seen->partition, job->job_ptr->part_ptr->name);
}

static void _note_test(const struct place *p)
{
	struct job *job = p->entry->job;
	struct het_test *seen;

	if (_is_seen(job))
		return;
	job_forget_het_test(job);
	if (p->job_ptr->start_time > time(NULL)) {
		(void) chance_note_no_nodes(&job->first);
		return;
	}
	chance_event(&job->first, TRY_FINDS_NODES);
	seen = job->offer.seen = xmalloc(sizeof(*seen));
	*seen = (struct het_test) {
		.usable = bit_copy(p->usable),
		.min_nodes = p->min_nodes,
		.max_nodes = p->max_nodes,
		.req_nodes = p->req_nodes,
		.partition = xstrdup(p->job_ptr->part_ptr->name),
		.pass = ctld.sorted,
	};
}

/* ---- all of them at once ---- */

/* Book it as if it was decided already; _undo() undoes it */
static void _charge(struct place *p)
{
	p->evicting = xcalloc(p->nvictims + 1, sizeof(bool));
	for (size_t i = 0; i < p->nvictims; i++) {
		struct workload *w = p->victims[i].workload;

		p->evicting[i] = !workload_evicting(w);
		engine_evicting(ctld.engine, w, true);
	}
	p->owns = !workload_owns(p->entry->work) &&
		!engine_own(ctld.engine, p->entry->work, p->charges, p->ncharges);
}

static void _undo(struct place *p)
{
	for (size_t i = 0; p->evicting && (i < p->nvictims); i++) {
		if (p->evicting[i])
			engine_evicting(ctld.engine, p->victims[i].workload, false);
	}
	if (p->owns)
		engine_disown(ctld.engine, p->entry->work);
	p->owns = false;
	xfree(p->evicting);
}

/* False if backfill has not seen nodes for it */
static bool _prepare(struct place *q, const struct place *p, struct job *job, bitstr_t *used)
{
	const struct het_test *seen = job->offer.seen;
	part_record_t *part_ptr = seen ? find_part_record(seen->partition) :
		NULL;

	if (!part_ptr || (bit_size(seen->usable) != bit_size(used)))
		return false;
	/* not the last partition that was tried; Slurm does the same when it
	 * starts the component */
	job->job_ptr->part_ptr = part_ptr;
	request_renew(job->job_ptr);
	*q = (struct place) {
		.cons_tres = p->cons_tres,
		.job_ptr = job->job_ptr, .entry = &job->first,
		.min_nodes = seen->min_nodes, .max_nodes = seen->max_nodes,
		.req_nodes = seen->req_nodes, .mode = p->mode,
		.may_evict = p->may_evict, .now = p->now,
	};
	q->preemptee_job_list = &q->preemptees;
	q->usable = bit_copy(seen->usable);
	bit_and_not(q->usable, used);	/* no node is given to two of them */
	q->node_bitmap = bit_copy(q->usable);
	return true;
}

static enum found _try_others(struct place *p)
{
	bitstr_t *used = bit_copy(p->node_bitmap);
	enum found found = FOUND_PLACE;

	for_each_component(c, p->job_ptr, false) {
		struct place *q = &p->others[p->nothers];

		if ((found != FOUND_PLACE) || (&c->first == p->entry))
			continue;
		if (!_prepare(q, p, c, used)) {
			found = FOUND_NO_NODES;
			continue;
		}
		p->nothers++;
		if ((found = place_find(q)) != FOUND_PLACE)
			continue;
		free_job_resources(&q->job_ptr->job_resrcs);
		bit_or(used, q->node_bitmap);
		_charge(q);
	}
	FREE_NULL_BITMAP(used);
	return found;
}

static bool _has_victim(const struct place *p, size_t n, const struct workload *victim)
{
	for (size_t i = 0; i < n; i++) {
		if (p->victims[i].workload == victim)
			return true;
	}
	return false;
}

static void _add_victims(struct place *p, const struct place *q)
{
	xrecalloc(p->victims, p->nvictims + q->nvictims + 1, sizeof(*p->victims));
	for (size_t i = 0; i < q->nvictims; i++) {
		if (!_has_victim(p, p->nvictims, q->victims[i].workload))
			p->victims[p->nvictims++] = q->victims[i];
	}
}

extern const struct place *het_place_asking(const struct place *p, const struct workload *victim)
{
	if (_has_victim(p, p->nown, victim))
		return p;
	for (size_t i = 0; i < p->nothers; i++) {
		if (_has_victim(&p->others[i], p->others[i].nvictims, victim))
			return &p->others[i];
	}
	return p;
}

/* The first component is to start, and none has started */
static size_t _count_others(const struct place *p)
{
	size_t n = 0, begun = 0;

	for_each_component(c, p->job_ptr, true)
		begun += c != NULL;
	for_each_component(c, p->job_ptr, false)
		n += &c->first != p->entry;
	return begun ? 0 : n;
}

static enum found _find_all(struct place *p)
{
	size_t n = _count_others(p);
	enum found found = place_find(p);

	if ((found != FOUND_PLACE) || !n)
		return found;
	p->others = xcalloc(n, sizeof(*p->others));
	_charge(p);
	found = _try_others(p);
	for (size_t i = p->nothers; i-- > 0; )
		_undo(&p->others[i]);
	_undo(p);
	if (found != FOUND_PLACE) {
		free_job_resources(&p->job_ptr->job_resrcs);
		return found;
	}
	p->nown = p->nvictims;
	for (size_t i = 0; i < p->nothers; i++)
		_add_victims(p, &p->others[i]);
	return FOUND_PLACE;
}

extern enum found het_place_find(struct place *p)
{
	enum found found;

	if (!p->job_ptr->het_job_id)
		return place_find(p);
	if (p->mode == SELECT_MODE_RUN_NOW)
		return _find_all(p);
	found = place_find(p);
	if (found == FOUND_PLACE)
		_note_test(p);
	return found;
}
