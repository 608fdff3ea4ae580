/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections.h - the sections of cohort.yaml
 *
 * Each section has a file with a table of its keys (see map.h). The sections
 * are read in the order flavors, cohorts, cluster queues, wherever they stand
 * in the file, because names must be known before they are referred to.
 */
#ifndef COHORT_SECTIONS_H
#define COHORT_SECTIONS_H

#include "model/model.h"
#include "value/reader.h"
#include "yaml/document.h"

/* Bounds that no site reaches; they keep a hostile file from costing more
 * than a few seconds. */
#define FLAVORS_MAX 1024
#define RESOURCES_MAX 128
#define COHORTS_MAX 65536
#define QUEUES_MAX 65536
#define LOCAL_QUEUES_MAX 4096	/* of one cluster queue */

/* ---- sections: each returns 0, or -1 if anything in it was reported ----
 * They fit struct field's .read. */

/* The document: reads all sections. */
int top_level_read(struct reader *r, struct node *root);

/* dest: not used; they fill r->conf */
int flavors_read(struct reader *r, const struct place *at, struct node *list,
		 void *dest, const void *arg);
int cohorts_read(struct reader *r, const struct place *at, struct node *list,
		 void *dest, const void *arg);
int queues_read(struct reader *r, const struct place *at, struct node *list,
		void *dest, const void *arg);

int notify_read(struct reader *r, const struct place *at, struct node *map,
		void *dest, const void *arg);
int events_read(struct reader *r, const struct place *at, struct node *map,
		void *dest, const void *arg);

/* dest: int64_t, ns: 0, or a minute and more */
int half_life_read(struct reader *r, const struct place *at, struct node *n,
		   void *dest, const void *arg);

/* After the keys of fairSharing were read: do those of its history fit each
 * other? */
int fair_history_check(struct reader *r, const struct place *at,
		       struct node *map);

/* dest: not used; after the cluster queues */
int admission_read(struct reader *r, const struct place *at, struct node *map,
		   void *dest, const void *arg);

/* dest: double *, of each resource of the spec, which is freed if there is one
 * already; arg: the double of those that the map leaves out. After the cluster
 * queues, which say what resources there are */
int resource_weights_read(struct reader *r, const struct place *at,
			  struct node *map, void *dest, const void *arg);
/* The same; those that are left out have none. arg: not used */
int loss_weights_read(struct reader *r, const struct place *at,
		      struct node *map, void *dest, const void *arg);

/* dest: a struct spec_queue */
int admission_scope_read(struct reader *r, const struct place *at,
			 struct node *map, void *dest, const void *arg);
int local_queues_read(struct reader *r, const struct place *at,
		      struct node *list, void *dest, const void *arg);
int preemption_read(struct reader *r, const struct place *at,
		    struct node *map, void *dest, const void *arg);
int nonpreemptible_read(struct reader *r, const struct place *at,
			struct node *map, void *dest, const void *arg);
int queue_groups_read(struct reader *r, const struct place *at,
		      struct node *list, void *dest, const void *arg);

/* dest: a struct spec_cohort */
int cohort_groups_read(struct reader *r, const struct place *at,
		       struct node *list, void *dest, const void *arg);

/* at: "match" of the queue whose index is in at->up; dest: not used */
int match_rules_read(struct reader *r, const struct place *at,
		     struct node *list, void *dest, const void *arg);

/* A list of such rules. They are the caller's, also after an error. */
int rules_read(struct reader *r, const struct place *at, struct node *list,
	       struct conf_rules *rules);

/* ---- checks of a whole section or conf ---- */

/* Enters the names of a list of maps into the table, before anything refers to
 * them. Reports names that come twice, and lists longer than max. add() makes
 * room in the spec for each item in turn and returns its index, or -1 for
 * ENOMEM; an item without name has the name "". -1 on errors. */
int names_declare(struct reader *r, const struct place *at, struct node *list,
		  size_t max, struct symtab *table,
		  int (*add)(struct spec *spec, const char *name));

/* The text of the item's key name, "" if it has none */
const char *item_name(const struct node *item);

/* Reports a cohort that is above itself, or deeper than COHORT_LEVELS_MAX. */
int cohort_tree_check(struct reader *r, const struct place *at,
		      struct node *list);

/* Warns of settings in a complete conf that are legal, but hardly meant. */
void advice_give(struct reader *r, struct node *root);

/* A part of that: warns of quota that is lent or borrowed, but has no other
 * side. The conf has no errors; root: its document. */
void lending_advise(struct reader *r, const struct node *root);

/* A part of that, too: local queues that are to go by usage, and nothing says how
 * fast that is forgotten (they are then as any); weights where usage does not
 * count. */
void history_advise(struct reader *r, const struct node *root);

#endif /* COHORT_SECTIONS_H */
