/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rankset.h - an intrusive ordered set that knows the place of each member
 *
 * A treap whose nodes carry the sum of the weights below them: insert, remove
 * and rank take O(log n), next O(1) amortized. Members embed a rank_node; the
 * set allocates nothing. Equal members are not allowed: the order must be
 * total.
 *
 * Members may know something about all that are below them, as a bound of their
 * times: the set asks them to compute it again where that changes.
 */
#ifndef COHORT_RANKSET_H
#define COHORT_RANKSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rank_node {
	struct rank_node *parent, *left, *right;
	uint64_t priority;		/* of the heap, from a hash */
	int64_t sum;			/* of the weights of the whole subtree */
};

typedef bool (*rank_less_f)(const struct rank_node *a, const struct rank_node *b);

/* Computes what a member knows from itself and from its children, left and
 * right. False if that is what it was. */
typedef bool (*rank_renew_f)(struct rank_node *node);

/* What sets of a kind have in common */
struct rank_order {
	rank_less_f less;
	rank_renew_f renew;		/* or NULL */
};

struct rankset {
	struct rank_node *root;
	struct rank_node *first;	/* the one that comes first */
	const struct rank_order *order;
	uint32_t inserts;		/* so far; balances the tree, so that a
					 * set costs the same in each process */
};

/* The order lasts as long as the set. */
void rankset_init(struct rankset *set, const struct rank_order *order);

void rankset_insert(struct rankset *set, struct rank_node *node, int64_t weight);
void rankset_remove(struct rankset *set, struct rank_node *node);

/* What the member knows of itself has changed; its place has not. */
void rankset_renew(const struct rankset *set, struct rank_node *node);

int64_t rankset_weight(const struct rank_node *node);

/* Sum of the weights of all that come before node */
int64_t rankset_before(const struct rank_node *node);

/* Sum of the weights of all members */
int64_t rankset_total(const struct rankset *set);

struct rank_node *rankset_first(const struct rankset *set);
struct rank_node *rankset_next(const struct rank_node *node);

#endif /* COHORT_RANKSET_H */
