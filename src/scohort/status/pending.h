/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.h - jobs that wait, in order
 */
#ifndef SCOHORT_PENDING_H
#define SCOHORT_PENDING_H

#include "ledger/job_texts.h"
#include "ledger/places.h"
#include "ledger/published.h"
#include "slurm/job_views.h"

/* One that waits */
struct waiter {
	const struct view *view;	/* NULL: somebody whom the user may not
					 * see */
	struct reason reason;
	size_t queue;			/* index in the line-up */
	int64_t local, local_total;	/* place in its local queue, or 0 */
	int local_queue;		/* number of that, -1: not known */
	int64_t last;			/* not seen: places from reason.place
					 * up to this one */
};

struct lineup_queue {
	char *name;
	struct json_object *published;	/* or NULL */
	struct places *places;		/* or NULL */
};

struct lineup {
	const struct published *published;
	struct lineup_queue *queues;
	size_t nqueues;
	struct waiter *waiters;
	size_t n, size;
	int64_t hidden;			/* tasks that the user may not see */
};

/* All who wait, in order: by queue, and in it by place; with by_local by local
 * queue and place in that. Only the named queues if n > 0. published may be
 * without a document. -1: no memory. */
int lineup_make(struct lineup *l, const struct published *published,
		const struct view_list *views, bool show_hidden, char **names,
		int n, bool by_local);
void lineup_free(struct lineup *l);

#endif /* SCOHORT_PENDING_H */
