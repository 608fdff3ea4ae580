/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.c - jobs that wait, in order
 */
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/job.h"
#include "lib/sat.h"
#include "must.h"
#include "slurm/api.h"
#include "status/queue.h"

static struct pending_job *pending_job_add(struct pending_list *l)
{
	l->jobs = must_grow(l->jobs, l->n, sizeof(*l->jobs));
	l->jobs[l->n] = (struct pending_job) { .local_queue = -1 };
	return &l->jobs[l->n++];
}

/* ---- queues ---- */

bool queue_is_asked(const char *name, char **names, int n)
{
	for (int i = 0; i < n; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return !n;
}

static size_t queue_add(struct pending_list *l, const char *name, struct json_object *published)
{
	l->queues = must_grow(l->queues, l->nqueues, sizeof(*l->queues));
	l->queues[l->nqueues] = (struct pending_queue) {
		.name = must(strdup(name)), .published = published,
		.places = published ? places_create(published) : NULL,
	};
	return l->nqueues++;
}

/* A long text cuts the name short. */
static bool name_fits(const char *name, const char *text)
{
	size_t len = strlen(text);

	return !strcmp(name, text) || (len >= 20 && !strncmp(name, text, len));
}

static bool queue_find(const struct pending_list *l, const char *name, size_t *index)
{
	for (*index = 0; *index < l->nqueues; ++*index)
		if (name_fits(l->queues[*index].name, name))
			return true;
	return false;
}

/* ---- jobs ---- */

/* Managed, in line, and about to start: the plugin leaves no text. */
static bool is_starting(const struct view *v)
{
	return !v->text && v->priority
	       && (v->reason == WAIT_NO_REASON || v->reason == WAIT_PRIORITY
		   || v->reason == WAIT_RESOURCES);
}

static bool starting_find(const struct pending_list *l, const struct view *v,
			  struct reason *r, size_t *index)
{
	struct json_object *queue;
	bool sure;

	if (!is_starting(v) || !(queue = published_match(l->published, v, &sure)) || !sure
	    || !queue_find(l, json_text(queue, "name"), index))
		return false;
	snprintf(r->shown, sizeof(r->shown), "starting");
	return true;
}

/* Which queue does it wait in? Without the published file, the names in the jobs are the only
 * queues. */
static bool wait_find(struct pending_list *l, struct pending_job *w, char **names, int n)
{
	if (!reason_parse(w->view->text, &w->reason))
		return starting_find(l, w->view, &w->reason, &w->queue);
	if (queue_find(l, w->reason.queue, &w->queue))
		return true;
	if (l->published->document || !queue_is_asked(w->reason.queue, names, n))
		return false;
	w->queue = queue_add(l, w->reason.queue, NULL);
	return true;
}

static void view_add(struct pending_list *l, const struct view *v, char **names, int n)
{
	struct pending_job w = { .view = v, .local_queue = -1 };
	struct places *places;

	if (v->state != VIEW_PENDING || !wait_find(l, &w, names, n))
		return;
	places = l->queues[w.queue].places;
	if (places && w.reason.place) {
		w.local = places_local(places, w.reason.place, &w.local_total);
		w.local_queue = places_local_queue(places, w.reason.place);
		places_mark_seen(places, w.reason.place, v->tasks);
	}
	*pending_job_add(l) = w;
}

/* ---- jobs that PrivateData hides ---- */

static void hidden_add(struct pending_list *l, size_t queue)
{
	const struct places *places = l->queues[queue].places;
	int64_t total = json_number(l->queues[queue].published, "waiting");
	struct pending_job *w;

	for (int64_t first = 1, last; places && places_next_unseen(places, &first, &last);
	     first = last + 1) {
		w = pending_job_add(l);
		w->queue = queue;
		w->reason.place = first;
		w->reason.total = total;
		w->last = last;
		l->hidden += last - first + 1;
	}
}

/* ---- order ---- */

static int64_t beyond(int64_t place)
{
	return place ? place : INT64_MAX;
}

static int by_place(const void *x, const void *y)
{
	const struct pending_job *a = x, *b = y;
	int order = compare64((int64_t) a->queue, (int64_t) b->queue);

	if (!order)
		order = compare64(beyond(a->reason.place), beyond(b->reason.place));
	if (!order && a->view && b->view)
		order = compare64(a->view->id, b->view->id);
	return order;
}

/* A local queue that is not known (-1) comes last. */
static int by_local_place(const void *x, const void *y)
{
	const struct pending_job *a = x, *b = y;
	int order = compare64((int64_t) a->queue, (int64_t) b->queue);

	if (!order)
		order = compare64((unsigned) a->local_queue, (unsigned) b->local_queue);
	return order ? order : by_place(x, y);
}

void pending_list_make(struct pending_list *l, const struct published *published,
		       const struct view_list *views, bool show_hidden,
		       char **names, int n, bool by_local)
{
	struct json_object *d = published->document;

	*l = (struct pending_list) { .published = published };
	for (size_t i = 0; i < json_items(d, "clusterQueues"); i++) {
		struct json_object *queue = json_item(d, "clusterQueues", i);

		if (queue_is_asked(json_text(queue, "name"), names, n))
			queue_add(l, json_text(queue, "name"), queue);
	}
	for (size_t i = 0; i < views->n; i++)
		view_add(l, &views->views[i], names, n);
	for (size_t i = 0; show_hidden && i < l->nqueues; i++)
		hidden_add(l, i);
	if (l->n)	/* otherwise there is no list at all */
		qsort(l->jobs, l->n, sizeof(*l->jobs), by_local ? by_local_place : by_place);
}

void pending_list_free(struct pending_list *l)
{
	for (size_t i = 0; i < l->nqueues; i++) {
		free(l->queues[i].name);
		places_destroy(l->queues[i].places);
	}
	free(l->queues);
	free(l->jobs);
	memset(l, 0, sizeof(*l));
}
