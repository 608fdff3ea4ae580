/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections.h - the sections of cohort.yaml
 *
 * Each section has a table of its keys (see keys.h): a key that is new needs a
 * line there, a member of spec.h or model.h for its value, and an entry in
 * cohort.yaml(5). The sections are read in the order flavors, cohorts, cluster
 * queues, wherever they stand in the file, because names must be known before
 * they are referred to.
 */
#ifndef COHORT_SECTIONS_H
#define COHORT_SECTIONS_H

#include "model/model.h"
#include "value/keys.h"

/* Bounds that no site reaches; they keep a hostile file from costing more than a few seconds. */
#define FLAVORS_MAX 1024
#define RESOURCES_MAX 128
#define COHORTS_MAX 65536
#define QUEUES_MAX 65536
#define LOCAL_QUEUES_MAX 4096	/* of one cluster queue */

/* Slurm's priorities are unsigned 32-bit numbers; Kueue's may be negative. */
#define PRIORITY_RANGE .min = INT32_MIN, .max = UINT32_MAX

/* The document: reads all sections into a new conf, which gets the defaults first.
 * Returns 0, or -1 if anything was reported. */
int site_read(struct reader *r, struct node *root);

/* ---- sections: each is a read_f ---- */

/* dest: not used; they fill r->conf */
int flavors_read(struct value *v);
int cohorts_read(struct value *v);
int queues_read(struct value *v);

/* dest: the struct spec_queue, or struct spec_cohort */
int queue_groups_read(struct value *v);
int cohort_groups_read(struct value *v);

/* ---- a complete conf that has no errors ---- */

/* Warns of settings that are legal, but hardly meant. */
void advice_give(struct reader *r, const struct node *root);

/* By queue: does it lend anything that another node may borrow? Sets lends[] of
 * the queues that do. */
void lending_lenders(const struct spec *spec, bool *lends);

#endif /* COHORT_SECTIONS_H */
