/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  feature_constraint.h - which nodes a --constraint leaves
\*****************************************************************************/
#ifndef COHORT_MATCH_FEATURE_CONSTRAINT_H
#define COHORT_MATCH_FEATURE_CONSTRAINT_H

#include "compat/slurm_compat.h"

/* Nodes that have a feature, owned by Slurm; or NULL: none */
extern bitstr_t *feature_nodes(const char *name);
/* Clear the nodes that the --constraint excludes, or none if that is hard to
 * tell: nodes that any of its alternatives leaves are kept. */
extern void constraint_keep_any(bitstr_t *nodes, compat_list_t features);
/* The same, but keep the nodes of one alternative only: the one that leaves
 * most. False if there are too few nodes of some kind. */
extern bool constraint_keep_best(bitstr_t *nodes, compat_list_t features);

#endif /* COHORT_MATCH_FEATURE_CONSTRAINT_H */
