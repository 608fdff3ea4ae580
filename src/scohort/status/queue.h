/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.h - waiting jobs in order
 */
#ifndef SCOHORT_QUEUE_H
#define SCOHORT_QUEUE_H

#include "ledger/job_texts.h"
#include "ledger/places.h"
#include "ledger/published.h"
#include "output/table.h"

extern const struct column queue_columns[];

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

/* What a job asks for: TRES, without what says nothing */
char *request_text(const struct view *v, char *buf, size_t size);

/* The job's class, as `priority` in cohort.yaml has it */
char *class_text(const struct published *p, const struct view *v, char *buf,
		 size_t size);

/* A row of the table and of the document; without details only what the table
 * shows by default */
struct json_object *waiter_json(const struct lineup *l,
				const struct waiter *w, bool details,
				int64_t now);

#endif /* SCOHORT_QUEUE_H */
