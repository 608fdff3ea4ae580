/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clearing.h - who goes so that nodes have room, with the least lost
 *
 * doc/how-it-decides.md, section 10: where nodes decide about victims, a set of
 * the rules is looked for that loses least. Nodes are counts of resources here:
 * whether a job really fits there is for the caller to ask. All that is not
 * said to go stays.
 */
#ifndef COHORT_CLEARING_H
#define COHORT_CLEARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Levels are 0 to CLEARING_LEVELS - 1 */
#define CLEARING_LEVELS 24

/* What one has on one node, by resource; >= 0 */
struct clearing_share {
	size_t node;
	const int64_t *amounts;
};

/* One that may go. Whoever is of a higher level stays if that can be had by
 * others of lower levels, whatever these lose. */
struct clearing_item {
	int level;
	double loss;		/* >= 0 */
	double tie;		/* >= 0: what counts where losses of a level are equal */
	const struct clearing_share *shares;
	size_t nshares;
	bool leaving;		/* it goes already, whatever is chosen */
};

enum clearing_answer {
	CLEARING_ALLOWED,
	CLEARING_TOO_FEW,	/* allowed, but others have to go as well */
	CLEARING_FORBIDDEN,	/* and so is every set that has all of these */
	CLEARING_REFUSED,	/* not these, but maybe some of them with others */
};

/* What is wanted: min_nodes to max_nodes nodes with `need` each, and `total` on
 * all of these together. What is not needed on a node may be missing there.
 * Arrays belong to the caller. */
struct clearing {
	size_t nresources, nnodes, nitems;
	const int64_t *idle;	/* by node and resource */
	const int64_t *need;	/* by node and resource; a node that can't do has INT64_MAX */
	const int64_t *total;	/* by resource */
	const int64_t *unit;	/* by resource: of a node only multiples of this
				 * count for the total; NULL: all of 1 */
	size_t min_nodes, max_nodes;
	const struct clearing_item *items;
	/* What the rules say about a set, gone[nitems] */
	enum clearing_answer (*judge)(const bool *gone, void *arg);
	void *arg;
	/* How often judge() may be called, and how many looks at what one has on
	 * a node may be taken, about: what is best by then is the answer. If there are
	 * more shares than half as many looks, none is looked for. */
	size_t max_questions, max_looks;
	/* If not NULL: what was taken is added */
	size_t *questions, *looks;
};

/* The set found that loses least, which is never empty: all of one level counts before all of
 * the levels below; of sets that lose the same on a level, less of `tie`, and of those the one
 * with fewer. Returns false if none was found, and with errno = ENOMEM if there was no memory; 0
 * else. */
bool clearing_find(const struct clearing *c, bool *gone);

/* < 0: the first one costs less; no shares are read */
int clearing_compare_items(const struct clearing_item *a, const struct clearing_item *b);

/* Does a lose less than b, or as much with fewer? */
bool clearing_is_better(const struct clearing *c, const bool *a, const bool *b);

/* How many items, of those that are not leaving already, may be in a set that is better than
 * `now` (clearing_is_better())? All others are in none. NULL, or useful[nitems] tells which
 * these are, with those that are leaving. No shares are read. */
size_t clearing_find_useful(const struct clearing *c, const bool *now, bool *useful);

#endif /* COHORT_CLEARING_H */
