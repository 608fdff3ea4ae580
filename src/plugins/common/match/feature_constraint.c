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
#include "match/feature_constraint.h"

#include "match/flavor_nodes.h"

/* A longer expression is not judged: Slurm takes 1,024 characters, which are
 * 512 features, and each feature costs time for each such job and flavor. */
#define FEATURES_MAX 64

static uint64_t steps;

extern uint64_t constraint_steps(void)
{
	return steps;
}

extern void constraint_count(uint64_t n)
{
	steps += n;
}

static bool _is_choice_op(int op)
{
	return (op == COMPAT_FEATURE_XOR) || (op == FEATURE_OP_XAND);
}

/* Of "[a|b]" and "[a*2&b*1]" each feature is an alternative, or a part */
static bool _is_choice(const job_feature_t *feature, int last_op)
{
	return _is_choice_op(feature->op_code) || _is_choice_op(last_op);
}

/* The parts of the expression */
struct shape {
	bool counts, parens;
	int choices;		/* pairs of brackets with alternatives */
	bool hard;		/* the expression is beyond what is judged here */
};

static struct shape _shape_of(compat_list_t features)
{
	struct shape shape = { .hard = list_count(features) > FEATURES_MAX };
	compat_itr_t iter;
	job_feature_t *feature;
	int op = FEATURE_OP_AND;

	if (shape.hard)
		return shape;
	iter = list_iterator_create(features);
	while ((feature = list_next(iter))) {
		shape.counts |= feature->count != 0;
		shape.parens |= feature->paren != 0;
		shape.choices += _is_choice_op(feature->op_code) &&
			!_is_choice_op(op);
		op = feature->op_code;
	}
	list_iterator_destroy(iter);
	shape.hard = (shape.choices > 1) || (shape.choices && shape.parens);
	return shape;
}

/* by: NULL is no node */
static void _combine(bitstr_t *nodes, bitstr_t *by, int op)
{
	constraint_count(1);
	if (op == FEATURE_OP_OR) {
		if (by)
			bit_or(nodes, by);
	} else if (by) {
		bit_and(nodes, by);
	} else {
		bit_clear_all(nodes);
	}
}

/* An expression of AND and OR, from left to right, with one level of
 * parentheses, as Slurm has it (node_scheduler.c). `choice` stands for the pair
 * of brackets. Clears the nodes that do not satisfy it. */
static void _keep_featured(bitstr_t *nodes, compat_list_t features,
			   bitstr_t *choice)
{
	compat_itr_t iter = list_iterator_create(features);
	int op = FEATURE_OP_AND, outer_op = FEATURE_OP_AND, depth = 0;
	bitstr_t *all = bit_copy(nodes), *group = NULL;
	job_feature_t *feature;

	while ((feature = list_next(iter))) {
		bool is_choice = _is_choice(feature, op);

		if ((feature->paren > depth) && !group) {
			group = bit_copy(nodes);
			outer_op = op;
			op = FEATURE_OP_AND;
		}
		if (!is_choice)
			_combine(group ? group : all,
				 flavor_feature_nodes(feature->name), op);
		else if (!_is_choice_op(op))	/* the first one in brackets */
			_combine(all, choice, op);
		if ((feature->paren < depth) && group) {
			_combine(all, group, outer_op);
			FREE_NULL_BITMAP(group);
		}
		depth = feature->paren;
		op = feature->op_code;
	}
	list_iterator_destroy(iter);
	bit_and(nodes, all);
	FREE_NULL_BITMAP(all);
	FREE_NULL_BITMAP(group);
}

/* "[a*2&b*1]", "a*2": so many nodes with each; of "[a*2|b*2]" one is enough */
static bool _has_counts(bitstr_t *nodes, compat_list_t features)
{
	compat_itr_t iter = list_iterator_create(features);
	bool all = true, any = false, either = false;
	job_feature_t *feature;

	while ((feature = list_next(iter))) {
		bitstr_t *has = flavor_feature_nodes(feature->name);
		bool enough = has && (bit_overlap(has, nodes) >=
				      MAX(feature->count, 1));

		constraint_count(1);
		all = all && (enough || !feature->count);
		any = any || enough;
		either |= (feature->op_code == COMPAT_FEATURE_XOR) ||
			(feature->op_code == FEATURE_OP_OR);
	}
	list_iterator_destroy(iter);
	return either ? any : all;
}

/* ---- alternatives ---- */

/* f may look at the nodes of each of the alternatives in brackets */
static void _each_choice(compat_list_t features,
			 void (*f)(bitstr_t *has, void *arg), void *arg)
{
	compat_itr_t iter = list_iterator_create(features);
	int op = FEATURE_OP_AND;
	job_feature_t *feature;

	while ((feature = list_next(iter))) {
		bitstr_t *has = flavor_feature_nodes(feature->name);

		if (has && _is_choice(feature, op)) {
			constraint_count(1);
			f(has, arg);
		}
		op = feature->op_code;
	}
	list_iterator_destroy(iter);
}

static void _add_choice(bitstr_t *has, void *any)
{
	bit_or(any, has);
}

/* The nodes that any of the alternatives leaves */
static void _keep_any(bitstr_t *nodes, compat_list_t features)
{
	bitstr_t *any = bit_alloc(bit_size(nodes));

	_each_choice(features, _add_choice, any);
	_keep_featured(nodes, features, any);
	FREE_NULL_BITMAP(any);
}

struct largest {
	bitstr_t *among;	/* nodes that need one of the alternatives */
	bitstr_t *best;		/* the alternative that most of these nodes
				 * have, or NULL */
	int count;
};

static void _look_at_choice(bitstr_t *has, void *arg)
{
	struct largest *l = arg;
	int count = bit_overlap(has, l->among);

	if (count > l->count) {
		l->count = count;
		l->best = has;
	}
}

/* The largest of the sets of nodes that the alternatives leave. A set has two
 * parts: nodes that satisfy the rest of the expression with the feature or
 * without it, and nodes that satisfy it only with the feature and have it. */
static void _keep_largest(bitstr_t *nodes, compat_list_t features)
{
	struct largest l = { .among = bit_copy(nodes) };
	bitstr_t *every = bit_copy(nodes);

	bit_set_all(every);
	_keep_featured(l.among, features, every);
	_keep_featured(nodes, features, NULL);
	bit_and_not(l.among, nodes);
	_each_choice(features, _look_at_choice, &l);
	if (l.best) {
		bit_and(l.among, l.best);
		bit_or(nodes, l.among);
	}
	FREE_NULL_BITMAP(l.among);
	FREE_NULL_BITMAP(every);
}

/* ---- the whole expression ---- */

extern void constraint_keep_any(bitstr_t *nodes, compat_list_t features)
{
	struct shape shape = _shape_of(features);

	if (shape.counts || shape.hard)
		return;
	if (shape.choices)
		_keep_any(nodes, features);
	else
		_keep_featured(nodes, features, NULL);
}

extern bool constraint_keep_best(bitstr_t *nodes, compat_list_t features)
{
	struct shape shape = _shape_of(features);

	if (shape.counts)
		return shape.parens || _has_counts(nodes, features);
	if (shape.choices && !shape.hard)
		_keep_largest(nodes, features);
	else
		constraint_keep_any(nodes, features);
	return true;
}
