/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bonds.h - bonds between trees
 *
 * doc/how-it-decides.md, section 9: several partitions (BOND_EITHER) and
 * heterogeneous jobs (BOND_TOGETHER) with queues in different trees.
 */
#ifndef COHORT_BONDS_H
#define COHORT_BONDS_H

#include "workload/bond.h"

/* In this many plans the bonds that fail for others are barred one by one: one
 * bond may be the reason why the next one fails. After that all that fail are
 * barred at once. */
#define BARRED_ONE_BY_ONE 6

/* A bond that failed has this many more chances. */
#define MOST_CHANCES 2

/* After this many plans it has none, and every bond of which not all can go is
 * barred, whether or not any member would go. A job in several queues is only in one
 * line then, if it goes there: what it gives up may be for the next job, which gives
 * up what it had, and so on. */
#define LAST_CHANCE 12

/* After this many plans every bond of the bundle is barred, and a job in several
 * queues is no reason for another plan. */
#define NO_CHANCE 24

/* Before a plan for `now`: where a tree is to be planned anew, no member is barred from
 * it or from the trees that bonds tie to it. -1: no memory; ask again before
 * any plan. */
int bonds_begin(struct engine *e, int64_t now);

/* After a plan: bars members that may not keep what they got, because the
 * others of their bond have it (either) or do not have it (together). True if
 * trees must be planned again, which comes to an end. `pass` counts these calls
 * since bonds_begin(). */
bool bonds_resolve(struct engine *e, int pass);

/* After the last plan: tells each waiting member which other member of its bond
 * it waits for. */
void bonds_end(struct engine *e);

/* ---- members of a bond (bond_member.c) ---- */

bool member_is(const struct engine *e, const struct workload *w,
	       enum verdict_kind kind);

/* By the last plan it starts or preempts. */
bool member_goes(const struct engine *e, const struct workload *w);

/* member_bar() keeps the workload out of the next plan of its tree,
 * member_unbar() admits it again. The tree is to be planned anew. */
void member_bar(struct engine *e, struct workload *w);
void member_unbar(struct engine *e, struct workload *w);

/* The last plan renewed a tree of the bond's bundle. */
bool bond_is_at_issue(const struct bond *b, enum bond_kind kind);

/* ---- one member goes (bond_either.c) ---- */

/* As bonds_resolve() and bonds_end(), for one bond */
bool either_resolve(struct engine *e, struct bond *b, int pass);

/* The member that goes keeps its place: all others are barred, whether or not they go.
 * But not those that have found no nodes, or own quota. */
void either_settle(struct engine *e, struct bond *b);

void either_end(const struct engine *e, struct bond *b);

/* ---- all members go (bond_together.c) ---- */

/* Bars the bonds of which not all members can go. Sets `again` for the
 * bundles that have such bonds. */
bool together_resolve_all(struct engine *e, int pass);

/* Gives one bond a second chance in each bundle where `again` is not
 * set. */
bool together_give_chances(struct engine *e, int pass);

void together_end(struct engine *e, struct bond *b);

#endif /* COHORT_BONDS_H */
