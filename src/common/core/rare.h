/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rare.h - a part of a workload that most of those that wait do without
 *
 * One has it if it is of a bond, owns quota, was evicted,
 * or has, or had, several tasks.
 */
#ifndef COHORT_RARE_H
#define COHORT_RARE_H

struct rare;
struct workload;

/* The part, made if there is none; it stays until rare_drop_empty(), or until the
 * workload is freed. NULL with errno = ENOMEM. */
struct rare *rare_get(struct workload *w);

/* Frees it if nothing is in it */
void rare_drop_empty(struct workload *w);

#endif /* COHORT_RARE_H */
