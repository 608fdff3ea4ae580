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
#include "placement/place.h"

#include "slurm/worker.h"
#include "match/match.h"
#include "request/request.h"
#include "lib/budget.h"

/* How often cons_tres is asked again. One question costs it as many tests as there are
 * candidates, some times over: of many candidates fewer are asked about. */
#define MAX_QUESTIONS 16
#define MAX_TESTS 256
/* How many other sets cons_tres is asked about; how often the rules are asked about a set
 * in all of these searches, divided by the number of candidates; and the looks of
 * all of these searches at what a job has on a node. Where candidates have parts
 * of more nodes than MAX_PARTS, the search is left out. */
#define MAX_PROPOSALS 4
#define MAX_JUDGED 16384
#define MAX_LOOKS 400000
#define MAX_PARTS 100000
/* What many placements one after the other may take: so many looks at once, and then one more
 * in that many ns. A question to the rules counts as a look at each candidate. */
#define MOST_SAVED 1000000
#define NS_PER_LOOK 2000

_Static_assert(RANKS_MOST <= CLEARING_LEVELS, "a level for each rank");

/* In looks, not in ns */
static struct budget all_looks = { .parts = NS_PER_LOOK, .most = MOST_SAVED };

struct lighter {
	struct place *p;		/* its victims and nodes are the best answer so far */
	int questions, tests;		/* so far, to cons_tres */
	/* other sets: */
	struct room room;
	struct victim *list;		/* who may be evicted, an item each: */
	struct clearing_item *items;	/* what is lost */
	bool *best;			/* is it a victim of the best answer? */
	size_t n;
	bool *refused[MAX_PROPOSALS];	/* sets that cons_tres does not take, by item */
	int nrefused;
	size_t looks, judged;		/* so far */
};

/* ---- what is lost ---- */

/* What each second of the job is worth by lossWeights */
static double _worth(job_record_t *job_ptr, const double *weights)
{
	size_t n = ctld.conf->spec->nresources;
	int64_t *amounts = xcalloc(n + 1, sizeof(*amounts));
	double sum = 0;

	allocated_of(job_ptr, NULL, amounts);
	for (size_t i = 0; i < n; i++)
		sum += weights[i] * (double) MAX(amounts[i], 0);
	xfree(amounts);
	return sum;
}

/* Seconds of this run since its last checkpoint, the one that has begun included, times what the
 * job has: CPUs, or the sum of its resources by lossWeights of cohort.yaml; then CPU time is what
 * breaks ties (section 10 of doc/how-it-decides.md). Nothing for a job on its way out. No level, no
 * shares. */
static struct clearing_item _loss(const struct lighter *l, const struct victim *v)
{
	job_record_t *job_ptr = place_victim_record(v->workload);
	const double *weights = ctld.conf->loss_weights;
	double seconds, cpu_time;
	int64_t weight;

	if (!job_ptr || workload_evicting(v->workload))
		return (struct clearing_item) { .loss = 0 };
	weight = packing_loss_weight(l->p, job_ptr);
	seconds = weight * (1.0 + job_would_lose(job_ptr, time(NULL)));
	cpu_time = seconds * job_ptr->total_cpus;
	if (!weights)
		return (struct clearing_item) { .loss = cpu_time };
	return (struct clearing_item) { .loss = seconds * _worth(job_ptr, weights),
					.tie = cpu_time };
}

/* ---- another answer ---- */

/* Do the rules allow these together? */
static bool _is_allowed(const struct lighter *l, const struct victim *victims, size_t n)
{
	return place_is_allowed(l->p, victims, n) == n;
}

static bool _may_ask(const struct lighter *l, size_t n)
{
	return (l->questions < MAX_QUESTIONS) && (l->tests + (int) n <= MAX_TESTS);
}

/* Would these do? Then they are the best answer from now on. */
static bool _try(struct lighter *l, const struct victim *victims, size_t n)
{
	struct place *p = l->p;
	struct victim *best = p->victims;
	size_t nbest = p->nvictims;
	bitstr_t *nodes;
	bool does;

	if (!n || !_may_ask(l, n))
		return false;
	l->questions++;
	l->tests += n;
	nodes = bit_copy(p->node_bitmap);
	p->victims = NULL;
	does = (place_select_with(p, victims, n) == SLURM_SUCCESS) &&
		!p->job_ptr->job_resrcs && place_fits(p, p->victims, p->nvictims) &&
		_is_allowed(l, p->victims, p->nvictims);
	if (does) {
		xfree(best);
	} else {
		free_job_resources(&p->job_ptr->job_resrcs);
		xfree(p->victims);
		p->victims = best;
		p->nvictims = nbest;
		bit_copybits(p->node_bitmap, nodes);
	}
	FREE_NULL_BITMAP(nodes);
	return does;
}

