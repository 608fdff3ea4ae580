/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_nodes.c - which nodes are a flavor's, and which flavors can hold a job
 *
 *  A flavor names its nodes by features, by a host list or by partitions; a
 *  node belongs to it if every key that is set agrees. Bitmaps are built anew
 *  only when nodes or partitions have changed: to read a host list of thousands
 *  of names takes milliseconds.
 *
 *  A flavor whose nodes a job can't use is not eligible: no job is evicted
 *  there, and the search goes on. Partitions, reservation, lists of nodes,
 *  features (feature_constraint.c) and the number of nodes are judged here for
 *  each job, at little cost. Whether a node is large enough cons_tres knows
 *  (request/learn.c).
\*****************************************************************************/
#include "match/match.h"

static bitstr_t **by_flavor;	/* NULL: to be built; NULL entry: every node */
static bitstr_t *up_nodes;	/* built with them */
static uint64_t generation;	/* of all the bitmaps */

/* ---- nodes of a flavor ---- */

/* "a&b": those that have all of these */
static void _keep_features(bitstr_t *nodes, const char *text)
{
	char *names = xstrdup(text), *save = NULL;
	bitstr_t *by;

	for (char *name = strtok_r(names, "&", &save); name; name = strtok_r(NULL, "&", &save)) {
		if ((by = feature_nodes(name)))
			bit_and(nodes, by);
		else
			bit_clear_all(nodes);
	}
	xfree(names);
}

static void _keep_hosts(bitstr_t *nodes, const char *hosts)
{
	bitstr_t *by = compat_nodes_of(hosts);

	count_work(WORK_HOST_LIST);
	if (by)
		bit_and(nodes, by);
	else
		bit_clear_all(nodes);
	FREE_NULL_BITMAP(by);
}

/* "a,b": those of any of these */
static void _keep_partitions(bitstr_t *nodes, const char *text)
{
	bitstr_t *any = bit_alloc(node_record_count);
	char *names = xstrdup(text), *save = NULL;
	part_record_t *part_ptr;

	for (char *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		if ((part_ptr = find_part_record(name)) && part_ptr->node_bitmap)
			bit_or(any, part_ptr->node_bitmap);
	}
	bit_and(nodes, any);
	FREE_NULL_BITMAP(any);
	xfree(names);
}

static bitstr_t *_build(const struct conf_flavor *flavor)
{
	bitstr_t *nodes;

	if (!flavor->features && !flavor->nodes && !flavor->partitions)
		return NULL;
	nodes = bit_alloc(node_record_count);
	bit_set_all(nodes);
	if (flavor->features)
		_keep_features(nodes, flavor->features);
	if (flavor->nodes)
		_keep_hosts(nodes, flavor->nodes);
	if (flavor->partitions)
		_keep_partitions(nodes, flavor->partitions);
	return nodes;
}

/* Nodes that are not down, drained or failing. Nodes that are powered down count. */
static bitstr_t *_build_up(void)
{
	bitstr_t *up = bit_alloc(node_record_count);
	node_record_t *node_ptr;

	for (int i = 0; (node_ptr = next_node(&i)); i++) {
		if (!IS_NODE_DOWN(node_ptr) && !IS_NODE_DRAIN(node_ptr) && !IS_NODE_FAIL(node_ptr))
			bit_set(up, node_ptr->index);
	}
	return up;
}

extern void flavor_free(void)
{
	for (size_t i = 0; by_flavor && (i < ctld.conf->spec->nflavors); i++)
		FREE_NULL_BITMAP(by_flavor[i]);
	xfree(by_flavor);
	FREE_NULL_BITMAP(up_nodes);
}

static bool _have_up_changed(void)
{
	bitstr_t *before = up_nodes;
	bool same;

	up_nodes = _build_up();
	same = before && (bit_size(before) == bit_size(up_nodes)) && bit_equal(before, up_nodes);
	FREE_NULL_BITMAP(before);
	return !same;
}

static void _build_all(void)
{
	size_t n = ctld.conf->spec->nflavors;

	flavor_free();
	by_flavor = xcalloc(n + 1, sizeof(bitstr_t *));
	for (size_t i = 0; i < n; i++)
		by_flavor[i] = _build(&ctld.conf->flavors[i]);
}

extern bool flavor_refresh(bool changed)
{
	changed |= !by_flavor;
	if (changed)
		_build_all();
	changed |= _have_up_changed();
	generation += changed;
	return changed;
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

/* ---- flavors that can hold a job ---- */

/* Nodes of a flavor in a partition, of the job's reservation, and none that the job excludes */
static bitstr_t *_nodes_for(int flavor, const job_record_t *job_ptr, const part_record_t *part_ptr)
{
	const slurmctld_resv_t *resv_ptr = job_ptr->resv_ptr;
	bitstr_t *nodes = bit_copy(part_ptr->node_bitmap);
	bitstr_t *of_flavor = flavor_nodes(flavor);

	if (job_ptr->details->exc_node_bitmap)
		bit_and_not(nodes, job_ptr->details->exc_node_bitmap);
	/* FLEX: other nodes as well; several: any of them */
	if (resv_ptr && resv_ptr->node_bitmap && !job_ptr->resv_list &&
	    !(resv_ptr->flags & RESERVE_FLAG_FLEX))
		bit_and(nodes, resv_ptr->node_bitmap);
	if (of_flavor)
		bit_and(nodes, of_flavor);
	return nodes;
}

/* Leave only nodes with the features that the job asks for. Are they enough? */
static bool _narrow_to_features(bitstr_t *nodes, job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	if (details->feature_list && !constraint_keep_best(nodes, details->feature_list))
		return false;
	if ((uint32_t) bit_set_count(nodes) < MAX(details->min_nodes, 1))
		return false;
	return !details->req_node_bitmap || bit_super_set(details->req_node_bitmap, nodes);
}

/* MaxNodeCount may leave room for dynamic nodes. */
extern bool nodes_may_come(void)
{
	for (int i = 0; i < node_record_count; i++) {
		if (!node_record_table_ptr[i])
			return true;
	}
	return false;
}

/* up: without those that are down or drained */
static bool _suits(int flavor, job_record_t *job_ptr, part_record_t *part_ptr, bool up)
{
	bitstr_t *of_flavor = flavor_nodes(flavor), *nodes;
	bool suits;

	if (!part_ptr || !part_ptr->node_bitmap)
		return true;
	if (of_flavor && !bit_set_count(of_flavor) && nodes_may_come())
		return !up;
	nodes = _nodes_for(flavor, job_ptr, part_ptr);
	if (up)
		bit_and(nodes, up_nodes);
	suits = _narrow_to_features(nodes, job_ptr);
	FREE_NULL_BITMAP(nodes);
	return suits;
}

extern bool flavor_is_eligible(int flavor, job_record_t *job_ptr, part_record_t *part_ptr)
{
	return _suits(flavor, job_ptr, part_ptr, false);
}

extern bool flavor_is_up(int flavor, job_record_t *job_ptr, part_record_t *part_ptr)
{
	return _suits(flavor, job_ptr, part_ptr, true);
}

extern bitstr_t *flavor_nodes_up(int flavor, job_record_t *job_ptr)
{
	bitstr_t *nodes = _nodes_for(flavor, job_ptr, job_ptr->part_ptr);

	bit_and(nodes, up_nodes);
	(void) _narrow_to_features(nodes, job_ptr);
	return nodes;
}
