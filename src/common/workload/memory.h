/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - what a workload remembers from one plan to the next
 */
#ifndef COHORT_MEMORY_H
#define COHORT_MEMORY_H

struct engine;
struct workload;

/* A waiting workload starts or is removed: it remembers nothing any more. */
void memory_forget(struct engine *e, struct workload *w);

#endif /* COHORT_MEMORY_H */
