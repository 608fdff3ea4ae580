/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  lighten.c - victims that lose less, and none that is not needed
 *
 *  cons_tres takes its candidates away one after the other until the job fits,
 *  and returns all of these that have a part of the nodes. The order is that of
 *  quota, which knows no nodes. So other sets are looked for that would lose
 *  less by what jobs have on nodes, and cons_tres is asked about them. A job that
 *  alone is no better is in none of these. Then cons_tres is asked once more
 *  without each: some are there only because their turn came first.
\*****************************************************************************/
#include "placement/lighten.h"

#include "state/job.h"
#include "slurm/clock.h"
#include "match/het_records.h"
#include "match/job_standing.h"
#include "request/loss.h"
#include "request/room.h"
#include "lib/budget.h"
#include "placement/packing.h"

/* How often cons_tres is asked again. One question costs it as many tests as
 * there are candidates, some times over: of many candidates fewer are asked
 * about. */
#define MAX_QUESTIONS 16
#define MAX_TESTS 256
/* How many other sets it is asked about; how often the rules are asked about one
 * in all of these searches, divided by the number of candidates; and the looks of
 * all of these searches at what a job has on a node. Where candidates have parts
 * of more nodes than MAX_PARTS, the search is left out. */
#define MAX_PROPOSALS 4
#define MAX_JUDGED 16384
#define MAX_LOOKS 400000
#define MAX_PARTS 100000
/* What many placements one after the other may take: so many looks at once, and
 * then one more in that many ns. A question to the rules counts as a look at each
 * candidate. */
#define MOST_SAVED 1000000
#define NS_PER_LOOK 2000

_Static_assert(RANKS_MOST <= CLEARING_LEVELS, "a level for each rank");

/* In looks, not in ns */
static struct budget all_looks = { .parts = NS_PER_LOOK, .most = MOST_SAVED };

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

