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
 *  features and the number of nodes are judged here for
 *  each job, at little cost. Whether a node is large enough cons_tres knows
 *  (request/learn.c).
\*****************************************************************************/
#include "match/match.h"

static bitstr_t **by_flavor;	/* NULL: to be built; NULL entry: every node */
static bitstr_t *up_nodes;	/* built with them */

/* ---- which nodes a --constraint leaves ---- */

/* Any user can write any expression, and it is judged under slurmctld's locks, for each waiting
 * job and flavor: in time linear in its length, which is bounded. An expression beyond these
 * bounds (alternatives with parentheses, two pairs of brackets, a very long one) is taken to be
 * possible: cons_tres knows. */

/* A longer expression is not judged: Slurm takes 1,024 characters, which are
 * 512 features, and each feature costs time for each such job and flavor. */
#define FEATURES_MAX 64

static int _find_feature(void *x, void *key)
{
	return !xstrcmp(((node_feature_t *) x)->name, key);
}

extern bitstr_t *feature_nodes(const char *name)
{
	node_feature_t *feature = list_find_first(avail_feature_list, _find_feature,
						  (void *) name);

	return feature ? feature->node_bitmap : NULL;
}

struct feature {
	bitstr_t *nodes;		/* Slurm's; NULL: none */
	int op, last_op;		/* after and before it */
	int paren, count;
	bool is_choice;			/* of "[a|b]" or "[a*2&b*1]" */
};

struct expression {
	size_t n;
	bool counts, parens, either;
	int choices;			/* pairs of brackets with alternatives */
	bool hard;			/* beyond what is judged here */
	struct feature all[FEATURES_MAX];
};

static bool _is_choice_op(int op)
{
	return (op == COMPAT_FEATURE_XOR) || (op == FEATURE_OP_XAND);
}

static void _read(struct expression *e, compat_list_t features)
{
	job_feature_t *feature;
	int op = FEATURE_OP_AND;

	memset(e, 0, sizeof(*e));
	for_each_in(feature, features) {
		if ((e->hard = (e->n == FEATURES_MAX))) {
			e->counts = false;
			return;
		}
		e->all[e->n++] = (struct feature) {
			feature_nodes(feature->name), feature->op_code, op,
			feature->paren, feature->count,
			_is_choice_op(feature->op_code) || _is_choice_op(op),
		};
		e->counts |= feature->count != 0;
		e->parens |= feature->paren != 0;
		e->either |= (feature->op_code == COMPAT_FEATURE_XOR) ||
			(feature->op_code == FEATURE_OP_OR);
		e->choices += _is_choice_op(feature->op_code) && !_is_choice_op(op);
		op = feature->op_code;
	}
	e->hard = (e->choices > 1) || (e->choices && e->parens);
}

/* by: NULL is no node */
static void _combine(bitstr_t *nodes, bitstr_t *by, int op)
{
	count_work(WORK_NODE_SETS);
	if (by && (op == FEATURE_OP_OR))
		bit_or(nodes, by);
	else if (by)
		bit_and(nodes, by);
	else if (op != FEATURE_OP_OR)
		bit_clear_all(nodes);
}

/* An expression of AND and OR, from left to right, with one level of
 * parentheses, as Slurm has it (node_scheduler.c). `choice` stands for the pair
 * of brackets. Clears the nodes that do not satisfy it. */
static void _keep_featured(bitstr_t *nodes, const struct expression *e, bitstr_t *choice)
{
	bitstr_t *all = bit_copy(nodes), *group = NULL;
	int outer_op = FEATURE_OP_AND, depth = 0;

	for (const struct feature *f = e->all; f < e->all + e->n; f++) {
		int op = f->last_op;

		if ((f->paren > depth) && !group) {
			group = bit_copy(nodes);
			outer_op = op;
			op = FEATURE_OP_AND;
		}
		if (!f->is_choice)
			_combine(group ? group : all, f->nodes, op);
		else if (!_is_choice_op(op))	/* the first one in brackets */
			_combine(all, choice, op);
		if ((f->paren < depth) && group) {
			_combine(all, group, outer_op);
			FREE_NULL_BITMAP(group);
		}
		depth = f->paren;
	}
	bit_and(nodes, all);
	FREE_NULL_BITMAP(all);
	FREE_NULL_BITMAP(group);
}

