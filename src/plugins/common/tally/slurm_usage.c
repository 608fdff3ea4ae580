/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  slurm_usage.c - local queues go by the usage that Slurm keeps
 *
 *  With priority/multifactor each association has, for each TRES, the sum of
 *  amount times seconds, which halves with PriorityDecayHalfLife (h):
 *
 *	I = integral of amount(t) * 2^(-(now - t)/h) dt
 *
 *  The engine's history of the same amounts is H = I * ln 2 / h. So that is told
 *  to the engine whenever Slurm's sum is another one, which is so each
 *  PriorityCalcPeriod, and when a job ends. In between the engine goes on by
 *  what it sees itself, and a start counts at once, until Slurm has counted it.
 *
 *  An account has the association of its own, with all accounts below it; a
 *  user has the sum of all of his. What Slurm does not track
 *  (AccountingStorageTRES) goes by the history that the engine keeps.
\*****************************************************************************/
#include <math.h>

#include "tally/tally.h"

#include "match/match.h"

#include "query.h"

#define LOOK_SECONDS 60
#define LN_2 0.69314718055994530942L

/* A local queue, and what its associations have used, by resource */
struct used {
	const char *name;
	int queue, number;
	long double *sums;
};

struct look {
	struct used *list;
	size_t n, size;
	int queue;		/* that is gone through */
	int *tres;		/* place of each resource in Slurm's arrays; -1:
				 * not tracked */
};

static struct {
	time_t at;		/* of the last look; 0: one is due */
	uint32_t holds;		/* ctld.local_holds at that time */
	double *told;		/* sums by number of the local queue, and
				 * resource; NAN: none yet */
	size_t size;
} seen;

extern void slurm_usage_forget(void)
{
	xfree(seen.told);
	seen.size = 0;
	seen.at = 0;
}

extern void slurm_usage_take_half_life(struct conf *conf)
{
	if (conf->slurm_usage && (slurm_conf.priority_decay_hl >= 60))
		conf->spec->history.local_half_life = ns_of(slurm_conf.priority_decay_hl);
}

/* ---- which local queues there are ---- */

static void _add(void *arg, int number, double score UNUSED)
{
	struct look *look = arg;
	const char *name = local_queue_name(number);

	if (!name)
		return;
	grow_list(look->list, look->n, look->size);
	look->list[look->n++] = (struct used) {
		.name = name, .queue = look->queue, .number = number,
		.sums = xcalloc(ctld.conf->spec->nresources + 1, sizeof(long double)),
	};
}

static int _by_name(const void *x, const void *y)
{
	const struct used *a = x, *b = y;

	return xstrcmp(a->name, b->name);
}

static void _gather(struct look *look)
{
	const struct spec *spec = ctld.conf->spec;

	for (size_t i = 0; i < spec->nqueues; i++) {
		look->queue = i;
		if (spec->queues[i].by_usage)
			engine_locals(ctld.engine, i, _add, look);
	}
	if (look->n)
		qsort(look->list, look->n, sizeof(*look->list), _by_name);
}

/* ---- what Slurm says of them; under its locks ---- */

static void _find_places(struct look *look)
{
	const struct spec *spec = ctld.conf->spec;

	look->tres = xcalloc(spec->nresources + 1, sizeof(*look->tres));
	for (size_t r = 0; r < spec->nresources; r++)
		look->tres[r] = compat_tres_pos(spec->resources[r], true);
}

/* The first one of that name, as a local queue of each cluster queue may have it */
static size_t _first(const struct look *look, const char *name)
{
	const struct used key = { .name = name };
	const struct used *any = bsearch(&key, look->list, look->n, sizeof(key), _by_name);
	size_t i = any ? (size_t) (any - look->list) : look->n;

	while (any && i && !xstrcmp(look->list[i - 1].name, name))
		i--;
	return i;
}

