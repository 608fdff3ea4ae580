/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.h - workloads wait, run and remember: what the files of this folder share, and
 * what plans ask
 */
#ifndef COHORT_WORKLOAD_H
#define COHORT_WORKLOAD_H

#include "core/queue_state.h"
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "lib/container.h"
#include "usage/local.h"

/* ---- workloads that are alike (shape.c) ---- */

/* The shape of the described workload, which is created if it is new, with one
 * more user. NULL with errno = ENOMEM. */
struct shape *shape_get(struct engine *e, struct queue *q, const struct workload_desc *d);

/* Takes one user off; the last one frees the shape. NULL is allowed. */
void shape_put(struct engine *e, struct shape *shape);

/* The plan has found that none of the shape can go */
static inline bool shape_is_inadmissible(const struct shape *shape)
{
	return shape->plan == shape->q->tree->plan;
}

/* ---- in line (waiting.c) ---- */

void pending_init(struct queue *q);

/* Puts the workload, which has a shape, into the line of its queue and of the shape, and
 * takes it out */
void pending_add(struct engine *e, struct workload *w);
void pending_remove(struct engine *e, struct workload *w);

/* The workload with that place in the line of its queue, or of its shape; NULL: NULL */
static inline struct workload *workload_in_queue(const struct rank_node *place)
{
	return place ? container_of(place, struct workload, in_queue) : NULL;
}

static inline struct workload *workload_in_shape(const struct rank_node *place)
{
	return place ? container_of(place, struct workload, in_shape) : NULL;
}

static inline struct workload *queue_first(const struct queue *q)
{
	return workload_in_queue(rankset_first(&q->waiting));
}

static inline struct workload *queue_next(const struct workload *w)
{
	return workload_in_queue(rankset_next(&w->in_queue));
}

/* In the order of the line */
#define for_each_waiting(w, q) \
	for (struct workload *w = queue_first(q); w; w = queue_next(w))

/* Any waiting member of the shape, which has one */
static inline struct workload *shape_any(const struct shape *shape)
{
	return workload_in_shape(rankset_first(&shape->waiting));
}

/* Forgets what an earlier plan found about the workload */
void workload_renew(struct workload *w);

/* What the plan that runs, or ran last, has decided about the workload; NULL:
 * nothing. Valid until the next plan of its tree. */
struct decision *workload_decision(const struct workload *w);

/* It still waits for its turn in the plan that runs, or that ran last. */
bool workload_is_undecided(const struct workload *w);

/* The last plan of the tree found nothing that the owner could wait for. The
 * owner then competes like any other workload. */
bool owned_quota_is_void(const struct workload *w);

/* In a trial: takes out of the books what the workload owns, what others came
 * to own after that, and claims that the last plan found void. */
void owned_quota_lift(struct engine *e, const struct workload *w);

/* ---- what they remember (memory.c) ---- */

/* The uses of these charges, and a copy of them. NULL with errno on error */
struct use *charges_take(const struct engine *e, const struct charge *charges, size_t n,
			 size_t *nuses, struct charge **copy);

/* It could evict workloads of other queues now, but for reclaim_delay: it remembers that, with
 * all that are set aside with it and the others of its bond, if that is new. */
void memory_note_could_evict(struct workload *w, int64_t now);

/* The members of the bond are one job: since when it could evict is the earliest of theirs. */
struct bond;
void memory_share(const struct bond *b);

/* A waiting workload starts or is removed: it remembers nothing any more. */
void memory_forget(struct engine *e, struct workload *w);

/* ---- bonds (bond.c) ---- */

struct bond {
	struct bond *next, **link;	/* of all */
	enum bond_kind kind;
	struct workload *members;	/* in the order they were bonded */
	size_t nmembers;
	bool judged;			/* `never` is up to date */
	const struct workload *never;	/* if there can never be room for all of them: the one
					 * that is too much; else NULL */
	struct verdict verdict;		/* of that one */
	/* plan/bonds.c, in a plan: */
	bool gives_way;			/* it holds up no other job */
	bool waits;			/* for other jobs to pass, */
	bool in_vain;			/* ... and these do not wait so */
	bool gave_up;			/* for another one, in the list of these */
	struct bond *next_waiting, *next_gave_up;
};

/* The workload asks for something else, or in another queue. */
void bond_change(struct workload *w);

/* The workload whose verdict says why this one waits: the member of its bond
 * that can't go, or itself */
const struct workload *bond_cause(const struct workload *w);

/* A workload that waits for others of its bond holds up a StrictFIFO queue, as
 * long as there is hope, and unless it gives way. */
bool bond_blocks(const struct workload *w);

#define for_each_member(m, bond) \
	for (struct workload *m = (bond)->members; m; m = m->bond_next)

static inline bool bond_is_together(const struct workload *w)
{
	return w->bond && w->bond->kind == BOND_TOGETHER;
}

/* ---- running (admitted.c) ---- */

/* The run is charged, in the queue of its shape (1), or no more (-1). run_end(): it is over; the
 * workload is in no list then. */
void run_move(struct engine *e, struct workload *w, int sign);
void run_end(struct engine *e, struct workload *w);

/* ---- running workloads that are non-preemptible (nonpreemptible.c) ---- */

/* Of the elastic group of h as many members are non-preemptible as may be: of those that have
 * started first, as far as the cap admits more; none that are is given up while there are not too
 * many. h itself may be on its way out of the books. */
void fixed_members_settle(struct engine *e, const struct holding *h);

#endif /* COHORT_WORKLOAD_H */
