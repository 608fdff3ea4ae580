/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  room.c - what a job wants of nodes, and what running jobs have there
 *
 *  cons_tres can be asked whether a job fits when certain jobs are gone; each
 *  question costs it much. Here nodes are counts of what jobs have there, which
 *  is enough to see which jobs are worth asking about.
\*****************************************************************************/
#include "request/room.h"

#include "match/job_standing.h"
#include "request/allocated.h"
#include "request/floor.h"
#include "request/request.h"

enum { CPU, MEM, FIRST_GRES };

static const struct resource cpus = { .kind = RESOURCE_CPU, .tres_pos = -1 };
static const struct resource memory = { .kind = RESOURCE_MEM, .tres_pos = -1 };

/* ---- amounts ---- */

static bool _counts_memory(const job_record_t *job_ptr)
{
	return compat_select_param(job_ptr->part_ptr) & COMPAT_CR_MEMORY;
}

/* Whole cores */
static int64_t _rounded(const node_record_t *node_ptr, int64_t count)
{
	int64_t core = MAX(node_ptr->tpc, 1);

	return (count + core - 1) / core * core;
}

static int64_t _all_of(const node_record_t *node_ptr, const struct room *room,
		       size_t r)
{
	if (r == CPU)
		return floor_node_cpus(node_ptr);
	if (r == MEM)
		return floor_node_mem(node_ptr);
	return floor_whole_gres(node_ptr, room->resources[r]);
}

static int64_t _held_on(const struct room *room, const node_record_t *node_ptr,
			job_record_t *job_ptr, size_t r, uint32_t host)
{
	int64_t held = allocated_on(job_ptr, room->resources[r], host);

	return r == CPU ? _rounded(node_ptr, held) : held;
}

/* ---- what is idle ---- */

/* Nodes that an ending job still uses */
static bitstr_t *_nodes_in_use(job_record_t *job_ptr)
{
	if (IS_JOB_COMPLETING(job_ptr))
		return job_ptr->node_bitmap_cg;
	return job_holds_nodes(job_ptr) ? job_ptr->node_bitmap : NULL;
}

/* For each node of the job that is in the room: its number there, the record, the
 * number of the node in the job */
struct visit {
	struct room *room;
	job_record_t *job_ptr;
	const node_record_t *node_ptr;
	int node;
	uint32_t host;
};

static void _each_node(struct visit *v, void (*f)(struct visit *v, void *arg),
		       void *arg)
{
	const job_resources_t *resrcs = v->job_ptr->job_resrcs;
	bitstr_t *in_use = _nodes_in_use(v->job_ptr);
	node_record_t *node_ptr;
	int last;

	if (!resrcs || !resrcs->node_bitmap || !in_use ||
	    !bit_overlap_any(resrcs->node_bitmap, v->room->nodes))
		return;
	last = bit_fls(resrcs->node_bitmap);
	for (int i = bit_ffs(resrcs->node_bitmap);
	     (i <= last) && (node_ptr = next_node(&i)); i++) {
		if (!bit_test(resrcs->node_bitmap, node_ptr->index))
			continue;
		v->node = v->room->place[node_ptr->index];
		v->node_ptr = node_ptr;
		if ((v->node >= 0) && bit_test(in_use, node_ptr->index))
			f(v, arg);
		v->host++;
	}
}

static void _use(struct visit *v, void *arg UNUSED)
{
	size_t n = v->room->c.nresources;

	for (size_t r = 0; r < n; r++)
		v->room->idle[v->node * n + r] -=
			_held_on(v->room, v->node_ptr, v->job_ptr, r, v->host);
}

/* For list_find_first(), which looks at all records, as none is found */
static int _use_all(void *x, void *arg)
{
	struct visit v = { .room = arg, .job_ptr = x };

	if (!IS_JOB_PENDING(v.job_ptr) || IS_JOB_COMPLETING(v.job_ptr))
		_each_node(&v, _use, NULL);
	return 0;
}