static int _sum(void *x, void *arg)
{
	const slurmdb_assoc_rec_t *assoc = x;
	const struct look *look = arg;
	const char *name = assoc->user;

	if (ctld.conf->local_queue == CONF_LOCAL_ACCOUNT)
		name = assoc->user ? NULL : assoc->acct;
	if (!name || !assoc->usage || !assoc->usage->usage_tres_raw)
		return 0;
	for (size_t i = _first(look, name); i < look->n; i++) {
		struct used *used = &look->list[i];

		if (xstrcmp(used->name, name))
			break;
		for (size_t r = 0; r < ctld.conf->spec->nresources; r++) {
			if (look->tres[r] >= 0)
				used->sums[r] += assoc->usage->
					usage_tres_raw[look->tres[r]];
		}
	}
	return 0;
}

static void _ask(struct look *look)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .tres = READ_LOCK };

	assoc_mgr_lock(&locks);
	_find_places(look);
	if (assoc_mgr_assoc_list && look->n)
		(void) list_for_each(assoc_mgr_assoc_list, _sum, look);
	assoc_mgr_unlock(&locks);
}

/* ---- the engine's ---- */

static double *_told(int number, size_t resource)
{
	size_t n = ctld.conf->spec->nresources;
	size_t size = (number + 1) * n;

	if (size > seen.size) {
		size_t from = seen.size;

		seen.size = 2 * size;
		xrecalloc(seen.told, seen.size, sizeof(*seen.told));
		while (from < seen.size)
			seen.told[from++] = NAN;
	}
	return &seen.told[number * n + resource];
}

/* Rounding may leave less than nothing. */
static double _sum_of(const struct used *used, size_t resource)
{
	return used->sums[resource] > 0 ? used->sums[resource] : 0;
}

/* With PriorityDecayHalfLife=0 the sum of an idle account does not change, while
 * the engine's history of it fades: when Slurm has counted anything, all are told
 * again. Otherwise each count changes each sum but 0. */
static bool _counted(const struct look *look)
{
	size_t n = ctld.conf->spec->nresources;

	for (size_t i = 0; !slurm_conf.priority_decay_hl && (i < look->n); i++) {
		const struct used *used = &look->list[i];

		for (size_t r = 0; r < n; r++) {
			if ((look->tres[r] >= 0) &&
			    (*_told(used->number, r) != _sum_of(used, r)))
				return true;
		}
	}
	return false;
}

static void _tell(const struct used *used, size_t resource, bool again, int64_t now)
{
	double *told = _told(used->number, resource);
	double half_life = ctld.conf->spec->history.local_half_life / SPEC_SEC;
	double sum = _sum_of(used, resource);
	struct usage_history h;

	if ((!again && (*told == sum)) ||
	    !engine_local_history(ctld.engine, used->queue, used->number, resource, &h))
		return;
	h.past = sum * LN_2 / half_life;
	h.at = now;
	if (engine_restore_local(ctld.engine, used->queue, used->number, resource, &h))
		error(PREFIX "usage of %s: %m", used->name);
	*told = sum;
}

static bool _is_due(time_t now)
{
	return ctld.conf->slurm_usage && (!seen.at || (now < seen.at) ||
		 (now >= seen.at + LOOK_SECONDS) || (seen.holds != ctld.local_holds));
}

extern void slurm_usage_look(time_t now)
{
	struct look look = { .n = 0 };
	bool again;

	if (!_is_due(now))
		return;
	engine_advance(ctld.engine, ns_of(now));
	_gather(&look);
	_ask(&look);
	again = _counted(&look);
	for (size_t i = 0; i < look.n; i++) {
		for (size_t r = 0; r < ctld.conf->spec->nresources; r++) {
			if (look.tres[r] >= 0)
				_tell(&look.list[i], r, again, ns_of(now));
		}
		xfree(look.list[i].sums);
	}
	xfree(look.list);
	xfree(look.tres);
	seen.at = now;
	seen.holds = ctld.local_holds;
}
