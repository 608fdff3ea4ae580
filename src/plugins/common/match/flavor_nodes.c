/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_nodes.c - which nodes are a flavor's, and which flavors can hold a job
 *
 *  A flavor names its nodes by features, by a host list or by partitions; a
 *  node belongs to it if every key that is set agrees. Bitmaps are rebuilt
 *  when nodes or partitions may have changed. Host lists are read only when
 *  nodes were created or deleted: that takes milliseconds for thousands of
 *  names.
 *
 *  A flavor whose nodes a job can't use is not eligible: no job is evicted
 *  there, and the search goes on. Partitions, reservation, lists of nodes,
 *  features (feature_constraint.c) and the number of nodes are judged here for
 *  each job, at little cost. Whether a node is large enough is asked of
 *  cons_tres, once, when it found no nodes. Nodes that are down or drained
 *  count only if no other flavor has any nodes: then the job waits for them.
\*****************************************************************************/
#include "match/flavor_nodes.h"

#include "match/feature_constraint.h"
#include "match/fingerprint.h"

static bitstr_t **by_flavor;	/* NULL: to be built; NULL entry: every node */
static bitstr_t **by_hosts;	/* NULL: to be read; NULL entry: so is this */
static bitstr_t *up_nodes;	/* NULL: to be built */
static uint64_t generation;	/* of all the bitmaps */

/* ---- nodes of a flavor ---- */

/* "a&b" */
static bitstr_t *_nodes_by_all(char *names)
{
	bitstr_t *all = bit_alloc(node_record_count), *nodes;
	char *save = NULL;

	bit_set_all(all);
	for (char *name = strtok_r(names, "&", &save); name; name = strtok_r(NULL, "&", &save)) {
		if ((nodes = feature_nodes(name)))
			bit_and(all, nodes);
		else
			bit_clear_all(all);
	}
	return all;
}

static bitstr_t *_nodes_of_partition(char *name)
{
	part_record_t *part_ptr = find_part_record(name);

	return part_ptr && part_ptr->node_bitmap ? bit_copy(part_ptr->node_bitmap) :
		bit_alloc(node_record_count);
}

/* The nodes of any part of the text */
static bitstr_t *_nodes_by_any(const char *text, const char *separator,
			       bitstr_t *(*nodes_of)(char *part))
{
	bitstr_t *any = bit_alloc(node_record_count);
	char *copy = xstrdup(text), *save = NULL;

	for (char *part = strtok_r(copy, separator, &save); part;
	     part = strtok_r(NULL, separator, &save)) {
		bitstr_t *nodes = nodes_of(part);

		bit_or(any, nodes);
		FREE_NULL_BITMAP(nodes);
	}
	xfree(copy);
	return any;
}

