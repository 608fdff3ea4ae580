/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting_world.h - small random worlds in which jobs wait, and what the plugin shows of them
 */
#ifndef SCOHORT_TEST_WAITING_WORLD_H
#define SCOHORT_TEST_WAITING_WORLD_H

#include "drawn_world.h"

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

#endif /* SCOHORT_TEST_WAITING_WORLD_H */
