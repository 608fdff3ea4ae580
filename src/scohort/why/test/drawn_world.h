/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * drawn_world.h - small random worlds, with jobs that run or wait in them, and what
 *		   the plugin publishes and shows of them
 */
#ifndef SCOHORT_TEST_DRAWN_WORLD_H
#define SCOHORT_TEST_DRAWN_WORLD_H

#include <json.h>

#include "world.h"

#define NOW 100		/* seconds, which are the units of the world */
#define MOST_JOBS 12
#define MOST_QUEUES 8

struct running {
	char name[8], queue[8], flavor[8];
	int cpu, gpu, since, priority;
	bool lost;			/* a run before, to others than owners */
};

struct drawn {
	uint64_t random;
	char text[4096];
	struct running jobs[MOST_JOBS];
	int njobs, nqueues;
	bool yields;
};

/* The same seed draws the same: queues a, b.., jobs r0, r1.. of cpu and gpu. yields: in
 * some queues jobs that were evicted yield, and settle. */
struct world *world_draw(struct drawn *d, uint64_t seed, bool yields);

/* ---- waiting_world.c ---- */

#define MOST_WAITING 6

struct line {
	struct drawn d;
	char text[1536];		/* the statements that d.text lacks */
};

/* A drawn world, with jobs w0, w1.. that came to wait, played until nothing moves any more.
 * The same seed draws the same. */
struct world *line_draw(struct line *l, uint64_t seed);

/* The waiting job that goes first by the last plan; NULL: nothing moves */
struct workload *next_to_go(struct world *w);

/* The text of a job that waits, as the plugin shows it in squeue (tell/reason.c) */
void shown_text(const struct world *w, const struct workload *x, char *text, size_t size);

/* ---- published_world.c ---- */

/* The document of that time, in seconds, which are the units of the world; the caller's.
 * Nodes of a flavor are its name with 1 to 9 behind it, a queue matches the account of its
 * name. */
struct json_object *world_publish(struct world *w, int64_t at);

#endif /* SCOHORT_TEST_DRAWN_WORLD_H */
