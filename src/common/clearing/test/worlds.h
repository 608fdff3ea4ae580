/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worlds.h - random worlds: nodes, and jobs on them that may go
 */
#ifndef COHORT_CLEARING_WORLDS_H
#define COHORT_CLEARING_WORLDS_H

#include "clearing/clearing.h"
#include "test/tests.h"

#define MAX_NODES 64
#define MAX_ITEMS 256
#define MAX_SHARES 4
#define QUEUES 2

struct world {
	struct clearing c;
	int64_t idle[MAX_NODES], need[MAX_NODES], total;
	struct clearing_item items[MAX_ITEMS];
	struct clearing_share shares[MAX_ITEMS][MAX_SHARES];
	int64_t amounts[MAX_ITEMS];		/* on each of its nodes */
	int64_t held[MAX_ITEMS];		/* on all */
	int queue[MAX_ITEMS];
	int64_t lent[QUEUES];			/* what the queue borrows */
	int64_t lacks;				/* quota that must come back */
	unsigned int questions;
	unsigned int seed;
};

/* A queue gives as long as it borrows; its largest goes last. */
enum clearing_answer world_judge(const bool *gone, void *arg);

/* Nodes of that many CPUs on which an owner, a team within its quota and some that borrow have
 * jobs; the owner then wants whole nodes, parts of nodes, or CPUs wherever they are. */
void world_make(struct world *w, unsigned int seed, size_t nodes, int64_t cpus);

/* Of these that go: what is lost */
double world_loss(const struct world *w, const bool *gone);

/* Two nodes that need `need`; half of the n items, which hold so much and lose as much, on each.
 * The queues have them in turn. */
void world_make_few(struct world *w, size_t n, const int64_t *held, int64_t need);

/* Is there room without these, and may they go? */
bool world_is_right(struct world *w, const bool *gone);

/* Is there room with so many idle CPUs by node? */
bool world_fits(const struct world *w, const int64_t *have);

/* One goes (sign 1), or returns (-1) */
void world_add(const struct world *w, size_t item, int64_t *have, int sign);

/* Are all that go in a better set useful to lose less than `now`? */
bool world_finds_useful(const struct world *w, const bool *better, const bool *now);

#endif /* COHORT_CLEARING_WORLDS_H */
