/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  het.c - heterogeneous jobs: all components or none
 *
 *  Each component has a record in slurmctld, and an entry in the cluster queue
 *  that its partition matches; a bond in the engine makes them one decision.
 *  Only backfill starts such jobs: it looks when each component could start
 *  (WILL_RUN), and if all could now, starts one after the other. A component
 *  that fails then takes those before it down again, and they have to wait for
 *  their credentials to expire. So before the first one starts, or evicts
 *  anybody, all are tried here on the nodes that backfill saw for them; for
 *  all of them at once victims are evicted, and quota is owned.
\*****************************************************************************/
#include "books/het.h"

#include "state/job.h"
#include "slurm/passes.h"
#include "match/queue_of_job.h"
#include "books/jobs.h"
#include "placement/place.h"
#include "hooks/gate.h"

/* Ids of the components of one job, as Slurm writes them: "7-9,12". Its list of
 * their records may be locked when we are called (26.05 cancels and requeues so),
 * and whoever looks at it then ends slurmctld. */
struct ids {
	uint32_t het_job_id;
	uint32_t next, last;
	const char *rest;
};

static struct ids _components(const job_record_t *job_ptr)
{
	const job_record_t *leader = job_ptr->het_job_id ?
		find_job_record(job_ptr->het_job_id) : NULL;
	struct ids ids = { .het_job_id = job_ptr->het_job_id, .next = 1 };

	/* without the list it is still being submitted */
	if (leader && leader->het_job_list)
		ids.rest = leader->het_job_id_set;
	return ids;
}

static job_record_t *_next_record(struct ids *ids)
{
	char *end;

	for (;;) {
		while (ids->next <= ids->last) {
			job_record_t *job_ptr = find_job_record(ids->next++);

			if (job_ptr && (job_ptr->het_job_id == ids->het_job_id))
				return job_ptr;
		}
		if (!ids->rest)
			return NULL;
		ids->next = ids->last = strtoul(ids->rest, &end, 10);
		if (*end == '-')
			ids->last = strtoul(end + 1, &end, 10);
		ids->rest = (*end == ',') ? end + 1 : NULL;
	}
}

/* The next one that waits in the books, or (`running`) runs in them */
static struct job *_next(struct ids *ids, bool running)
{
	job_record_t *job_ptr;

	while ((job_ptr = _next_record(ids))) {
		struct job *job = jobs_find(job_ptr->job_id);

		if (job && job->work &&
		    (workload_running(job->work) == running))
			return job;
	}
	return NULL;
}

#define for_each_component(c_, job_ptr_, running_)			\
	for (struct ids ids_ = _components(job_ptr_), *once_ = &ids_;	\
	     once_; once_ = NULL)					\
		for (struct job *c_ = _next(&ids_, running_); c_;	\
		     c_ = _next(&ids_, running_))

extern job_record_t *het_leader(job_record_t *job_ptr)
{
	job_record_t *leader = job_ptr->het_job_id ?
		find_job_record(job_ptr->het_job_id) : NULL;

	return leader && leader->het_job_list ? leader : job_ptr;
}

extern bool het_any(const job_record_t *job_ptr,
		    bool (*f)(job_record_t *job_ptr, time_t now), time_t now)
{
	struct ids ids = _components(job_ptr);
	job_record_t *component;

	while ((component = _next_record(&ids))) {
		if (f(component, now))
			return true;
	}
	return false;
}

/* ---- in line ---- */

extern bool het_is_follower(const struct job *job, int queue)
{
	bool follower = false;

	for_each_component(c, job->job_ptr, false)
		follower |= (c->queue == queue) &&
			(c->job_ptr->het_job_offset <
			 job->job_ptr->het_job_offset);
	return follower;
}