static bitstr_t *_nodes_by_hosts(size_t i)
{
	if (!by_hosts)
		by_hosts = xcalloc(ctld.conf->spec->nflavors + 1, sizeof(bitstr_t *));
	if (!by_hosts[i]) {
		count_work(WORK_HOST_LIST);
		by_hosts[i] = compat_nodes_of(ctld.conf->flavors[i].nodes);
	}
	if (!by_hosts[i])
		by_hosts[i] = bit_alloc(node_record_count);
	return bit_copy(by_hosts[i]);
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

static bitstr_t *_build(size_t i)
{
	const struct conf_flavor *flavor = &ctld.conf->flavors[i];
	bitstr_t *nodes = NULL;

	if (flavor->features)	/* "a&b|c": AND binds closer than OR */
		_keep_only(&nodes, _nodes_by_any(flavor->features, "|", _nodes_by_all));
	if (flavor->nodes)
		_keep_only(&nodes, _nodes_by_hosts(i));
	if (flavor->partitions)
		_keep_only(&nodes, _nodes_by_any(flavor->partitions, ",", _nodes_of_partition));
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

static bitstr_t *_up(void)
{
	if (!up_nodes)
		up_nodes = _build_up();
	return up_nodes;
}

static void _free_all(bitstr_t ***all)
{
	for (size_t i = 0; *all && (i < ctld.conf->spec->nflavors); i++)
		FREE_NULL_BITMAP((*all)[i]);
	xfree(*all);
}

extern void flavor_forget_hosts(void)
{
	_free_all(&by_hosts);
}

extern void flavor_free(void)
{
	_free_all(&by_hosts);
	_free_all(&by_flavor);
	FREE_NULL_BITMAP(up_nodes);
}

static bool _is_same(bitstr_t *a, bitstr_t *b)
{
	return a && b ? (bit_size(a) == bit_size(b)) && bit_equal(a, b) : a == b;
}

/* True if the bitmap has changed; the new one is kept */
static bool _replace(bitstr_t **old, bitstr_t *new)
{
	if (_is_same(*old, new)) {
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

	changed |= _replace(&up_nodes, _build_up());
	if (!by_flavor)
		by_flavor = xcalloc(n + 1, sizeof(bitstr_t *));
	for (size_t i = 0; i < n; i++)
		changed |= _replace(&by_flavor[i], _build(i));
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

enum learned { LEARNED_NOTHING, LEARNED_CAN, LEARNED_NEVER };

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
		bit_and(nodes, _up());
	suits = _narrow_to_features(nodes, job_ptr);
	FREE_NULL_BITMAP(nodes);
	return suits;
}

extern bool flavor_is_eligible(int flavor, job_record_t *job_ptr, part_record_t *part_ptr)
{
	return _suits(flavor, job_ptr, part_ptr, false);
}

static bool _suits_up(int flavor, const struct entry *entry)
{
	part_record_t *part_ptr;

	for (int i = 0; (part_ptr = job_partition(entry, i)); i++) {
		if (_suits(flavor, entry->job->job_ptr, part_ptr, true))
			return true;
	}
	return false;
}

/* ---- cons_tres's answers: they hold for this request and these nodes ---- */

static uint64_t _validity(job_record_t *job_ptr)
{
	return fingerprint_of_request(job_ptr) + generation;
}

static enum learned _learned(const struct entry *entry, int flavor, uint64_t valid)
{
	return entry->lessons.fits && (entry->lessons.fits_for == valid) ?
		entry->lessons.fits[flavor] : LEARNED_NOTHING;
}

extern bool flavor_learn(struct entry *entry, int flavor,
			 bool (*could_ever)(bitstr_t *nodes, void *arg), void *arg)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	struct lessons *lessons = &entry->lessons;
	uint64_t valid = _validity(job_ptr);
	bitstr_t *nodes;
	bool can;

	if (_learned(entry, flavor, valid))
		return false;
	if (!lessons->fits || (lessons->fits_for != valid)) {
		xfree(lessons->fits);
		lessons->fits = xcalloc(ctld.conf->spec->nflavors + 1, sizeof(*lessons->fits));
		lessons->fits_for = valid;
	}
	nodes = _nodes_for(flavor, job_ptr, job_ptr->part_ptr);
	bit_and(nodes, _up());
	(void) _narrow_to_features(nodes, job_ptr);
	can = could_ever(nodes, arg);
	FREE_NULL_BITMAP(nodes);
	lessons->fits[flavor] = can ? LEARNED_CAN : LEARNED_NEVER;
	if (!can)
		entry->job->fingerprint = 0;
	return !can;
}

/* ---- all rules together ---- */

/* Leave those of `now`, if there are any. */
static void _leave_only(const bool *now, bool *ineligible)
{
	size_t n = ctld.conf->spec->nflavors;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= now[i];
	for (size_t i = 0; any && (i < n); i++)
		ineligible[i] = !now[i];
}

extern void flavor_exclude_useless(const struct entry *entry, bool *ineligible)
{
	size_t n = ctld.conf->spec->nflavors;
	uint64_t valid = _validity(entry->job->job_ptr);
	bool *now = xcalloc(n + 1, sizeof(*now));

	for (size_t i = 0; i < n; i++)
		now[i] = !ineligible[i] && (_learned(entry, i, valid) != LEARNED_NEVER) &&
			_suits_up(i, entry);
	_leave_only(now, ineligible);
	/* flavors whose nodes are taken, as long as another one is left */
	if (entry_goes_on(entry)) {
		for (size_t i = 0; i < n; i++)
			now[i] = !ineligible[i] && !entry->lessons.taken->flavors[i];
		_leave_only(now, ineligible);
	}
	xfree(now);
}
