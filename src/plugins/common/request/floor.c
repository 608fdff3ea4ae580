/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  floor.c - what a node has, and the least that a node has which a job may get
 *
 *  What a waiting job will get is not known, but a lower bound is: a job that
 *  takes whole nodes takes the CPUs, the memory and the GRES of the smallest
 *  node, and a job that gets whole cores gets multiples of a core. Where all
 *  nodes are alike that is exactly what it will get.
 *
 *  The user chooses these nodes, and there are as many choices as texts for
 *  --constraint: nothing is kept of them. What is kept is which nodes are
 *  alike; there are few kinds, and an answer costs one look at each.
\*****************************************************************************/
#include "request/request.h"

#include "match/match.h"

/* Nodes that are alike */
struct kind {
	bitstr_t *nodes;
	struct floor *has;
	struct kind *next;
};

static struct kind *kinds;
static struct floor *answer;		/* to the last question; NULL: kinds are to be made */
static uint64_t nodes_digest, parts_digest;
static time_t parts_at;			/* last_part_update, as of parts_digest */

/* ---- a node ---- */

static int64_t _cpus_of(const node_record_t *node_ptr)
{
	return node_ptr->cpus_efctv ? node_ptr->cpus_efctv : node_ptr->cpus;
}

static int64_t _mem_of(const node_record_t *node_ptr)
{
	return (int64_t) node_ptr->real_memory - (int64_t) node_ptr->mem_spec_limit;
}

static int _find_gres(void *x, void *key)
{
	return !xstrcmp(((gres_state_t *) x)->gres_name, key);
}

static gres_state_t *_gres_on(const node_record_t *node_ptr, const struct resource *r)
{
	return node_ptr->gres_list ?
		list_find_first(node_ptr->gres_list, _find_gres, r->name) : NULL;
}

extern gres_node_state_t *floor_node_gres(const node_record_t *node_ptr, const struct resource *r)
{
	gres_state_t *gres = _gres_on(node_ptr, r);

	return gres ? gres->gres_data : NULL;
}

static int64_t _whole_gres(const gres_state_t *gres, const struct resource *r)
{
	const gres_node_state_t *ns = gres ? gres->gres_data : NULL;
	int64_t n = 0;

	if (!ns || ns->no_consume || gres_id_shared(gres->config_flags))
		return 0;
	if (!r->type)
		return ns->gres_cnt_avail;
	for (int i = 0; i < ns->type_cnt; i++) {
		if (!xstrcmp(ns->type_name[i], r->type))
			n += ns->type_cnt_avail[i];
	}
	return n;
}

extern int64_t floor_node_has(const node_record_t *node_ptr, const struct resource *r)
{
	switch (r->kind) {
	case RESOURCE_CPU:
		return _cpus_of(node_ptr);
	case RESOURCE_MEM:
		return _mem_of(node_ptr);
	case RESOURCE_NODE:
		return 1;
	case RESOURCE_GRES:
		return _whole_gres(_gres_on(node_ptr, r), r);
	default:
		return 0;
	}
}

static void _describe(const node_record_t *node_ptr, struct floor *f)
{
	f->cpus = _cpus_of(node_ptr);
	f->mem = _mem_of(node_ptr);
	f->core = floor_core(node_ptr);
	f->socket = f->core * MAX(node_ptr->cores, 1);
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		const struct resource *r = &ctld.resources[i];
		const gres_state_t *gres = r->kind == RESOURCE_GRES ? _gres_on(node_ptr, r) : NULL;
		const gres_node_state_t *ns = gres ? gres->gres_data : NULL;

		memset(&f->gres[i], 0, sizeof(f->gres[i]));
		if (!ns)
			continue;
		f->gres[i].whole = _whole_gres(gres, r);
		f->gres[i].free = ns->no_consume;
		f->gres[i].typed = r->type && ns->gres_cnt_config && (ns->type_cnt == 1) &&
			!xstrcmp(ns->type_name[0], r->type);
		f->gres[i].other = r->type && ns->gres_cnt_config && !f->gres[i].typed;
	}
}

/* Floors are compared as bytes: those without a meaning are 0. */
static size_t _floor_size(void)
{
	return sizeof(struct floor) + ctld.conf->spec->nresources * sizeof(struct floor_gres);
}

/* ---- kinds of nodes ---- */

static void _make_kinds(void)
{
	struct floor *has = xmalloc(_floor_size());
	node_record_t *node_ptr;

	answer = xmalloc(_floor_size());
	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		struct kind *kind = kinds;

		_describe(node_ptr, has);
		while (kind && memcmp(kind->has, has, _floor_size()))
			kind = kind->next;
		if (!kind) {
			kind = xmalloc(sizeof(*kind));
			*kind = (struct kind) { bit_alloc(node_record_count), has, kinds };
			kinds = kind;
			has = xmalloc(_floor_size());
		}
		bit_set(kind->nodes, node_ptr->index);
	}
	xfree(has);
}

