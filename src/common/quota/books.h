/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * books.h - quota and usage of a forest of cohorts and cluster queues
 *
 * One row of cells per node, one cell per pair (flavor, resource) that any
 * quota or resource group mentions. Each cell has a usage and a quota. Nodes
 * are numbered: first the cohorts as in the spec, then the queues. Usage changes
 * by books_add/books_remove only. Usage above INT64_MAX shows as INT64_MAX.
 *
 * Trials: between books_try() and books_undo() every change is written to a
 * log, and undone from it bit for bit. Trials nest. A change for which the log could
 * not grow (out of memory) is not made: books_undo() says so, of the trial and of those
 * around it, whose answers are worth nothing.
 */
#ifndef COHORT_BOOKS_H
#define COHORT_BOOKS_H

#include "lib/arena.h"
#include "lib/sat.h"
#include "spec.h"

/* What only the spec decides about a cell */
struct quota {
	int64_t nominal;
	int64_t borrowing_limit;	/* SPEC_NO_LIMIT if not set */
	int64_t lending_limit;		/* SPEC_NO_LIMIT if not set */
	int64_t subtree;		/* own quota and what children lend */
	int64_t local;			/* part of subtree never lent upward */
	int64_t potential;		/* the most that could ever be used */
	bool present;			/* some quota is set here or below */
};

/* Absurd amounts may add up to more than 64 bits hold. */
struct cell {
	__int128 used;			/* read it with cell_usage() */
	__int128 fixed;			/* see fixed.h */
};

/* How far a node borrows, see share.h */
struct share {
	double ratio;	/* borrowed per mille of what is lendable; with what was borrowed lately */
	double weight;
	bool borrowing;		/* in any resource, whatever the ratio */
};

struct node {
	int parent;			/* or SPEC_NONE */
	int root;			/* top of its tree, perhaps itself */
	int first_child, next_sibling;	/* or SPEC_NONE; by name */
	int height;			/* queue: 0 */
	int depth;			/* root: 0 */
	int number, last_below;		/* it and all below it have the numbers from the one to
					 * the other, parents before children */
	bool is_queue;
	bool share_known;		/* share is of the present usage */
	double weight;
	struct share share;
};

struct pair {
	int flavor;
	int resource;
};

/* An amount of a pair */
struct use {
	int pair;
	int64_t amount;
};

struct history;
struct calendar;

/* Whoever keeps account of the books is told what has changed for good. */
struct books_watch {
	/* The usage or the quota of the cell is another one. */
	void (*changed)(struct books_watch *watch, int node, int pair);
	/* The next change was at that time, not only now. */
	void (*dated)(struct books_watch *watch, int64_t at);
};

struct undo {
	__int128 *number;
	__int128 old;
	int node;			/* whose usage it is, or SPEC_NONE */
};

struct books {
	struct arena arena;		/* of all but the log, and of what else of the engine
					 * lasts as long */
	struct node *nodes;
	int *order;			/* nodes by number */
	struct cell *cells;		/* [node * npairs + pair] */
	struct quota *quotas;		/* of the same */
	struct pair *pairs;		/* sorted by resource, then flavor */
	int *pair_of;			/* [flavor * nresources + resource] */
	size_t nnodes, ncohorts;
	size_t npairs, nflavors, nresources;
	struct history *history;	/* history.h; NULL: it does not count */
	struct calendar *calendar;	/* calendar.h; NULL: no quota is ever another one */
	struct books_watch *watch;	/* NULL: nobody */
	struct undo *log;
	size_t nlog, log_size;
	int trials;			/* how many are open */
	bool log_lost;			/* a change was not made */
};

/* NULL with errno = ENOMEM. The spec is valid. */
struct books *books_create(const struct spec *spec);
void books_destroy(struct books *b);

static inline struct cell *books_cell(const struct books *b, int node, int pair)
{
	return &b->cells[(size_t) node * b->npairs + (size_t) pair];
}

static inline int64_t cell_usage(const struct cell *c)
{
	return c->used < INT64_MAX ? (int64_t) c->used : INT64_MAX;
}

static inline struct quota *books_quota(const struct books *b, int node, int pair)
{
	return &b->quotas[(size_t) node * b->npairs + (size_t) pair];
}

static inline int64_t books_usage(const struct books *b, int node, int pair)
{
	return cell_usage(books_cell(b, node, pair));
}

/* The part of the quota that the node never lends that is not in use */
static inline int64_t books_idle_local(const struct books *b, int node, int pair)
{
	int64_t local = books_quota(b, node, pair)->local;
	int64_t usage = books_usage(b, node, pair);

	if (usage >= local && local < INT64_MAX)
		return 0;
	return sat_sub(local, usage);
}