/* "[a*2&b*1]", "a*2": so many nodes with each; of "[a*2|b*2]" one is enough */
static bool _has_counts(bitstr_t *nodes, const struct expression *e)
{
	bool all = true, any = false;

	for (size_t i = 0; i < e->n; i++) {
		const struct feature *f = &e->all[i];
		bool enough = f->nodes && (bit_overlap(f->nodes, nodes) >= MAX(f->count, 1));

		count_work(WORK_NODE_SETS);
		all &= enough || !f->count;
		any |= enough;
	}
	return e->either ? any : all;
}

/* The largest of the sets of nodes that the alternatives leave. A set has two
 * parts: nodes that satisfy the rest of the expression with the feature or
 * without it, and nodes that satisfy it only with the feature and have it. */
static void _keep_largest(bitstr_t *nodes, const struct expression *e)
{
	bitstr_t *among = bit_copy(nodes), *every = bit_copy(nodes), *best = NULL;
	int most = 0;

	bit_set_all(every);
	_keep_featured(among, e, every);
	_keep_featured(nodes, e, NULL);
	bit_and_not(among, nodes);
	for (size_t i = 0; i < e->n; i++) {
		bitstr_t *has = e->all[i].is_choice ? e->all[i].nodes : NULL;
		int count = has ? bit_overlap(has, among) : 0;

		count_work(WORK_NODE_SETS);
		if (count > most) {
			most = count;
			best = has;
		}
	}
	if (best) {
		bit_and(among, best);
		bit_or(nodes, among);
	}
	FREE_NULL_BITMAP(among);
	FREE_NULL_BITMAP(every);
}

extern void constraint_keep_any(bitstr_t *nodes, compat_list_t features)
{
	struct expression e;
	bitstr_t *any;

	_read(&e, features);
	if (e.counts || e.hard)
		return;
	any = bit_alloc(bit_size(nodes));
	for (size_t i = 0; i < e.n; i++) {
		if (e.all[i].is_choice && e.all[i].nodes)
			_combine(any, e.all[i].nodes, FEATURE_OP_OR);
	}
	_keep_featured(nodes, &e, any);
	FREE_NULL_BITMAP(any);
}

/* The same, but keep the nodes of one alternative only: the one that leaves most. False if
 * there are too few nodes of some kind. */
static bool _keep_best(bitstr_t *nodes, compat_list_t features)
{
	struct expression e;

	_read(&e, features);
	if (e.counts)
		return e.parens || _has_counts(nodes, &e);
	if (!e.hard)
		_keep_largest(nodes, &e);
	return true;
}

/* ---- nodes of a flavor ---- */

/* "a&b": those that have all of these */
static void _keep_features(bitstr_t *nodes, const char *text)
{
	char *names = xstrdup(text), *save = NULL;

	for (char *name = strtok_r(names, "&", &save); name; name = strtok_r(NULL, "&", &save))
		_combine(nodes, feature_nodes(name), FEATURE_OP_AND);
	xfree(names);
}

static void _keep_hosts(bitstr_t *nodes, const char *hosts)
{
	bitstr_t *by = compat_nodes_of(hosts);

	count_work(WORK_HOST_LIST);
	_combine(nodes, by, FEATURE_OP_AND);
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

extern bool flavor_refresh(bool changed)
{
	size_t n = ctld.conf->spec->nflavors;

	changed |= !by_flavor;
	if (changed) {
		flavor_free();
		by_flavor = xcalloc(n + 1, sizeof(bitstr_t *));
		for (size_t i = 0; i < n; i++)
			by_flavor[i] = _build(&ctld.conf->flavors[i]);
	}
	changed |= _have_up_changed();
	ctld.node_sets += changed;
	return changed;
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

	if (details->feature_list && !_keep_best(nodes, details->feature_list))
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

extern bool flavor_suits(int flavor, job_record_t *job_ptr, part_record_t *part_ptr, bool up)
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

extern bitstr_t *flavor_nodes_up(int flavor, job_record_t *job_ptr)
{
	bitstr_t *nodes = _nodes_for(flavor, job_ptr, job_ptr->part_ptr);

	bit_and(nodes, up_nodes);
	(void) _narrow_to_features(nodes, job_ptr);
	return nodes;
}
