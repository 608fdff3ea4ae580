/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * player.h - what the parts of a replay share while it runs
 */
#ifndef SCOHORT_REPLAY_PLAYER_H
#define SCOHORT_REPLAY_PLAYER_H

#include "replay/replay.h"

struct entry {
	int queue;
	int64_t submit;
	bool started;
};

struct player {
	struct replay *r;
	const struct trace *trace;
	const struct replay_options *options;
	struct replay_ask ask;
	struct sim *sim;
	struct spec *native;		/* NULL: our rules */
	double *cpus;			/* by resource: 1 for CPUs, else 0 */
	struct entry *entries;		/* by job of the trace */
	uint64_t numbers;		/* of tiebreaks so far */
	size_t submitted;		/* jobs of the trace, so far */
	int64_t changed;		/* when something last happened */
	size_t in_vain;			/* evictions since any job has ended, or saved
					 * some of its work */
	size_t ended;			/* tasks */
	bool nomem;
};

/* ---- count.c ---- */

/* Counts an event of the simulation; arg is the player. Fits sim_options. */
void replay_count(void *arg, const struct sim_event *event);

/* Keeps a change of the queue, if that is wanted. */
void replay_keep_change(struct player *p, struct replay_queue *q, int64_t at,
			int64_t waiting);

#endif /* SCOHORT_REPLAY_PLAYER_H */
