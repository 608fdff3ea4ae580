/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  floor.c - the least that a node has which a job may get
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
#include "request/floor.h"

#include "state/state.h"
#include "match/feature_constraint.h"
#include "match/fingerprint.h"
#include "match/flavor_nodes.h"

#include "lib/hash.h"

/* What a kind of nodes has; of each resource what comes with a whole node, and
 * some flags */
enum { CPUS, MEM, CORE, SOCKET, FIRST_GRES };
enum { WHOLE, FLAGS, PER_GRES };
enum { TYPED = 1, OTHER = 2, FREE = 4 };

struct kind {
	struct hash_link link;		/* first: where it is, the kind is */
	bitstr_t *nodes;
	int64_t *values;
	struct kind *next;
};

static struct {
	struct kind *list;		/* made when first asked for */
	struct hash by_values;
	size_t nvalues;
	bool made;
} kinds;

static struct floor answer;
static uint64_t nodes_digest;
static time_t parts_at;		/* last_part_update */
static time_t parts_seen_at;	/* when it was that */
static uint64_t parts_digest;	/* of what they were then */

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

/* ---- a node ---- */

extern int64_t floor_node_cpus(const node_record_t *node_ptr)
{
	return node_ptr->cpus_efctv ? node_ptr->cpus_efctv : node_ptr->cpus;
}

extern int64_t floor_node_mem(const node_record_t *node_ptr)
{
	return (int64_t) node_ptr->real_memory -
		(int64_t) node_ptr->mem_spec_limit;
}

/* Are all GRES of that name on the node of this type? 0: no; 1: yes; -1: the
 * node has no such GRES. */
static int _is_only_type(const node_record_t *node_ptr,
			 const struct resource *r)
{
	gres_state_t *gres = floor_node_gres(node_ptr, r);
	gres_node_state_t *ns = gres ? gres->gres_data : NULL;

	if (!ns || !ns->gres_cnt_config)
		return -1;
	return (ns->type_cnt == 1) && !xstrcmp(ns->type_name[0], r->type);
}

static int64_t _gres_flags(const node_record_t *node_ptr,
			   const struct resource *r)
{
	gres_state_t *gres = floor_node_gres(node_ptr, r);
	int64_t flags = 0;
	int only;

	if (gres && ((gres_node_state_t *) gres->gres_data)->no_consume)
		flags |= FREE;
	if (r->type && ((only = _is_only_type(node_ptr, r)) >= 0))
		flags |= only ? TYPED : OTHER;
	return flags;
}

static void _values_of(const node_record_t *node_ptr, int64_t *values)
{
	/* threads that are no CPUs (CPUs= says how many are) do not count */
	int64_t tpc = MAX(MIN(node_ptr->tpc, node_ptr->cpus / MAX(node_ptr->tot_cores, 1)), 1);

	values[CPUS] = floor_node_cpus(node_ptr);
	values[MEM] = floor_node_mem(node_ptr);
	values[CORE] = tpc;
	values[SOCKET] = tpc * MAX(node_ptr->cores, 1);
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		const struct resource *r = &ctld.resources[i];
		int64_t *gres = &values[FIRST_GRES + i * PER_GRES];

		if (r->kind != RESOURCE_GRES)
			continue;
		gres[WHOLE] = floor_whole_gres(node_ptr, r);
		gres[FLAGS] = _gres_flags(node_ptr, r);
	}
}

/* ---- kinds of nodes ---- */

static struct kind *_find_kind(const int64_t *values, uint64_t hash)
{
	struct hash_link *link = hash_first(&kinds.by_values, hash);

	for (; link; link = hash_next(link)) {
		struct kind *kind = (struct kind *) link;

		if (!memcmp(kind->values, values,
			    kinds.nvalues * sizeof(*values)))
			return kind;
	}
	return NULL;
}

static struct kind *_add_kind(const int64_t *values, uint64_t hash)
{
	struct kind *kind = xmalloc(sizeof(*kind));

	kind->nodes = bit_alloc(node_record_count);
	kind->values = xcalloc(kinds.nvalues, sizeof(*values));
	memcpy(kind->values, values, kinds.nvalues * sizeof(*values));
	if (hash_insert(&kinds.by_values, &kind->link, hash))
		fatal(PREFIX "kinds of nodes: %m");
	kind->next = kinds.list;
	kinds.list = kind;
	return kind;
}

static void _make_kinds(void)
{
	size_t n = FIRST_GRES + ctld.conf->spec->nresources * PER_GRES;
	int64_t *values = xcalloc(n, sizeof(*values));
	node_record_t *node_ptr;

	kinds.nvalues = n;
	kinds.made = true;
	answer.gres = xcalloc(ctld.conf->spec->nresources + 1,
			      sizeof(*answer.gres));
	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		struct kind *kind;
		uint64_t hash;

		_values_of(node_ptr, values);
		hash = hash_bytes(HASH_INIT, values, n * sizeof(*values));
		if (!(kind = _find_kind(values, hash)))
			kind = _add_kind(values, hash);
		bit_set(kind->nodes, node_ptr->index);
	}
	xfree(values);
}