static bool _is_one_of(const struct lighter *l, const struct workload *w)
{
	for (size_t i = 0; i < l->p->nvictims; i++) {
		if (l->p->victims[i].workload == w)
			return true;
	}
	return false;
}

/* ---- without one of them ---- */

/* The best answer without that job; components of one job stay or are evicted together */
static void _try_without(struct lighter *l, const struct workload *w)
{
	job_record_t *job_ptr = place_victim_record(w);
	struct victim *rest = xcalloc(l->p->nvictims + 1, sizeof(*rest));
	size_t n = 0;

	for (size_t i = 0; i < l->p->nvictims; i++) {
		if (place_victim_record(l->p->victims[i].workload) != job_ptr)
			rest[n++] = l->p->victims[i];
	}
	(void) _try(l, rest, n);
	xfree(rest);
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
	const struct place *p = l->p;
	size_t n = p->nvictims;
	struct choice *list = xcalloc(n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = (struct choice) { p->victims[i].workload, _loss(l, &p->victims[i]) };
	qsort(list, n, sizeof(*list), _by_loss);
	for (size_t i = 0; (i < n) && _may_ask(l, p->nvictims - 1); i++) {
		/* an earlier question may have spared it already */
		if (!workload_evicting(list[i].w) && _is_one_of(l, list[i].w))
			_try_without(l, list[i].w);
	}
	xfree(list);
}

/* ---- who may be in another set ---- */

static bool _is_queue_of_victim(const struct lighter *l, const struct workload *w)
{
	for (size_t i = 0; i < l->p->nvictims; i++) {
		if (workload_queue(l->p->victims[i].workload) == workload_queue(w))
			return true;
	}
	return false;
}

/* Where the usage of accounts counts, that decides who is evicted first. */
static bool _goes_by_usage(const struct lighter *l, const struct workload *w)
{
	int queue = workload_queue(w);

	return ctld.conf->spec->queues[queue].by_usage &&
		(ctld.conf->spec->fair_sharing || (queue == workload_queue(l->p->entry->work)));
}

/* Components are evicted with others, which are on other nodes. With fair sharing
 * the shares have decided which queues give. Who leaves anyway does so in each set. */
static bool _may_propose(const struct lighter *l, const struct workload *w)
{
	job_record_t *job_ptr = place_victim_record(w);

	if (!job_ptr || workload_evicting(w))
		return job_ptr;
	if (ctld.conf->spec->fair_sharing && !_is_queue_of_victim(l, w))
		return false;
	return !_goes_by_usage(l, w) && !job_ptr->het_job_id && job_holds_nodes(job_ptr);
}

/* All that the policies allow to evict, one by one, and that may be proposed */
static void _find_proposable(struct lighter *l)
{
	int64_t until;
	size_t n = place_list_candidates(l->p, false, true, &l->list, &until);

	for (size_t i = 0; i < n; i++) {
		if (_may_propose(l, l->list[i].workload))
			l->list[l->n++] = l->list[i];
	}
}

/* What is lost with each candidate. False: they have parts of too many nodes, or
 * there is no memory. */
static bool _value_candidates(struct lighter *l)
{
	int *ranks = xcalloc(l->n + 1, sizeof(*ranks));
	bool done = !engine_rank_candidates(l->list, l->n, ranks);
	size_t parts = 0;

	l->items = xcalloc(l->n + 1, sizeof(*l->items));
	for (size_t i = 0; i < l->n; i++) {
		l->items[i] = _loss(l, &l->list[i]);
		l->items[i].level = ranks[i];
		l->items[i].leaving = workload_evicting(l->list[i].workload);
		parts += place_victim_record(l->list[i].workload)->node_cnt;
	}
	xfree(ranks);
	l->looks += parts;
	return done && (parts <= MAX_PARTS);
}

/* Those stay that can be in a set that loses less, and the victims of the best answer.
 * False: there are none, or not all of the latter are candidates. */
static bool _keep_useful(struct lighter *l)
{
	const struct clearing c = { .nitems = l->n, .items = l->items };
	bool *useful = xcalloc(l->n + 1, sizeof(*useful));
	size_t known = 0, n = 0;

	l->best = xcalloc(l->n + 1, sizeof(*l->best));
	for (size_t i = 0; i < l->n; i++)
		known += l->best[i] = _is_one_of(l, l->list[i].workload);
	if ((known == l->p->nvictims) && clearing_find_useful(&c, l->best, useful)) {
		for (size_t i = 0; i < l->n; i++) {
			if (!useful[i] && !l->best[i])
				continue;
			l->best[n] = l->best[i];
			l->list[n] = l->list[i];
			l->items[n++] = l->items[i];
		}
	}
	l->n = n;
	xfree(useful);
	return n;
}

/* ---- another set ---- */

/* The candidates that are gone, and those that leave anyway: what these use counts for
 * quota, also on nodes that others hold. The caller frees the list. */
static struct victim *_chosen(const struct lighter *l, const bool *gone, size_t *n)
{
	struct victim *list = xcalloc(l->n + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (gone[i] || l->items[i].leaving)
			list[(*n)++] = l->list[i];
	}
	return list;
}

/* For clearing_find() */
static enum clearing_answer _judge(const bool *gone, void *arg)
{
	const struct lighter *l = arg;
	enum clearing_answer answer = CLEARING_ALLOWED;
	struct victim *list;
	size_t n;

	for (int i = 0; i < l->nrefused; i++) {
		if (!memcmp(gone, l->refused[i], l->n * sizeof(*gone)))
			return CLEARING_REFUSED;
	}
	list = _chosen(l, gone, &n);
	if (!_is_allowed(l, list, n))
		answer = CLEARING_FORBIDDEN;
	else if (!place_fits(l->p, list, n))
		answer = CLEARING_TOO_FEW;
	xfree(list);
	return answer;
}

static bool _open_room(struct lighter *l)
{
	struct place *p = l->p;

	if (!l->n || !_value_candidates(l) || !_keep_useful(l) || !place_narrow(p, false) ||
	    !room_open(&l->room, p->entry, p->node_bitmap, p->min_nodes, p->most_nodes, l->n))
		return false;
	for (size_t i = 0; i < l->n; i++)
		room_add(&l->room, place_victim_record(l->list[i].workload), &l->items[i]);
	l->room.c.judge = _judge;
	l->room.c.arg = l;
	l->room.c.looks = &l->looks;
	l->room.c.questions = &l->judged;
	return true;
}

/* The next set, with half of the looks that are left, the caller's. NULL: none loses less, or
 * the limits are reached (or there is no memory: then the answer of cons_tres stays as well) */
static bool *_find_proposal(struct lighter *l)
{
	const struct clearing c = { .nitems = l->n, .items = l->items };
	size_t most = MAX(MAX_JUDGED / l->n, 16);
	bool *gone;

	if ((l->nrefused == MAX_PROPOSALS) || (l->looks >= MAX_LOOKS) || (l->judged >= most))
		return NULL;
	gone = xcalloc(l->n + 1, sizeof(*gone));
	l->room.c.max_looks = (MAX_LOOKS - l->looks) / 2;
	l->room.c.max_questions = most - l->judged;
	if (!clearing_find(&l->room.c, gone) || !clearing_is_better(&c, gone, l->best))
		xfree(gone);
	return gone;
}

/* Would cons_tres take it? If not, the set is noted. */
static bool _try_proposal(struct lighter *l, bool *gone)
{
	size_t n;
	struct victim *list = _chosen(l, gone, &n);
	bool taken = _try(l, list, n);

	xfree(list);
	if (taken)
		xfree(gone);
	else
		l->refused[l->nrefused++] = gone;
	return taken;
}

/* Sets that would lose less, the best first, until cons_tres takes one */
static void _propose(struct lighter *l)
{
	bitstr_t *best = bit_copy(l->p->node_bitmap);
	bool *gone, open;

	_find_proposable(l);
	open = _open_room(l);
	bit_copybits(l->p->node_bitmap, best);
	FREE_NULL_BITMAP(best);
	if (open) {
		while ((gone = _find_proposal(l)) && !_try_proposal(l, gone))
			;
	}
	budget_spend(&all_looks, l->looks + l->judged * l->n);
	while (l->nrefused)
		xfree(l->refused[--l->nrefused]);
	room_free(&l->room);
	xfree(l->items);
	xfree(l->best);
	xfree(l->list);
}

/* Nodes were needed: with victims for quota alone cons_tres has selected nodes
 * that are free already. Which victims a component has depends on the others. */
static bool _may_be_lighter(const struct place *p)
{
	if ((p->mode != SELECT_MODE_RUN_NOW) || p->job_ptr->job_resrcs || p->job_ptr->het_job_id)
		return false;
	for (size_t i = 0; i < p->nvictims; i++) {
		if (!workload_evicting(p->victims[i].workload))
			return true;
	}
	return false;
}

extern void lighten_victims(struct place *p)
{
	struct lighter l = { .p = p };

	if (!_may_be_lighter(p))
		return;
	if (p->may_evict && !p->partial && !packing_network_chooses(p) &&
	    budget_has(&all_looks, clock_ns(CLOCK_MONOTONIC)))
		_propose(&l);
	if (p->nvictims > 1)
		_leave_out(&l);
	debug(PREFIX "%pJ: %zu victims, cons_tres was asked %d times for less",
	      p->job_ptr, p->nvictims, l.questions);
}