static void _flush_kinds(void)
{
	while (kinds) {
		struct kind *next = kinds->next;

		FREE_NULL_BITMAP(kinds->nodes);
		xfree(kinds->has);
		xfree(kinds);
		kinds = next;
	}
	xfree(answer);
}

extern void floor_flush(void)
{
	_flush_kinds();
	flavor_free();
	learn_flush();
}

/* ---- the least of each ---- */

static void _lower(int64_t *least, int64_t value, bool first, int64_t *uneven)
{
	*uneven |= !first && (*least != value);
	*least = first ? value : MIN(*least, value);
}

static void _lower_all(struct floor *f, const struct floor *has, bool first)
{
	_lower(&f->cpus, has->cpus, first, &f->uneven);
	_lower(&f->mem, has->mem, first, &f->uneven);
	_lower(&f->core, has->core, first, &f->uneven);
	_lower(&f->socket, has->socket, first, &f->uneven);
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		_lower(&f->gres[i].whole, has->gres[i].whole, first, &f->uneven);
		f->gres[i].free |= has->gres[i].free;
		f->gres[i].typed |= has->gres[i].typed;
		f->gres[i].other |= has->gres[i].other;
	}
}

/* The nodes of the partition, the flavor, and the job's lists; or NULL */
static bitstr_t *_nodes_for(const job_record_t *job_ptr, int flavor)
{
	bitstr_t *of_flavor = flavor < 0 ? NULL : flavor_nodes(flavor);
	bitstr_t *named = job_ptr->details->req_node_bitmap, *nodes;

	if (!job_ptr->part_ptr || !job_ptr->part_ptr->node_bitmap)
		return NULL;
	nodes = bit_copy(job_ptr->part_ptr->node_bitmap);
	if (of_flavor)
		bit_and(nodes, of_flavor);
	if (job_ptr->details->feature_list)
		constraint_keep_any(nodes, job_ptr->details->feature_list);
	if (named && ((uint32_t) bit_set_count(named) >= job_ptr->details->min_nodes))
		bit_and(nodes, named);
	return nodes;
}

extern const struct floor *floor_of(const job_record_t *job_ptr, int flavor)
{
	bitstr_t *nodes = _nodes_for(job_ptr, flavor);
	bool first = true;

	if (!answer)
		_make_kinds();
	memset(answer, 0, _floor_size());
	answer->core = answer->socket = 1;
	for (const struct kind *kind = kinds; nodes && kind; kind = kind->next) {
		count_work(WORK_NODE_SETS);
		if (!bit_overlap_any(kind->nodes, nodes))
			continue;
		_lower_all(answer, kind->has, first);
		first = false;
	}
	FREE_NULL_BITMAP(nodes);
	return answer;
}

/* ---- have nodes changed? ---- */

static uint64_t _digest_nodes(void)
{
	struct floor *has = xmalloc(_floor_size());
	uint64_t hash = node_record_count;
	node_record_t *node_ptr;

	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		_describe(node_ptr, has);
		hash = hash_bytes(hash, has, _floor_size());
		hash = fingerprint_mix_text(hash, node_ptr->features);
		hash = fingerprint_mix_text(hash, node_ptr->gres);
	}
	xfree(has);
	return hash;
}

/* All that scontrol shows of partitions */
static uint64_t _digest_parts(void)
{
	uint64_t hash = 0;
	part_record_t *part_ptr;

	for_each_in(part_ptr, part_list) {
		buf_t *buffer = init_buf(BUF_SIZE);

		pack_part(part_ptr, buffer, SLURM_PROTOCOL_VERSION);
		hash = hash_bytes(hash, get_buf_data(buffer), get_buf_offset(buffer));
		hash = hash_u64(hash, (uintptr_t) part_ptr);
		free_buf(buffer);
	}
	return hash;
}

/* The stamp counts seconds: another change may come in the same one. */
static bool _have_parts_changed(void)
{
	uint64_t before = parts_digest;

	if ((parts_at == last_part_update) && (time(NULL) > last_part_update + 1))
		return false;
	parts_at = last_part_update;
	parts_digest = _digest_parts();
	return parts_digest != before;
}

extern bool floor_refresh(void)
{
	uint64_t before = nodes_digest;
	bool changed = _have_parts_changed();

	nodes_digest = _digest_nodes();
	changed |= nodes_digest != before;
	if (changed)
		_flush_kinds();
	changed = flavor_refresh(changed);
	if (changed)
		learn_flush();
	return changed;
}