/* ---- what the job needs ---- */

static bool _takes_whole_nodes(const job_record_t *job_ptr)
{
	return compat_whole_node(job_ptr->details) ||
		(job_ptr->part_ptr && !job_ptr->part_ptr->max_share);
}

static int64_t _cpus_per_task(const compat_details_t *details)
{
	if (details->cpus_per_task && (details->cpus_per_task != NO_VAL16))
		return details->cpus_per_task;
	return 1;
}

static int64_t _cpus_per_node(const job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;
	int64_t task = _cpus_per_task(details), n = 1;

	if (details->ntasks_per_node && (details->ntasks_per_node != NO_VAL16))
		n = details->ntasks_per_node;
	n *= task;
	if (details->pn_min_cpus != NO_VAL)
		n = MAX(n, (int64_t) details->pn_min_cpus);
	return n;
}

static int64_t _mem_per_node(const job_record_t *job_ptr, int64_t count,
			     int64_t all)
{
	uint64_t mem = job_ptr->details->pn_min_memory;

	if (!_counts_memory(job_ptr))
		return 0;
	if (!mem || (mem == NO_VAL64))
		return all;
	return mem & MEM_PER_CPU ? (int64_t) (mem & ~MEM_PER_CPU) * count :
		(int64_t) mem;
}

static void _need_on(struct room *room, const job_record_t *job_ptr,
		     const node_record_t *node_ptr, const int64_t *gres,
		     int64_t *need)
{
	bool whole = _takes_whole_nodes(job_ptr);

	need[CPU] = whole ? floor_node_cpus(node_ptr) :
		_rounded(node_ptr, _cpus_per_node(job_ptr));
	need[MEM] = _mem_per_node(job_ptr, need[CPU],
				  floor_node_mem(node_ptr));
	for (size_t r = FIRST_GRES; r < room->c.nresources; r++)
		need[r] = gres[r];
}

/* In total, and of GRES that are asked for by node what each has to have */
static void _fill_totals(struct room *room, const struct entry *entry,
			 int64_t *gres)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	size_t n = ctld.conf->spec->nresources, r = FIRST_GRES;
	int64_t *amounts = xcalloc(n + 1, sizeof(*amounts));
	uint64_t mem = job_ptr->details->pn_min_memory;

	request_of(job_ptr, SPEC_NONE, amounts);
	room->total[CPU] = job_ptr->details->min_cpus;
	room->unit[CPU] = _cpus_per_task(job_ptr->details);
	if (_counts_memory(job_ptr) && (mem != NO_VAL64) && (mem & MEM_PER_CPU))
		room->total[MEM] = (int64_t) (mem & ~MEM_PER_CPU) *
			room->total[CPU];
	for (size_t i = 0; i < n; i++) {
		if (ctld.resources[i].kind != RESOURCE_GRES)
			continue;
		room->total[r] = amounts[i];
		if (job_ptr->tres_per_node)
			gres[r] = amounts[i] / MAX(room->c.min_nodes, 1);
		r++;
	}
	xfree(amounts);
}

static void _fill_nodes(struct room *room, const struct entry *entry,
			bitstr_t *nodes)
{
	size_t n = room->c.nresources, v = 0;
	int64_t *gres = xcalloc(n + 1, sizeof(*gres));
	node_record_t *node_ptr;

	for (size_t r = 0; r < n; r++)
		room->unit[r] = 1;
	_fill_totals(room, entry, gres);
	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		room->place[node_ptr->index] = -1;
		if (!bit_test(nodes, node_ptr->index))
			continue;
		for (size_t r = 0; r < n; r++)
			room->idle[v * n + r] = _all_of(node_ptr, room, r);
		_need_on(room, entry->job->job_ptr, node_ptr, gres,
			 &room->need[v * n]);
		room->place[node_ptr->index] = v++;
	}
	xfree(gres);
}

