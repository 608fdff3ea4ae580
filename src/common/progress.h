/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - every eviction is progress: what the engine has to know of earlier runs
 *
 * The rules are in doc/how-it-decides.md, section 6. The caller counts, over all runs of a
 * workload, and tells it with struct workload_desc:
 *
 * - evictions: how often it was evicted, but for the ends of turns. From yield_after of its
 *   queue on it evicts only for what the queue owns.
 * - lost: those that were no pure reclaims (struct victim). From max_preemptions of its
 *   queue on only pure reclaims evict it. No more than evictions.
 * - turns: how many of its turns were over (VICTIM_TIME_BASED). Each is twice as long as the
 *   one before it.
 */
#ifndef COHORT_PROGRESS_RULES_H
#define COHORT_PROGRESS_RULES_H

#include <stdbool.h>

struct engine;
struct workload;

/* A run is settled if its workload yields, and the queue was within nominal quota when it
 * started, in all that the run uses: workloads of other queues do not evict it. That ends
 * for all runs of a queue when it does not own as much any more as settled and
 * non-preemptible ones use: its nominal quota falls, or non-preemptible ones start. A waiting workload is not settled. */
bool workload_settled(const struct workload *w);

/* The same as the caller remembers it of this run: for all that run, first false, as a start
 * after a restart tells nothing, then what is remembered. A run stays unsettled if the queue
 * does not own enough for all that is settled in it, with what is non-preemptible. */
void engine_keep_settled(struct engine *e, struct workload *w, bool settled);

#endif /* COHORT_PROGRESS_RULES_H */