extern void het_bind(struct job *job)
{
	struct job *fellow = NULL;

	if (!job->work || workload_bonded(job->work))
		return;
	for_each_component(c, job->job_ptr, false) {
		if ((c != job) && (!fellow || workload_bonded(c->work)))
			fellow = c;
	}
	if (fellow && engine_bond(ctld.engine, job->work, fellow->work,
				  BOND_TOGETHER))
		error(PREFIX "%pJ: %m", job->job_ptr);
}

extern bool het_evicts(const struct job *job)
{
	bool evicts = false;

	for_each_component(c, job->job_ptr, false)
		evicts |= engine_verdict(ctld.engine, c->work)->kind ==
			VERDICT_PREEMPT;
	return evicts;
}

/* Those who wait for victims of the others only are tried with them. */
extern bool het_goes(const struct job *job)
{
	bool goes = true, waits = false;

	for_each_component(c, job->job_ptr, false) {
		const struct verdict *v = engine_verdict(ctld.engine, c->work);

		if (v->kind != VERDICT_WAIT)
			continue;
		waits = true;
		goes &= v->reason == WAIT_IS_PREEMPTING;
	}
	return goes && (!waits || het_evicts(job));
}

/* ---- running ---- */

extern struct workload *het_joined_to(struct job *job)
{
	struct job *first = NULL;

	if (!job->job_ptr->het_job_id)
		return NULL;
	for_each_component(c, job->job_ptr, true) {
		if (!first)
			first = c;
	}
	return first && (first != job) ? first->work : NULL;
}

/* Who evicts one evicts all, also those that are of no cluster queue. */
extern bool het_is_mixed(const struct job *job)
{
	struct ids ids = _components(job->job_ptr);
	job_record_t *job_ptr;
	bool mixed = false;

	while ((job_ptr = _next_record(&ids)))
		mixed |= job_holds_nodes(job_ptr) &&
			(queue_of_job(job_ptr, job_ptr->part_ptr) == SPEC_NONE);
	return mixed;
}

extern void het_each_running(struct job *job, void (*f)(struct job *c, void *arg),
			     void *arg)
{
	for_each_component(c, job->job_ptr, true)
		f(c, arg);
}

/* A start that failed half way: what the others own is free again. */
extern void het_ended(const job_record_t *job_ptr)
{
	for_each_component(c, job_ptr, false) {
		engine_disown(ctld.engine, c->work);
		jobs_set_own(c, 0);
	}
}

/* ---- what backfill saw ---- */

extern void het_test_free(struct job *job)
{
	if (job->seen) {
		FREE_NULL_BITMAP(job->seen->usable);
		xfree(job->seen->partition);
	}
	xfree(job->seen);
}

/* By an earlier one of its partitions it could start now: backfill takes that. */
static bool _is_seen(const struct job *job)
{
	return job->job_ptr->part_ptr_list && job->seen &&
		(job->seen->pass == pass_number()) &&
		xstrcmp(job->seen->partition, job->job_ptr->part_ptr->name);
}

extern void het_note_test(const struct place *p)
{
	struct job *job = p->job;

	if (_is_seen(job))
		return;
	het_test_free(job);
	job->no_nodes = p->job_ptr->start_time > time(NULL);
	engine_blocked(ctld.engine, job->work, job->no_nodes);
	if (job->no_nodes)
		return;
	job->seen = xmalloc(sizeof(*job->seen));
	*job->seen = (struct het_test) {
		.usable = bit_copy(p->usable),
		.min_nodes = p->min_nodes,
		.max_nodes = p->max_nodes,
		.req_nodes = p->req_nodes,
		.partition = xstrdup(p->job_ptr->part_ptr->name),
		.pass = pass_number(),
	};
}

/* ---- all of them at once ---- */

/* In the books as if it was decided already; undone by _undo() */
static void _charge(struct place *p)
{
	p->marked = xcalloc(p->nvictims + 1, sizeof(bool));
	for (size_t i = 0; i < p->nvictims; i++) {
		struct workload *w = p->victims[i].workload;

		p->marked[i] = !workload_evicting(w);
		engine_evicting(ctld.engine, w, true);
	}
	p->claimed = !workload_owns(p->job->work) &&
		!engine_own(ctld.engine, p->job->work, p->charges, p->ncharges);
}

