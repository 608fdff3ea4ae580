/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_nodes.c - which nodes are a flavor's
 *
 *  A flavor names its nodes by features, by a host list or by partitions; a
 *  node belongs to it if every key that is set agrees. Bitmaps are rebuilt
 *  when nodes or partitions may have changed. Host lists are read only when
 *  nodes were created or deleted: that takes milliseconds for thousands of
 *  names.
\*****************************************************************************/
#include "match/flavor_nodes.h"

#include "state/state.h"

static bitstr_t **by_flavor;	/* NULL: to be built; NULL entry: every node */
static bitstr_t **by_hosts;	/* NULL: to be read; NULL entry: so is this */
static bitstr_t *up_nodes;
static uint64_t host_lists;	/* how many were read */
static uint64_t generation;	/* of all the bitmaps */

static int _find_feature(void *x, void *key)
{
	return !xstrcmp(((node_feature_t *) x)->name, key);
}

extern bitstr_t *flavor_feature_nodes(const char *name)
{
	node_feature_t *feature = list_find_first(avail_feature_list,
						  _find_feature, (void *) name);

	return feature ? feature->node_bitmap : NULL;
}

/* "a&b|c": AND binds closer than OR */
static bitstr_t *_nodes_by_features(const char *expression)
{
	bitstr_t *any = bit_alloc(node_record_count);
	char *copy = xstrdup(expression), *or_save = NULL, *alternative;

	for (alternative = strtok_r(copy, "|", &or_save); alternative;
	     alternative = strtok_r(NULL, "|", &or_save)) {
		bitstr_t *all = bit_alloc(node_record_count);
		char *and_save = NULL, *name;

		bit_set_all(all);
		for (name = strtok_r(alternative, "&", &and_save); name;
		     name = strtok_r(NULL, "&", &and_save)) {
			bitstr_t *nodes = flavor_feature_nodes(name);

			if (nodes)
				bit_and(all, nodes);
			else
				bit_clear_all(all);
		}
		bit_or(any, all);
		FREE_NULL_BITMAP(all);
	}
	xfree(copy);
	return any;
}

static bitstr_t *_nodes_by_partitions(const char *names)
{
	bitstr_t *any = bit_alloc(node_record_count);
	char *copy = xstrdup(names), *save = NULL, *name;

	for (name = strtok_r(copy, ",", &save); name;
	     name = strtok_r(NULL, ",", &save)) {
		part_record_t *part_ptr = find_part_record(name);

		if (part_ptr && part_ptr->node_bitmap)
			bit_or(any, part_ptr->node_bitmap);
	}
	xfree(copy);
	return any;
}

static void _keep_only(bitstr_t **nodes, bitstr_t *by)
{
	if (!*nodes) {
		*nodes = by;
		return;
	}
	bit_and(*nodes, by);
	FREE_NULL_BITMAP(by);
}

static bitstr_t *_nodes_by_hosts(size_t i)
{
	if (!by_hosts)
		by_hosts = xcalloc(ctld.conf->spec->nflavors + 1, sizeof(bitstr_t *));
	if (!by_hosts[i]) {
		host_lists++;
		by_hosts[i] = compat_nodes_of(ctld.conf->flavors[i].nodes);
	}
	if (!by_hosts[i])
		by_hosts[i] = bit_alloc(node_record_count);
	return bit_copy(by_hosts[i]);
}

static bitstr_t *_build(size_t i)
{
	const struct conf_flavor *flavor = &ctld.conf->flavors[i];
	bitstr_t *nodes = NULL;

	if (flavor->features)
		_keep_only(&nodes, _nodes_by_features(flavor->features));
	if (flavor->nodes)
		_keep_only(&nodes, _nodes_by_hosts(i));
	if (flavor->partitions)
		_keep_only(&nodes, _nodes_by_partitions(flavor->partitions));
	return nodes;
}

/* Nodes that are not down, drained or failing. Nodes that are powered down
 * count. */
static bitstr_t *_up_nodes(void)
{
	bitstr_t *up = bit_alloc(node_record_count);
	node_record_t *node_ptr;

	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		if (!IS_NODE_DOWN(node_ptr) && !IS_NODE_DRAIN(node_ptr) &&
		    !IS_NODE_FAIL(node_ptr))
			bit_set(up, node_ptr->index);
	}
	return up;
}

extern void flavor_forget_hosts(void)
{
	for (size_t i = 0; by_hosts && (i < ctld.conf->spec->nflavors); i++)
		FREE_NULL_BITMAP(by_hosts[i]);
	xfree(by_hosts);
}

extern void flavor_free(void)
{
	flavor_forget_hosts();
	FREE_NULL_BITMAP(up_nodes);
	if (!by_flavor)
		return;
	for (size_t i = 0; i < ctld.conf->spec->nflavors; i++)
		FREE_NULL_BITMAP(by_flavor[i]);
	xfree(by_flavor);
}

static bool _same(bitstr_t *a, bitstr_t *b)
{
	if (!a || !b)
		return a == b;
	return (bit_size(a) == bit_size(b)) && bit_equal(a, b);
}

/* True if the bitmap has changed; the new one is kept */
static bool _replace(bitstr_t **old, bitstr_t *new)
{
	if (_same(new, *old)) {
		FREE_NULL_BITMAP(new);
		return false;
	}
	FREE_NULL_BITMAP(*old);
	*old = new;
	return true;
}

extern bool flavor_refresh(bool changed)
{
	size_t n = ctld.conf->spec->nflavors;

	changed |= _replace(&up_nodes, _up_nodes());

	if (!by_flavor)
		by_flavor = xcalloc(n + 1, sizeof(bitstr_t *));
	for (size_t i = 0; i < n; i++) {
		if (_replace(&by_flavor[i], _build(i)))
			changed = true;
	}
	generation += changed;
	return changed;
}

extern bitstr_t *flavor_up_nodes(void)
{
	if (!up_nodes)
		up_nodes = _up_nodes();
	return up_nodes;
}

extern uint64_t flavor_host_lists(void)
{
	return host_lists;
}

extern uint64_t flavor_generation(void)
{
	return generation;
}

extern bitstr_t *flavor_nodes(int flavor)
{
	if (!by_flavor)
		(void) flavor_refresh(false);
	return by_flavor[flavor];
}
