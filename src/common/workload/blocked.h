/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocked.h - waiting workloads that had quota, but found no nodes
 */
#ifndef COHORT_BLOCKED_H
#define COHORT_BLOCKED_H

struct engine;
struct workload;


/* The workload is not blocked any more. block_clear() puts it back into the shape that it
 * shares, too. */
void block_drop(struct workload *w);
void block_clear(struct engine *e, struct workload *w);

#endif /* COHORT_BLOCKED_H */
