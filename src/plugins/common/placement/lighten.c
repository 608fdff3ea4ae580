/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  lighten.c - no victim that is not needed
 *
 *  cons_tres takes its candidates away one after the other until the job fits,
 *  and returns all of these that have a part of the nodes. Some are there only
 *  because their turn came first: the job would fit without them. So it is asked
 *  once more without each.
\*****************************************************************************/
#include "placement/lighten.h"

#include "state/job.h"
#include "match/het_records.h"

/* How often cons_tres is asked again. One question costs it as many tests as
 * there are candidates, some times over: of many candidates fewer are asked
 * about. */
#define MAX_QUESTIONS 16
#define MAX_TESTS 256

struct lighter {
	struct place *p;
	uint32_t max_nodes;
	int64_t now;
	int questions, tests;		/* so far */
	/* the best answer so far */
	struct victim *victims;
	size_t nvictims;
	bitstr_t *nodes;
};

/* CPU seconds that are lost when it goes: 0 for a job on its way out */
static double _loss(const struct victim *v, time_t now)
{
	const job_record_t *job_ptr = place_victim_record(v->workload);

	if (!job_ptr || workload_evicting(v->workload))
		return 0;
	return difftime(now, job_ptr->start_time) * job_ptr->total_cpus;
}

static void _keep_answer(struct lighter *l)
{
	xfree(l->victims);
	l->victims = place_victims(l->p->victims, l->p->nvictims);
	l->nvictims = l->p->nvictims;
	bit_copybits(l->nodes, l->p->node_bitmap);
}

static void _restore_answer(const struct lighter *l)
{
	struct place *p = l->p;

	free_job_resources(&p->job_ptr->job_resrcs);
	xfree(p->victims);
	p->victims = place_victims(l->victims, l->nvictims);
	p->nvictims = l->nvictims;
	bit_copybits(p->node_bitmap, l->nodes);
}

/* Do the rules allow p->victims together, and is there quota then? */
static bool _is_right(const struct lighter *l)
{
	struct place *p = l->p;
	struct workload **gone = place_workloads(p->victims, p->nvictims);
	bool right = engine_fits(ctld.engine, p->entry->work, p->charges,
				 p->ncharges, gone, p->nvictims) &&
		(engine_allowed(ctld.engine, p->entry->work, l->now,
				p->charges, p->ncharges, p->victims,
				p->nvictims) == p->nvictims);

	xfree(gone);
	return right;
}

static bool _may_ask(const struct lighter *l, size_t n)
{
	return (l->questions < MAX_QUESTIONS) &&
		(l->tests + (int) n <= MAX_TESTS);
}

/* Would these do? Then they are the best answer from now on. */
static bool _try(struct lighter *l, const struct victim *victims, size_t n)
{
	struct place *p = l->p;

	l->questions++;
	l->tests += n;
	if ((place_select_with(p, l->max_nodes, victims, n) != SLURM_SUCCESS) ||
	    p->job_ptr->job_resrcs || !_is_right(l))
		return false;
	_keep_answer(l);
	return true;
}

static bool _is_one_of(const struct lighter *l, const struct workload *w)
{
	for (size_t i = 0; i < l->nvictims; i++) {
		if (l->victims[i].workload == w)
			return true;
	}
	return false;
}

/* The best answer without that job; components of one job stay or go together */
static bool _try_without(struct lighter *l, const struct workload *w)
{
	job_record_t *job_ptr = place_victim_record(w);
	struct victim *rest;
	size_t n = 0;
	bool found;

	rest = xcalloc(l->nvictims + 1, sizeof(*rest));
	for (size_t i = 0; i < l->nvictims; i++) {
		if (place_victim_record(l->victims[i].workload) != job_ptr)
			rest[n++] = l->victims[i];
	}
	found = n && _may_ask(l, n) && _try(l, rest, n);
	xfree(rest);
	return found;
}

struct choice {
	struct workload *w;
	double loss;
};

/* The largest loss first */
static int _by_loss(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	return (x->loss < y->loss) - (x->loss > y->loss);
}

static void _leave_out(struct lighter *l)
{
	time_t now = time(NULL);
	size_t n = l->nvictims;
	struct choice *list = xcalloc(n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = (struct choice) { l->victims[i].workload,
					    _loss(&l->victims[i], now) };
	qsort(list, n, sizeof(*list), _by_loss);
	for (size_t i = 0; i < n; i++) {
		/* an earlier question may have spared it already */
		if (!workload_evicting(list[i].w) &&
		    _is_one_of(l, list[i].w))
			(void) _try_without(l, list[i].w);
	}
	xfree(list);
}

/* Nodes were needed: with victims for quota alone cons_tres has selected nodes
 * that are free already. Which victims a component has depends on the others. */
static bool _may_be_lighter(const struct place *p)
{
	return (p->mode == SELECT_MODE_RUN_NOW) && (p->nvictims > 1) &&
		!p->job_ptr->job_resrcs && !p->job_ptr->het_job_id;
}

extern void lighten_victims(struct place *p, uint32_t max_nodes, int64_t now)
{
	struct lighter l = {
		.p = p, .max_nodes = max_nodes, .now = now,
	};

	if (!_may_be_lighter(p))
		return;
	l.nodes = bit_copy(p->node_bitmap);
	_keep_answer(&l);
	_leave_out(&l);
	_restore_answer(&l);
	xfree(l.victims);
	FREE_NULL_BITMAP(l.nodes);
}