extern void floor_flush(void)
{
	while (kinds.list) {
		struct kind *next = kinds.list->next;

		FREE_NULL_BITMAP(kinds.list->nodes);
		xfree(kinds.list->values);
		xfree(kinds.list);
		kinds.list = next;
	}
	hash_destroy(&kinds.by_values);
	kinds.made = false;
	xfree(answer.gres);
}

/* ---- the least of each ---- */

static void _lower(int64_t *least, int64_t value, bool first, bool *uneven)
{
	if (!first && (*least != value))
		*uneven = true;
	if (first || (value < *least))
		*least = value;
}

static void _lower_gres(struct floor *f, const struct kind *kind, bool first)
{
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		const int64_t *gres = &kind->values[FIRST_GRES + i * PER_GRES];

		_lower(&f->gres[i].whole, gres[WHOLE], first, &f->uneven);
		f->gres[i].free |= (gres[FLAGS] & FREE) != 0;
		f->gres[i].typed |= (gres[FLAGS] & TYPED) != 0;
		f->gres[i].other |= (gres[FLAGS] & OTHER) != 0;
	}
}

static void _lower_all(struct floor *f, const struct kind *kind, bool first)
{
	_lower(&f->cpus, kind->values[CPUS], first, &f->uneven);
	_lower(&f->mem, kind->values[MEM], first, &f->uneven);
	_lower(&f->core, kind->values[CORE], first, &f->uneven);
	_lower(&f->socket, kind->values[SOCKET], first, &f->uneven);
	_lower_gres(f, kind, first);
}

/* The nodes of the partition, the flavor, and the job's --constraint; or
 * NULL */
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
		constraint_keep_any(nodes, job_ptr->details->feature_list);
	return nodes;
}

extern const struct floor *floor_of(const job_record_t *job_ptr, int flavor)
{
	bitstr_t *nodes = _nodes_for(job_ptr, flavor);
	struct floor *f = &answer;
	bool first = true;

	if (!kinds.made)
		_make_kinds();
	*f = (struct floor) { .core = 1, .socket = 1, .gres = f->gres };
	memset(f->gres, 0, ctld.conf->spec->nresources * sizeof(*f->gres));
	for (struct kind *kind = kinds.list; nodes && kind; kind = kind->next) {
		constraint_count(1);
		if (!bit_overlap_any(kind->nodes, nodes))
			continue;
		_lower_all(f, kind, first);
		first = false;
	}
	FREE_NULL_BITMAP(nodes);
	return f;
}

/* ---- have nodes changed? ---- */

static int _mix_gres(void *x, void *arg)
{
	const gres_node_state_t *ns = ((gres_state_t *) x)->gres_data;
	uint64_t hash = fingerprint_mix(*(uint64_t *) arg, ns->gres_cnt_avail);

	for (int i = 0; i < ns->type_cnt; i++) {
		hash = fingerprint_mix(hash, ns->type_id[i]);
		hash = fingerprint_mix(hash, ns->type_cnt_avail[i]);
	}
	*(uint64_t *) arg = hash;
	return 0;
}

static uint64_t _digest(void)
{
	uint64_t hash = node_record_count;
	node_record_t *node_ptr;

	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		hash = fingerprint_mix(hash, ((uint64_t) node_ptr->cpus_efctv << 32) |
				  (node_ptr->tpc << 16) | node_ptr->cores);
		hash = fingerprint_mix(hash, node_ptr->real_memory -
				  node_ptr->mem_spec_limit);
		hash = fingerprint_mix_text(hash, node_ptr->features);
		/* an iterator is memory that is allocated, and locks the list more often */
		if (node_ptr->gres_list)
			(void) list_for_each(node_ptr->gres_list, _mix_gres, &hash);
	}
	return hash;
}

/* All that scontrol shows of partitions */
static uint64_t _parts_digest(void)
{
	compat_itr_t iter = list_iterator_create(part_list);
	uint64_t hash = HASH_INIT;
	part_record_t *part_ptr;

	while ((part_ptr = list_next(iter))) {
		buf_t *buffer = init_buf(BUF_SIZE);

		pack_part(part_ptr, buffer, SLURM_PROTOCOL_VERSION);
		hash = hash_bytes(hash, get_buf_data(buffer), get_buf_offset(buffer));
		hash = fingerprint_mix(hash, (uintptr_t) part_ptr);
		free_buf(buffer);
	}
	list_iterator_destroy(iter);
	return hash;
}

/* The stamp counts seconds: another change may come in the same one. So they are compared
 * once more when that second is over, but not all the time until then: each change asks
 * for another pass. */
static bool _have_parts_changed(time_t now)
{
	bool same = parts_at == last_part_update;
	uint64_t digest;

	if (same && ((parts_seen_at > parts_at) || (now <= parts_at)))
		return false;
	digest = _parts_digest();
	if (same)
		same = digest == parts_digest;
	parts_digest = digest;
	parts_at = last_part_update;
	parts_seen_at = now;
	return !same;
}

extern bool floor_refresh(void)
{
	uint64_t digest = _digest();
	bool changed = digest != nodes_digest;

	nodes_digest = digest;
	changed |= _have_parts_changed(time(NULL));
	if (changed)
		floor_flush();
	return changed;
}
