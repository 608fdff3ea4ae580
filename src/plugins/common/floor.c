/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  floor.c - the least that a node has which a job may get
 *
 *  What a waiting job will get is not known, but what it can't get less than:
 *  who takes whole nodes takes the CPUs, the memory and the GRES of the
 *  smallest, and who gets whole cores gets multiples of a core. Where all
 *  nodes are alike that is exactly what it will get.
\*****************************************************************************/
#include "ctld_priv.h"

static struct floor *floors;		/* made when first asked for */
static uint64_t nodes_digest;
static time_t parts_at;

/* ---- GRES of a node ---- */

static int _find_gres(void *x, void *key)
{
	return !xstrcmp(((gres_state_t *) x)->gres_name, key);
}

extern gres_state_t *floor_node_gres(const node_record_t *node_ptr,
				     const struct resource *r)
{
	if (!node_ptr->gres_list)
		return NULL;
	return list_find_first(node_ptr->gres_list, _find_gres, r->name);
}

extern int64_t floor_whole_gres(const node_record_t *node_ptr,
				const struct resource *r)
{
	gres_state_t *gres = floor_node_gres(node_ptr, r);
	gres_node_state_t *ns = gres ? gres->gres_data : NULL;
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

/* ---- the least of each ---- */

extern int64_t floor_node_cpus(const node_record_t *node_ptr)
{
	return node_ptr->cpus_efctv ? node_ptr->cpus_efctv : node_ptr->cpus;
}

extern int64_t floor_node_mem(const node_record_t *node_ptr)
{
	return (int64_t) node_ptr->real_memory -
		(int64_t) node_ptr->mem_spec_limit;
}

static void _lower(int64_t *least, int64_t value, bool first, bool *uneven)
{
	if (!first && (*least != value))
		*uneven = true;
	if (first || (value < *least))
		*least = value;
}

/* What is of this type on the node, if the node has that GRES at all: 0 no,
 * 1 yes, -1 has no such GRES */
static int _is_only_type(const node_record_t *node_ptr,
			 const struct resource *r)
{
	gres_state_t *gres = floor_node_gres(node_ptr, r);
	gres_node_state_t *ns = gres ? gres->gres_data : NULL;

	if (!ns || !ns->gres_cnt_config)
		return -1;
	return (ns->type_cnt == 1) && !xstrcmp(ns->type_name[0], r->type);
}

static void _add_gres(struct floor *f, const node_record_t *node_ptr,
		      bool first)
{
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		const struct resource *r = &ctld.resources[i];
		gres_state_t *gres;
		int only;

		if (r->kind != RESOURCE_GRES)
			continue;
		_lower(&f->gres[i].whole, floor_whole_gres(node_ptr, r), first,
		       &f->uneven);
		if ((gres = floor_node_gres(node_ptr, r)) &&
		    ((gres_node_state_t *) gres->gres_data)->no_consume)
			f->gres[i].free = true;
		if (!r->type || ((only = _is_only_type(node_ptr, r)) < 0))
			continue;
		f->gres[i].other |= !only;
		f->gres[i].typed |= only;
	}
}

static void _add_node(struct floor *f, const node_record_t *node_ptr,
		      bool first)
{
	int64_t tpc = MAX(node_ptr->tpc, 1);

	_lower(&f->cpus, floor_node_cpus(node_ptr), first, &f->uneven);
	_lower(&f->mem, floor_node_mem(node_ptr), first, &f->uneven);
	_lower(&f->core, tpc, first, &f->uneven);
	_lower(&f->socket, tpc * MAX(node_ptr->cores, 1), first, &f->uneven);
	_add_gres(f, node_ptr, first);
}

/* Those of the partition, the flavor, and the job's --constraint; or NULL */
static bitstr_t *_nodes_for(const job_record_t *job_ptr, int flavor)
{
	bitstr_t *of_flavor = flavor < 0 ? NULL : flavor_nodes(flavor);
	bitstr_t *nodes;

	if (!job_ptr->part_ptr || !job_ptr->part_ptr->node_bitmap)
		return NULL;
	nodes = bit_copy(job_ptr->part_ptr->node_bitmap);
	if (of_flavor)
		bit_and(nodes, of_flavor);
	if (job_ptr->details->feature_list)
		suits_keep_featured(nodes, job_ptr->details->feature_list);
	return nodes;
}

static struct floor *_make(const job_record_t *job_ptr, int flavor)
{
	bitstr_t *nodes = _nodes_for(job_ptr, flavor);
	struct floor *f = xmalloc(sizeof(*f));
	node_record_t *node_ptr;
	bool first = true;

	f->part_ptr = job_ptr->part_ptr;
	f->features = xstrdup(job_ptr->details->features);
	f->flavor = flavor;
	f->core = f->socket = 1;
	f->gres = xcalloc(ctld.conf->spec->nresources + 1, sizeof(*f->gres));
	for (int i = 0; nodes && (node_ptr = next_node(&i)); i++) {
		if (!bit_test(nodes, node_ptr->index))
			continue;
		_add_node(f, node_ptr, first);
		first = false;
	}
	FREE_NULL_BITMAP(nodes);
	f->next = floors;
	floors = f;
	return f;
}

extern const struct floor *floor_of(const job_record_t *job_ptr, int flavor)
{
	for (struct floor *f = floors; f; f = f->next) {
		if ((f->part_ptr == job_ptr->part_ptr) &&
		    (f->flavor == flavor) &&
		    !xstrcmp(f->features, job_ptr->details->features))
			return f;
	}
	return _make(job_ptr, flavor);
}

extern void floor_flush(void)
{
	while (floors) {
		struct floor *next = floors->next;

		xfree(floors->gres);
		xfree(floors->features);
		xfree(floors);
		floors = next;
	}
}

/* ---- have nodes changed? ---- */

static uint64_t _digest_gres(uint64_t hash, const gres_state_t *gres)
{
	const gres_node_state_t *ns = gres->gres_data;

	hash = demand_mix(hash, ns->gres_cnt_avail);
	for (int i = 0; i < ns->type_cnt; i++) {
		hash = demand_mix(hash, ns->type_id[i]);
		hash = demand_mix(hash, ns->type_cnt_avail[i]);
	}
	return hash;
}

static uint64_t _digest(void)
{
	uint64_t hash = node_record_count;
	node_record_t *node_ptr;
	compat_itr_t iter;
	gres_state_t *gres;

	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		hash = demand_mix(hash, ((uint64_t) node_ptr->cpus_efctv << 32) |
				  (node_ptr->tpc << 16) | node_ptr->cores);
		hash = demand_mix(hash, node_ptr->real_memory -
				  node_ptr->mem_spec_limit);
		if (!node_ptr->gres_list)
			continue;
		iter = list_iterator_create(node_ptr->gres_list);
		while ((gres = list_next(iter)))
			hash = _digest_gres(hash, gres);
		list_iterator_destroy(iter);
	}
	return hash;
}

extern bool floor_refresh(void)
{
	uint64_t digest = _digest();

	if ((digest == nodes_digest) && (parts_at == last_part_update))
		return false;
	nodes_digest = digest;
	parts_at = last_part_update;
	floor_flush();
	return true;
}
