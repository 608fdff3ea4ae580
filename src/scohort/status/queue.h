/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.h - scohort queue: waiting jobs in order
 */
#ifndef SCOHORT_QUEUE_H
#define SCOHORT_QUEUE_H

#include "ledger/places.h"
#include "ledger/published.h"
#include "ledger/reason.h"
#include "slurm/job_views.h"

/* ---- pending.c ---- */

/* A job that waits */
struct pending_job {
	const struct view *view;	/* NULL: the user may not see it */
	struct reason reason;
	size_t queue;			/* index in the list */
	int64_t local, local_total;	/* place in its local queue, or 0 */
	int local_queue;		/* number of its local queue, -1: not known */
	int64_t last;			/* not seen: places from reason.place
					 * up to this one */
};

struct pending_queue {
	char *name;
	struct json_object *published;	/* or NULL */
	struct places *places;		/* or NULL */
};

struct pending_list {
	const struct published *published;
	struct pending_queue *queues;
	size_t nqueues;
	struct pending_job *jobs;
	size_t n;
	int64_t hidden;			/* tasks that the user may not see */
};

/* Is the queue one of the n named ones? All are if n is 0. */
bool queue_is_asked(const char *name, char **names, int n);

/* All jobs that wait, in order: by queue, and in it by place; with by_local by
 * local queue and place in that. Only the jobs of the n named queues if n > 0.
 * With show_hidden also a job for each run of places at which the user sees no
 * job. published may be without a document; it and the views must outlive the
 * list, which pending_list_free() frees. */
void pending_list_make(struct pending_list *l, const struct published *published,
		       const struct view_list *views, bool show_hidden,
		       char **names, int n, bool by_local);
void pending_list_free(struct pending_list *l);

/* ---- queue.c ---- */

/* A row of the table and of the document; without details only the members that the table
 * shows by default */
struct json_object *pending_job_json(const struct pending_list *l,
				     const struct pending_job *w, bool details, int64_t now);

#endif /* SCOHORT_QUEUE_H */
