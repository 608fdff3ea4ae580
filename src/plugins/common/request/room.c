/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  room.c - what a job wants of nodes, and what running jobs have there
 *
 *  cons_tres can be asked whether a job fits when certain jobs are gone; each
 *  question costs it much. Here nodes are counts of what jobs have there, which
 *  is enough to see which jobs are worth asking about.
\*****************************************************************************/
#include "request/request.h"

#include "match/match.h"

enum { CPU, MEM, FIRST_GRES };

static const struct resource cpus = { .kind = RESOURCE_CPU, .tres_pos = -1 };
static const struct resource memory = { .kind = RESOURCE_MEM, .tres_pos = -1 };

/* Whole cores */
static int64_t _rounded(const node_record_t *node_ptr, int64_t count)
{
	int64_t core = floor_core(node_ptr);

	return (count + core - 1) / core * core;
}

/* ---- what jobs have ---- */

/* Nodes that a job, or one that ends, still uses */
static bitstr_t *_nodes_in_use(job_record_t *job_ptr)
{
	if (IS_JOB_COMPLETING(job_ptr))
		return job_ptr->node_bitmap_cg;
	return job_holds_nodes(job_ptr) ? job_ptr->node_bitmap : NULL;
}

/* What the job has on each node of the room: shares with room for all of its nodes. Returns
 * how many these are. */
static size_t _shares_of(const struct room *room, job_record_t *job_ptr,
			 struct clearing_share *shares, int64_t *amounts)
{
	bitstr_t *nodes = job_ptr->job_resrcs->node_bitmap, *in_use = _nodes_in_use(job_ptr);
	node_record_t *node_ptr;
	uint32_t host = 0;
	size_t n = 0;

	if (!in_use || !nodes || !bit_overlap_any(nodes, room->nodes))
		return 0;
	for_each_node_in(node_ptr, nodes) {
		int place = room->place[node_ptr->index];

		if ((place >= 0) && bit_test(in_use, node_ptr->index)) {
			for (size_t r = 0; r < room->c.nresources; r++)
				amounts[r] = allocated_on(job_ptr, room->resources[r], host);
			amounts[CPU] = _rounded(node_ptr, amounts[CPU]);
			shares[n++] = (struct clearing_share) { place, amounts };
			amounts += room->c.nresources;
		}
		host++;
	}
	return n;
}

static void _add_shares(struct room *room, job_record_t *job_ptr, struct clearing_item *item)
{
	size_t nhosts = job_ptr->job_resrcs ? job_ptr->job_resrcs->nhosts : 0;
	struct clearing_share *shares;

	item->shares = NULL;
	item->nshares = 0;
	if (!nhosts)
		return;
	/* one piece of memory: the amounts are behind the shares */
	shares = xmalloc(nhosts * (sizeof(*shares) + room->c.nresources * sizeof(int64_t)));
	item->nshares = _shares_of(room, job_ptr, shares, (int64_t *) (shares + nhosts));
	item->shares = shares;
}

static void _free_shares(struct clearing_item *item)
{
	void *shares = (void *) item->shares;

	xfree(shares);
}

/* For list_find_first(), which looks at all records, as none is found */
static int _use(void *x, void *arg)
{
	struct room *room = arg;
	job_record_t *job_ptr = x;
	struct clearing_item used;

	if (IS_JOB_PENDING(job_ptr) && !IS_JOB_COMPLETING(job_ptr))
		return 0;
	_add_shares(room, job_ptr, &used);
	for (size_t i = 0; i < used.nshares; i++) {
		int64_t *idle = &room->idle[used.shares[i].node * room->c.nresources];

		for (size_t r = 0; r < room->c.nresources; r++)
			idle[r] -= used.shares[i].amounts[r];
	}
	_free_shares(&used);
	return 0;
}

/* ---- what the job needs ---- */

static int64_t _cpus_per_task(const compat_details_t *details)
{
	return details->cpus_per_task && (details->cpus_per_task != NO_VAL16) ?
		details->cpus_per_task : 1;
}

static int64_t _cpus_on(const job_record_t *job_ptr, const node_record_t *node_ptr)
{
	const compat_details_t *details = job_ptr->details;
	int64_t n = 1;

	if (request_takes_whole_nodes(job_ptr))
		return floor_node_has(node_ptr, &cpus);
	if (details->ntasks_per_node && (details->ntasks_per_node != NO_VAL16))
		n = details->ntasks_per_node;
	n *= _cpus_per_task(details);
	if (details->pn_min_cpus != NO_VAL)
		n = MAX(n, (int64_t) details->pn_min_cpus);
	return _rounded(node_ptr, n);
}

