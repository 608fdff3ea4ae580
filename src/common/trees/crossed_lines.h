/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crossed_lines.h - heterogeneous jobs that would wait for each other for ever
 */
#ifndef COHORT_CROSSED_LINES_H
#define COHORT_CROSSED_LINES_H

struct engine;


/* Before a plan for `now`: finds the jobs that give way (bond->gives_way), and touches
 * the trees of the jobs for which that has changed. O(n log n) in the
 * components that wait in StrictFIFO queues. */
void crossed_find_bonds(struct engine *e, int64_t now);

#endif /* COHORT_CROSSED_LINES_H */