/* What is lost when it goes: nothing for a job on its way out only */
static struct clearing_item _loss(const struct lighter *l,
				  const struct victim *v, time_t now)
{
	job_record_t *job_ptr = place_victim_record(v->workload);
	struct clearing_item item = { .loss = 0 };
	int64_t weight;

	if (!job_ptr || workload_evicting(v->workload))
		return item;
	weight = packing_loss_weight(l->p, job_ptr);
	item = loss_of(job_ptr, now);
	item.loss *= weight;
	item.tie *= weight;
	return item;
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

/* Do the rules allow these together? */
static bool _is_allowed(const struct lighter *l, const struct victim *victims,
			size_t n)
{
	const struct place *p = l->p;

	return engine_allowed(ctld.engine, p->entry->work, l->now, p->charges,
			      p->ncharges, victims, n) == n;
}

/* Is there quota when these are gone? */
static bool _is_enough(const struct lighter *l, const struct victim *victims,
		       size_t n)
{
	const struct place *p = l->p;
	struct workload **gone = place_workloads(victims, n);
	bool enough = engine_fits(ctld.engine, p->entry->work, p->charges,
				  p->ncharges, gone, n);

	xfree(gone);
	return enough;
}

static bool _is_right(const struct lighter *l)
{
	return _is_enough(l, l->p->victims, l->p->nvictims) &&
		_is_allowed(l, l->p->victims, l->p->nvictims);
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
	struct clearing_item loss;
};

/* The largest loss first */
static int _by_loss(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	return clearing_compare_items(&y->loss, &x->loss);
}

static void _leave_out(struct lighter *l)
{
	time_t now = time(NULL);
	size_t n = l->nvictims;
	struct choice *list = xcalloc(n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = (struct choice) { l->victims[i].workload,
					    _loss(l, &l->victims[i], now) };
	qsort(list, n, sizeof(*list), _by_loss);
	for (size_t i = 0; i < n; i++) {
		if (!_may_ask(l, l->nvictims - 1))
			break;
		/* an earlier question may have spared it already */
		if (!workload_evicting(list[i].w) &&
		    _is_one_of(l, list[i].w))
			(void) _try_without(l, list[i].w);
	}
	xfree(list);
}

/* ---- another set ---- */

struct proposals {
	struct lighter *l;
	struct room room;
	struct victim *list;		/* who may go, an item each: */
	struct clearing_item *items;	/* what is lost */
	size_t n;
	bool *gone;			/* by item: the last one */
	bool *refused[MAX_PROPOSALS];
	int nrefused;
	size_t looks, questions;	/* so far */
};

/* The candidates that are gone, and those that leave anyway: what these use counts for
 * quota, also on nodes that others hold. The caller frees the list. */
static struct victim *_chosen(const struct proposals *all, const bool *gone,
			      size_t *n)
{
	struct victim *list = xcalloc(all->room.c.nitems + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < all->room.c.nitems; i++) {
		if (gone[i] || all->items[i].leaving)
			list[(*n)++] = all->list[i];
	}
	return list;
}

/* For clearing_find() */
static enum clearing_answer _judge(const bool *gone, void *arg)
{
	const struct proposals *all = arg;
	enum clearing_answer answer = CLEARING_ALLOWED;
	struct victim *list;
	size_t n;

	for (int i = 0; i < all->nrefused; i++) {
		if (!memcmp(gone, all->refused[i],
			    all->room.c.nitems * sizeof(*gone)))
			return CLEARING_REFUSED;
	}
	list = _chosen(all, gone, &n);
	if (!_is_allowed(all->l, list, n))
		answer = CLEARING_FORBIDDEN;
	else if (!_is_enough(all->l, list, n))
		answer = CLEARING_TOO_FEW;
	xfree(list);
	return answer;
}

/* What is lost with each candidate. False: they have parts of too many nodes, or
 * there is no memory. */
static bool _value_candidates(struct proposals *all)
{
	int *ranks = xcalloc(all->n + 1, sizeof(*ranks));
	time_t now = time(NULL);
	size_t parts = 0;
	bool done;

	all->items = xcalloc(all->n + 1, sizeof(*all->items));
	done = !engine_rank_candidates(all->list, all->n, ranks);
	for (size_t i = 0; i < all->n; i++) {
		all->items[i] = _loss(all->l, &all->list[i], now);
		all->items[i].level = ranks[i];
		all->items[i].leaving =
			workload_evicting(all->list[i].workload);
		parts += place_victim_record(all->list[i].workload)->node_cnt;
	}
	xfree(ranks);
	all->looks += parts;
	return done && (parts <= MAX_PARTS);
}

/* The victims of the best answer, as a set of the candidates, the caller's. NULL: not
 * all of them are candidates */
static bool *_known(const struct proposals *all)
{
	bool *now = xcalloc(all->n + 1, sizeof(*now));
	size_t known = 0;

	for (size_t i = 0; i < all->n; i++) {
		now[i] = _is_one_of(all->l, all->list[i].workload);
		known += now[i];
	}
	if (known != all->l->nvictims)
		xfree(now);
	return now;
}

/* Do these lose less than the best answer? */
static bool _is_better(const struct proposals *all, const bool *gone)
{
	const struct clearing c = { .nitems = all->n, .items = all->items };
	bool *now = _known(all);
	bool better = now && clearing_is_better(&c, gone, now);

	xfree(now);
	return better;
}

/* Those stay that can be in a set that loses less, and the victims of the best answer.
 * False: there are none. */
static bool _keep_useful(struct proposals *all)
{
	const struct clearing c = { .nitems = all->n, .items = all->items };
	bool *now = _known(all), *useful = xcalloc(all->n + 1, sizeof(*useful));
	bool any = now && clearing_find_useful(&c, now, useful);
	size_t n = 0;

	for (size_t i = 0; any && (i < all->n); i++) {
		if (!useful[i] && !now[i])
			continue;
		all->list[n] = all->list[i];
		all->items[n++] = all->items[i];
	}
	all->n = n;
	xfree(now);
	xfree(useful);
	return any;
}

static bool _open_proposals(struct proposals *all)
{
	struct place *p = all->l->p;

	if (!all->n || !_value_candidates(all) || !_keep_useful(all) ||
	    !place_narrow(p) ||
	    !room_open(&all->room, p->entry, p->node_bitmap, p->min_nodes,
		       all->l->max_nodes, all->n))
		return false;
	for (size_t i = 0; i < all->n; i++)
		room_add(&all->room, place_victim_record(all->list[i].workload),
			 &all->items[i]);
	all->room.c.judge = _judge;
	all->room.c.arg = all;
	all->room.c.looks = &all->looks;
	all->room.c.questions = &all->questions;
	return true;
}

/* The next set, with half of the looks that are left. False: none that loses less, or the limits are reached (or there
 * is no memory: then the answer of cons_tres stays as well) */
static bool _find_proposal(struct proposals *all)
{
	size_t most = MAX(MAX_JUDGED / all->n, 16);

	if ((all->looks >= MAX_LOOKS) || (all->questions >= most))
		return false;
	all->room.c.max_looks = (MAX_LOOKS - all->looks) / 2;
	all->room.c.max_questions = most - all->questions;
	return clearing_find(&all->room.c, all->gone) &&
		_is_better(all, all->gone);
}

static void _refuse(struct proposals *all)
{
	bool *refused = xcalloc(all->n, sizeof(*refused));

	memcpy(refused, all->gone, all->n * sizeof(*refused));
	all->refused[all->nrefused++] = refused;
}

/* Would cons_tres take it? */
static bool _try_proposal(struct proposals *all)
{
	size_t n;
	struct victim *list = _chosen(all, all->gone, &n);
	bool taken = _may_ask(all->l, n) && _try(all->l, list, n);

	xfree(list);
	return taken;
}

/* Sets that would lose less, the best first, until cons_tres takes one */
static void _propose(struct lighter *l)
{
	struct proposals all = { .l = l };

	if (!budget_has(&all_looks, clock_ns(CLOCK_MONOTONIC)))
		return;
	all.n = find_proposable(l->p, l->now, l->victims, l->nvictims,
				&all.list);
	all.gone = xcalloc(all.n + 1, sizeof(*all.gone));
	if (_open_proposals(&all)) {
		while ((all.nrefused < MAX_PROPOSALS) && _find_proposal(&all) &&
		       !_try_proposal(&all))
			_refuse(&all);
	}
	budget_spend(&all_looks, all.looks + all.questions * all.n);
	for (int i = 0; i < all.nrefused; i++)
		xfree(all.refused[i]);
	room_free(&all.room);
	xfree(all.items);
	xfree(all.gone);
	xfree(all.list);
}

static bool _all_leave(const struct place *p)
{
	for (size_t i = 0; i < p->nvictims; i++) {
		if (!workload_evicting(p->victims[i].workload))
			return false;
	}
	return true;
}

/* Nodes were needed: with victims for quota alone cons_tres has selected nodes
 * that are free already. Which victims a component has depends on the others. */
static bool _may_be_lighter(const struct place *p)
{
	return (p->mode == SELECT_MODE_RUN_NOW) && !_all_leave(p) &&
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
	if (p->may_evict && !p->partial && !packing_network_chooses(p))
		_propose(&l);
	if (l.nvictims > 1)
		_leave_out(&l);
	_restore_answer(&l);
	debug(PREFIX "%pJ: %zu victims, cons_tres was asked %d times for less",
	      p->job_ptr, p->nvictims, l.questions);
	xfree(l.victims);
	FREE_NULL_BITMAP(l.nodes);
}
