/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - how far the plan that runs, or ran last, came with a workload
 */
#ifndef COHORT_PROGRESS_H
#define COHORT_PROGRESS_H

#include <stdbool.h>

struct decision;
struct workload;

/* Forgets what an earlier plan found about the workload */
void workload_renew(struct workload *w);

/* What the plan that runs, or ran last, has decided about the workload; NULL:
 * nothing. Valid until the next plan of its tree. */
struct decision *workload_decision(const struct workload *w);

/* It still waits for its turn in the plan that runs, or that ran last. */
bool workload_is_undecided(const struct workload *w);

/* The last plan did not reach this workload, and would not reach it if it was
 * made again: it stands behind another one of its shape or StrictFIFO queue
 * that the plan did not get past. So it may come or go, and nothing else
 * changes. False if the tree needs a plan anyway. */
bool workload_is_unseen(const struct workload *w);

#endif /* COHORT_PROGRESS_H */