static void _undo(struct place *p)
{
	for (size_t i = 0; p->marked && (i < p->nvictims); i++) {
		if (p->marked[i])
			engine_evicting(ctld.engine, p->victims[i].workload,
					false);
	}
	if (p->claimed)
		engine_disown(ctld.engine, p->job->work);
	p->claimed = false;
	xfree(p->marked);
}

/* False if backfill has not seen nodes for it */
static bool _prepare(struct place *q, const struct place *p, struct job *job,
		     bitstr_t *used)
{
	const struct het_test *seen = job->seen;
	part_record_t *part_ptr = seen ? find_part_record(seen->partition) :
		NULL;

	if (!part_ptr || (bit_size(seen->usable) != bit_size(used)))
		return false;
	/* not the last one that was tried; Slurm does the same when it starts it */
	job->job_ptr->part_ptr = part_ptr;
	*q = (struct place) {
		.real = p->real, .job_ptr = job->job_ptr, .job = job,
		.min_nodes = seen->min_nodes, .max_nodes = seen->max_nodes,
		.req_nodes = seen->req_nodes, .mode = p->mode,
		.may_evict = p->may_evict,
	};
	q->preemptee_job_list = &q->list;
	q->usable = bit_copy(seen->usable);
	bit_and_not(q->usable, used);	/* no node is given to two of them */
	q->node_bitmap = bit_copy(q->usable);
	return true;
}

static int _try_others(struct place *p, int64_t now)
{
	bitstr_t *used = bit_copy(p->node_bitmap);
	int rc = 0;

	for_each_component(c, p->job_ptr, false) {
		struct place *q = &p->others[p->nothers];

		if (rc || (c == p->job))
			continue;
		if (!_prepare(q, p, c, used)) {
			rc = -1;
			continue;
		}
		p->nothers++;
		if ((rc = gate_find_place(q, now)))
			continue;
		free_job_resources(&q->job_ptr->job_resrcs);
		bit_or(used, q->node_bitmap);
		_charge(q);
	}
	FREE_NULL_BITMAP(used);
	return rc;
}

static void _add_victims(struct place *p, const struct place *q)
{
	xrecalloc(p->victims, p->nvictims + q->nvictims + 1,
		  sizeof(*p->victims));
	for (size_t i = 0; i < q->nvictims; i++) {
		bool known = false;

		for (size_t k = 0; k < p->nvictims; k++)
			known |= p->victims[k].workload ==
				q->victims[i].workload;
		if (!known)
			p->victims[p->nvictims++] = q->victims[i];
	}
}

/* The first one of them is to start, and nobody has */
static size_t _count_others(const struct place *p)
{
	size_t n = 0, begun = 0;

	for_each_component(c, p->job_ptr, true)
		begun += c != NULL;
	for_each_component(c, p->job_ptr, false)
		n += c != p->job;
	return begun ? 0 : n;
}

extern int het_find_place(struct place *p, int64_t now)
{
	size_t n = _count_others(p);
	int rc = gate_find_place(p, now);

	if (rc || !n)
		return rc;
	p->others = xcalloc(n, sizeof(*p->others));
	_charge(p);
	rc = _try_others(p, now);
	for (size_t i = p->nothers; i-- > 0; )
		_undo(&p->others[i]);
	_undo(p);
	if (rc)
		free_job_resources(&p->job_ptr->job_resrcs);
	for (size_t i = 0; !rc && (i < p->nothers); i++)
		_add_victims(p, &p->others[i]);
	return rc;
}

extern void het_place_free(struct place *p)
{
	for (size_t i = 0; i < p->nothers; i++) {
		FREE_NULL_BITMAP(p->others[i].node_bitmap);
		FREE_NULL_LIST(p->others[i].list);
		place_free(&p->others[i]);
	}
	xfree(p->others);
	p->nothers = 0;
}
