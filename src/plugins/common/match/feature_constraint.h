/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  feature_constraint.h - which nodes a --constraint leaves
\*****************************************************************************/
#ifndef COHORT_MATCH_FEATURE_CONSTRAINT_H
#define COHORT_MATCH_FEATURE_CONSTRAINT_H

#include "compat/slurm_compat.h"

/* Clears the nodes that a --constraint leaves no use for, or none if that is
 * hard to tell: those that any of its alternatives leaves are kept. */
extern void constraint_keep_any(bitstr_t *nodes, compat_list_t features);
/* The same, but the nodes of one alternative only: the one that leaves most.
 * False if there are too few of some kind. */
extern bool constraint_keep_best(bitstr_t *nodes, compat_list_t features);
/* Sets of nodes that were combined or compared so far, here and by floor.c: the
 * work that users can cause by what they ask for. */
extern uint64_t constraint_steps(void);
extern void constraint_count(uint64_t steps);

#endif /* COHORT_MATCH_FEATURE_CONSTRAINT_H */
