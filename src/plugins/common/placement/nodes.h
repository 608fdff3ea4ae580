/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  nodes.h - which nodes are whose, and which names there are
 *
 *  Part of ctld_priv.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_NODES_H
#define COHORT_NODES_H

/* ---- known_names.c ---- */

extern const struct conf_names known_names;
/* May nodes come that nobody knows yet? */
extern bool nodes_may_come(void);

/* For list_find_first() */
static inline int same_pointer(void *x, void *key)
{
	return x == key;
}

/* ---- flavor_nodes.c ---- */

/* Bring the node bitmaps of all flavors up to date. True if any changed. */
extern bool flavor_refresh(void);
extern void flavor_free(void);
/* Nodes of the flavor, or NULL for all nodes */
extern bitstr_t *flavor_nodes(int flavor);
/* Nodes that have a feature, as Slurm keeps them; or NULL: none */
extern bitstr_t *flavor_feature_nodes(const char *name);
/* Nodes that are neither down nor drained */
extern bitstr_t *flavor_up_nodes(void);
/* Another number whenever any of these has changed */
extern uint64_t flavor_generation(void);

/* ---- feature_constraint.c ---- */

/* Clears the nodes that a --constraint leaves no use for, or none if that is
 * hard to tell: those that any of its alternatives leaves are kept. */
extern void constraint_keep(bitstr_t *nodes, compat_list_t features);
/* The same, but the nodes of one alternative only: the one that leaves most.
 * False if there are too few of some kind. */
extern bool constraint_leaves(bitstr_t *nodes, compat_list_t features);
/* Sets of nodes that were combined or compared so far, here and by floor.c: the
 * work that users can cause by what they ask for. */
extern uint64_t constraint_steps(void);
extern void constraint_count(uint64_t steps);

/* ---- flavor_eligibility.c ---- */

/* May nodes of the flavor in this partition ever hold the job? */
extern bool flavor_is_eligible(int flavor, job_record_t *job_ptr,
			 part_record_t *part_ptr);
/* Of the flavors (by index) that may, those where it is of no use to wait
 * become ineligible, as long as one is left. */
extern void flavor_exclude_useless(const struct entry *entry, bool *ineligible);
/* A try found no nodes: could it ever, in that flavor? */
extern void flavor_learn_from_try(struct place *p);

#endif /* COHORT_NODES_H */