/* The part of the fixed usage that the node's own quota does not cover */
static inline __int128 quota_uncovered(const struct quota *q, __int128 fixed)
{
	return q->nominal == SPEC_UNLIMITED || fixed <= q->nominal
	       ? 0 : fixed - q->nominal;
}

/* Is the node in the subtree of the ancestor, or the ancestor itself? */
static inline bool books_is_below(const struct books *b, int node, int ancestor)
{
	const struct node *top = &b->nodes[ancestor];
	int number = b->nodes[node].number;

	return top->number <= number && number <= top->last_below;
}

/* Would the node be over its nominal quota (a cohort: over the quota of its subtree) with `more` in
 * use? A node that is over its quota borrows. Nothing is over a quota without bound. */
static inline bool books_is_over_nominal(const struct books *b, int node, int pair, int64_t more)
{
	int64_t subtree = books_quota(b, node, pair)->subtree;

	return subtree < INT64_MAX
	       && (__int128) books_usage(b, node, pair) + more > subtree;
}

/* Does it borrow in any pair? */
static inline bool books_is_over_any(const struct books *b, int node)
{
	for (size_t p = 0; p < b->npairs; p++) {
		if (books_is_over_nominal(b, node, (int) p, 0))
			return true;
	}
	return false;
}

/* How far is the node over its quota? 0: the usage equals it; less: it is under
 * it. Without bound it is INT64_MAX, whatever the quota. */
static inline int64_t books_over_nominal(const struct books *b, int node, int pair, int64_t more)
{
	return sat_sub(sat_add(books_usage(b, node, pair), more),
		       books_quota(b, node, pair)->subtree);
}

/* The child of the lowest common ancestor of two nodes of a tree on the way to the
 * first one, which is not above the other one */
int books_branch(const struct books *b, int node, int other);

/* Sets of pairs as 64 bits: if two sets have no common bit, they have no common pair */
static inline uint64_t pair_bit(int pair)
{
	return UINT64_C(1) << (pair % 64);
}

/* Index of the pair, or SPEC_NONE if no node has quota for it: such amounts are
 * not in the books. */
static inline int books_pair(const struct books *b, int flavor, int resource)
{
	return b->pair_of[(size_t) flavor * b->nresources + (size_t) resource];
}

/* The index of a cohort or queue in the spec becomes that of its node. False: there is no
 * such node, flavor or resource, or no node has quota for the pair. */
bool books_find(const struct books *b, bool is_cohort, int *node, int flavor,
		int resource, int *pair);

/* An amount below 0 (what a queue above its borrowing limit reserves) is not in the
 * usage of the nodes above: that is Kueue's rule. */
void books_add(struct books *b, int node, int pair, int64_t amount);
void books_remove(struct books *b, int node, int pair, int64_t amount);

/* All of these, none below 0. sign: 1: are added, -1: are removed */
void books_change(struct books *b, int node, const struct use *uses, size_t n, int sign);

/* How much less `node`, the queue itself or a node above it, would use if
 * `amount` was removed from the queue */
int64_t books_removable(const struct books *b, int queue, int node, int pair, int64_t amount);

/* The quota of the pair has changed somewhere in the tree: sums up the usage of its
 * cohorts anew, as if the quota had always been so. Not in a trial. */
void books_follow(struct books *b, int root, int pair);

/* In a trial: sets the usage of the tree to nothing */
void books_vacate(struct books *b, int root);

/* Opens a trial; the mark is for books_undo(), which closes it. */
size_t books_try(struct books *b);
bool books_undo(struct books *b, size_t mark);

/* Sets a number that belongs to the trial, as the usage does: books_undo() resets it. */
void books_write(struct books *b, __int128 *number, __int128 value);

/* What could be added at the node now; may be negative */
int64_t books_available(const struct books *b, int node, int pair);

/* Is the queue over nominal quota, and every node above it below `lca`? */
bool books_borrows(const struct books *b, int queue, int lca, int pair);

/* How far away the quota for `amount` more comes from: 0 if the queue does not
 * borrow, else the height of the lowest cohort that can hold it. Sets
 * *may_reclaim if workloads outside that cohort may hold what is needed. */
int books_borrow_level(const struct books *b, int queue, int pair,
		       int64_t amount, bool *may_reclaim);

/* The node is over its nominal quota in a pair of the uses; with one of them, each by itself, it
 * would be. */
bool books_is_over(const struct books *b, int node, const struct use *uses, size_t n);
bool books_is_over_with(const struct books *b, int node, const struct use *uses, size_t n);

/* All uses fit, each one by itself. */
bool books_fit(const struct books *b, int queue, const struct use *uses, size_t n);

#endif /* COHORT_BOOKS_H */
