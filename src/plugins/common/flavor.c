/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor.c - which nodes are a flavor's
 *
 *  A flavor names its nodes by features, by a host list or by partitions; a
 *  node belongs to it if every key that is set agrees. Bitmaps are rebuilt
 *  when nodes or partitions have changed.
\*****************************************************************************/
#include "ctld_priv.h"

static bitstr_t *_feature_nodes(const char *name)
{
	compat_itr_t iter = list_iterator_create(avail_feature_list);
	bitstr_t *found = NULL;
	node_feature_t *feature;

	while ((feature = list_next(iter))) {
		if (!xstrcmp(feature->name, name) && feature->node_bitmap) {
			found = bit_copy(feature->node_bitmap);
			break;
		}
	}
	list_iterator_destroy(iter);
	return found ? found : bit_alloc(node_record_count);
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
			bitstr_t *nodes = _feature_nodes(name);

			bit_and(all, nodes);
			FREE_NULL_BITMAP(nodes);
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

static void _narrow(bitstr_t **nodes, bitstr_t *by)
{
	if (!*nodes) {
		*nodes = by;
		return;
	}
	bit_and(*nodes, by);
	FREE_NULL_BITMAP(by);
}

static bitstr_t *_build(const struct conf_flavor *flavor)
{
	bitstr_t *nodes = NULL, *by = NULL;

	if (flavor->features)
		_narrow(&nodes, _nodes_by_features(flavor->features));
	if (flavor->nodes) {
		(void) node_name2bitmap(flavor->nodes, true, &by);
		_narrow(&nodes, by ? by : bit_alloc(node_record_count));
	}
	if (flavor->partitions)
		_narrow(&nodes, _nodes_by_partitions(flavor->partitions));
	return nodes;
}

extern void flavor_free(void)
{
	if (!ctld.flavor_nodes)
		return;
	for (size_t i = 0; i < ctld.conf->spec->nflavors; i++)
		FREE_NULL_BITMAP(ctld.flavor_nodes[i]);
	xfree(ctld.flavor_nodes);
}

static bool _same(bitstr_t *a, bitstr_t *b)
{
	if (!a || !b)
		return a == b;
	return (bit_size(a) == bit_size(b)) && bit_equal(a, b);
}

extern bool flavor_refresh(void)
{
	size_t n = ctld.conf->spec->nflavors;
	bool changed = false;

	if (!ctld.flavor_nodes)
		ctld.flavor_nodes = xcalloc(n + 1, sizeof(bitstr_t *));
	for (size_t i = 0; i < n; i++) {
		bitstr_t *nodes = _build(&ctld.conf->flavors[i]);

		if (_same(nodes, ctld.flavor_nodes[i])) {
			FREE_NULL_BITMAP(nodes);
			continue;
		}
		FREE_NULL_BITMAP(ctld.flavor_nodes[i]);
		ctld.flavor_nodes[i] = nodes;
		changed = true;
	}
	return changed;
}

extern bitstr_t *flavor_nodes(int flavor)
{
	if (!ctld.flavor_nodes)
		(void) flavor_refresh();
	return ctld.flavor_nodes[flavor];
}

/* Nodes that have all the features a job names with AND; with any other
 * operator, those that have at least one of them. An over-estimate only: the
 * exact rule is Slurm's and is applied when nodes are chosen. */
static void _keep_featured(bitstr_t *nodes, compat_list_t features)
{
	compat_itr_t iter = list_iterator_create(features);
	bitstr_t *any = bit_alloc(node_record_count);
	bool all_required = true;
	job_feature_t *feature;

	while ((feature = list_next(iter))) {
		bitstr_t *has = _feature_nodes(feature->name);

		if ((feature->op_code != FEATURE_OP_AND) &&
		    (feature->op_code != FEATURE_OP_END))
			all_required = false;
		if (feature->count || feature->paren)
			all_required = false;
		bit_or(any, has);
		FREE_NULL_BITMAP(has);
	}
	list_iterator_reset(iter);
	while (all_required && (feature = list_next(iter))) {
		bitstr_t *has = _feature_nodes(feature->name);

		bit_and(any, has);
		FREE_NULL_BITMAP(has);
	}
	list_iterator_destroy(iter);
	bit_and(nodes, any);
	FREE_NULL_BITMAP(any);
}

extern bool flavor_suits(int flavor, job_record_t *job_ptr)
{
	struct job_details *details = job_ptr->details;
	bitstr_t *of_flavor = flavor_nodes(flavor), *nodes;
	bool suits;

	if (!job_ptr->part_ptr || !job_ptr->part_ptr->node_bitmap)
		return true;
	nodes = bit_copy(job_ptr->part_ptr->node_bitmap);
	if (of_flavor)
		bit_and(nodes, of_flavor);
	if (details->exc_node_bitmap)
		bit_and_not(nodes, details->exc_node_bitmap);
	if (details->feature_list)
		_keep_featured(nodes, details->feature_list);
	suits = (uint32_t) bit_set_count(nodes) >= MAX(details->min_nodes, 1);
	if (suits && details->req_node_bitmap)
		suits = bit_super_set(details->req_node_bitmap, nodes);
	FREE_NULL_BITMAP(nodes);
	return suits;
}