static void _fill_resources(struct room *room)
{
	size_t n = ctld.conf->spec->nresources, r = FIRST_GRES;

	room->resources = xcalloc(n + FIRST_GRES,
				  sizeof(*room->resources));
	room->resources[CPU] = &cpus;
	room->resources[MEM] = &memory;
	for (size_t i = 0; i < n; i++) {
		if (ctld.resources[i].kind == RESOURCE_GRES)
			room->resources[r++] = &ctld.resources[i];
	}
	room->c.nresources = r;
}

extern bool room_open(struct room *room, const struct entry *entry,
		      bitstr_t *nodes, uint32_t min_nodes, uint32_t max_nodes,
		      size_t most_items)
{
	size_t n = bit_set_count(nodes), amounts;

	memset(room, 0, sizeof(*room));
	if (compat_select_param(entry->job->job_ptr->part_ptr) &
	    COMPAT_CR_SOCKET)
		return false;
	_fill_resources(room);
	amounts = n * room->c.nresources + 1;
	room->idle = xcalloc(amounts, sizeof(*room->idle));
	room->need = xcalloc(amounts, sizeof(*room->need));
	room->total = xcalloc(room->c.nresources, sizeof(*room->total));
	room->unit = xcalloc(room->c.nresources, sizeof(*room->unit));
	room->items = xcalloc(most_items + 1, sizeof(*room->items));
	room->shares = xcalloc(most_items + 1, sizeof(*room->shares));
	room->amounts = xcalloc(most_items + 1, sizeof(*room->amounts));
	room->place = xcalloc(node_record_count + 1, sizeof(*room->place));
	room->most_items = most_items;
	room->c.nnodes = n;
	room->c.min_nodes = MAX(min_nodes, 1);
	room->c.max_nodes = MAX(max_nodes, room->c.min_nodes);
	room->c.idle = room->idle;
	room->c.need = room->need;
	room->c.total = room->total;
	room->c.unit = room->unit;
	room->nodes = nodes;
	room->c.items = room->items;
	_fill_nodes(room, entry, nodes);
	(void) list_find_first(job_list, _use_all, room);
	return true;
}

/* ---- jobs that may go ---- */

static void _share(struct visit *v, void *arg)
{
	struct clearing_item *item = arg;
	size_t n = v->room->c.nresources, i = item - v->room->items;
	int64_t *amounts = v->room->amounts[i] + item->nshares * n;

	for (size_t r = 0; r < n; r++)
		amounts[r] = _held_on(v->room, v->node_ptr, v->job_ptr, r,
				      v->host);
	v->room->shares[i][item->nshares++] =
		(struct clearing_share) { v->node, amounts };
}

extern void room_add(struct room *room, job_record_t *job_ptr,
		     const struct clearing_item *item)
{
	struct visit v = { .room = room, .job_ptr = job_ptr };
	size_t i = room->c.nitems, n = room->c.nresources;
	size_t nhosts = job_ptr->job_resrcs ? job_ptr->job_resrcs->nhosts : 0;

	xassert(i < room->most_items);
	room->shares[i] = xcalloc(nhosts + 1, sizeof(*room->shares[i]));
	room->amounts[i] = xcalloc(nhosts * n + 1, sizeof(*room->amounts[i]));
	room->items[i] = *item;
	room->items[i].shares = room->shares[i];
	room->items[i].nshares = 0;
	room->c.nitems++;
	_each_node(&v, _share, &room->items[i]);
}

extern void room_free(struct room *room)
{
	for (size_t i = 0; i < room->c.nitems; i++) {
		xfree(room->shares[i]);
		xfree(room->amounts[i]);
	}
	xfree(room->shares);
	xfree(room->amounts);
	xfree(room->items);
	xfree(room->idle);
	xfree(room->need);
	xfree(room->total);
	xfree(room->unit);
	xfree(room->resources);
	xfree(room->place);
}
