/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  feature_constraint.c - which nodes a --constraint leaves
 *
 *  Any user can write any expression, and it is judged under slurmctld's locks,
 *  for each waiting job and flavor: in time linear in its length, which is
 *  bounded. An expression beyond these bounds (alternatives with parentheses,
 *  two pairs of brackets, a very long one) is taken to be possible: cons_tres
 *  knows.
\*****************************************************************************/
#include "match/match.h"

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

extern bool constraint_keep_best(bitstr_t *nodes, compat_list_t features)
{
	struct expression e;

	_read(&e, features);
	if (e.counts)
		return e.parens || _has_counts(nodes, &e);
	if (!e.hard)
		_keep_largest(nodes, &e);
	return true;
}