static void _fill_totals(struct room *room, job_record_t *job_ptr)
{
	size_t n = ctld.conf->spec->nresources, r = FIRST_GRES;
	int64_t *amounts = xcalloc(n + 1, sizeof(*amounts));

	request_of(job_ptr, SPEC_NONE, amounts);
	for (size_t i = 0; i < n; i++) {
		if (ctld.resources[i].kind == RESOURCE_GRES)
			room->total[r++] = amounts[i];
	}
	xfree(amounts);
	room->total[CPU] = job_ptr->details->min_cpus;
	if (compat_counts_memory(job_ptr->part_ptr))
		room->total[MEM] = request_mem(job_ptr, 0, 0, room->total[CPU]);
	for (r = 0; r < room->c.nresources; r++)
		room->unit[r] = r == CPU ? _cpus_per_task(job_ptr->details) : 1;
}

static void _fill_nodes(struct room *room, job_record_t *job_ptr)
{
	size_t n = room->c.nresources, v = 0;
	node_record_t *node_ptr;

	for (int i = 0; i < node_record_count; i++)
		room->place[i] = -1;
	for_each_node_in(node_ptr, room->nodes) {
		int64_t *idle = &room->idle[v * n], *need = &room->need[v * n];

		for (size_t r = 0; r < n; r++) {
			idle[r] = floor_node_has(node_ptr, room->resources[r]);
			if ((r >= FIRST_GRES) && job_ptr->tres_per_node)
				need[r] = room->total[r] / room->c.min_nodes;
		}
		need[CPU] = _cpus_on(job_ptr, node_ptr);
		if (compat_counts_memory(job_ptr->part_ptr))
			need[MEM] = request_mem(job_ptr, floor_node_has(node_ptr, &memory), 1,
						need[CPU]);
		room->place[node_ptr->index] = v++;
	}
}

static void _fill_resources(struct room *room)
{
	size_t n = ctld.conf->spec->nresources, r = FIRST_GRES;

	room->resources = xcalloc(n + FIRST_GRES, sizeof(*room->resources));
	room->resources[CPU] = &cpus;
	room->resources[MEM] = &memory;
	for (size_t i = 0; i < n; i++) {
		if (ctld.resources[i].kind == RESOURCE_GRES)
			room->resources[r++] = &ctld.resources[i];
	}
	room->c.nresources = r;
}

extern bool room_open(struct room *room, const struct entry *entry, bitstr_t *nodes,
		      uint32_t min_nodes, uint32_t max_nodes, size_t most_items)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	size_t n = bit_set_count(nodes), amounts;

	memset(room, 0, sizeof(*room));
	if (compat_select_param(job_ptr->part_ptr) & COMPAT_CR_SOCKET)
		return false;
	_fill_resources(room);
	/* one piece of memory */
	amounts = n * room->c.nresources;
	room->c.idle = room->idle = xcalloc(2 * (amounts + room->c.nresources), sizeof(int64_t));
	room->c.need = room->need = room->idle + amounts;
	room->c.total = room->total = room->need + amounts;
	room->c.unit = room->unit = room->total + room->c.nresources;
	room->c.items = room->items = xcalloc(most_items + 1, sizeof(*room->items));
	room->place = xcalloc(node_record_count + 1, sizeof(*room->place));
	room->nodes = nodes;
	room->c.nnodes = n;
	room->c.min_nodes = MAX(min_nodes, 1);
	room->c.max_nodes = MAX(max_nodes, room->c.min_nodes);
	_fill_totals(room, job_ptr);
	_fill_nodes(room, job_ptr);
	(void) list_find_first(job_list, _use, room);
	return true;
}

extern void room_add(struct room *room, job_record_t *job_ptr, const struct clearing_item *item)
{
	struct clearing_item *own = &room->items[room->c.nitems++];

	*own = *item;
	_add_shares(room, job_ptr, own);
}

extern void room_free(struct room *room)
{
	for (size_t i = 0; i < room->c.nitems; i++)
		_free_shares(&room->items[i]);
	xfree(room->items);
	xfree(room->idle);
	xfree(room->resources);
	xfree(room->place);
}
