/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.c - jobs that wait, in order
 */
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/match.h"
#include "slurm/api.h"
#include "status/pending.h"

static int grow(struct pending_list *l)
{
	size_t size = l->size ? 2 * l->size : 256;
	struct pending_job *jobs = realloc(l->jobs, size * sizeof(*jobs));

	if (!jobs)
		return -1;
	l->jobs = jobs;
	l->size = size;
	return 0;
}

static struct pending_job *pending_job_add(struct pending_list *l)
{
	if (l->n == l->size && grow(l) < 0)
		return NULL;
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

static int queues_make(struct pending_list *l, char **names, int n)
{
	struct json_object *d = l->published->document;
	size_t all = json_items(d, "clusterQueues");
	size_t most = all ? all : (size_t) n + 1;

	l->queues = calloc(most, sizeof(*l->queues));
	if (!l->queues)
		return -1;
	for (size_t i = 0; i < all; i++) {
		struct json_object *queue = json_item(d, "clusterQueues", i);
		struct pending_queue *q = &l->queues[l->nqueues];

		if (!queue_is_asked(json_text(queue, "name"), names, n))
			continue;
		l->nqueues++;
		q->name = strdup(json_text(queue, "name"));
		q->published = queue;
		q->places = places_create(queue);
		if (!q->name || !q->places)
			return -1;
	}
	return 0;
}

/* A long text cuts the name short. */
static bool name_fits(const char *name, const char *text)
{
	size_t len = strlen(text);

	return !strcmp(name, text)
	       || (len >= 20 && !strncmp(name, text, len));
}

/* Jobs of one queue often follow each other. */
static bool queue_find(const struct pending_list *l, const char *name, size_t *index)
{
	static size_t last;

	if (last < l->nqueues && !strcmp(l->queues[last].name, name)) {
		*index = last;
		return true;
	}
	for (size_t i = 0; i < l->nqueues; i++) {
		if (name_fits(l->queues[i].name, name)) {
			*index = last = i;
			return true;
		}
	}
	return false;
}

/* Without the published file, the names in the jobs are the only queues. */
static bool queue_learn(struct pending_list *l, const struct reason *r,
			char **names, int n, size_t *index)
{
	struct pending_queue *queues;

	if (l->published->document || !queue_is_asked(r->queue, names, n))
		return false;
	queues = realloc(l->queues, (l->nqueues + 1) * sizeof(*queues));
	if (!queues)
		return false;
	l->queues = queues;
	queues[l->nqueues] = (struct pending_queue){ .name = strdup(r->queue) };
	*index = l->nqueues;
	l->nqueues += queues[l->nqueues].name != NULL;
	return *index < l->nqueues;
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

static int view_add(struct pending_list *l, const struct view *v, char **names, int n)
{
	struct pending_job w = { .view = v, .local_queue = -1 }, *new;
	const struct places *places;

	if (v->state != VIEW_PENDING)
		return 0;
	if (reason_parse(v->text, &w.reason)) {
		if (!queue_find(l, w.reason.queue, &w.queue)
		    && !queue_learn(l, &w.reason, names, n, &w.queue))
			return 0;
	} else if (!starting_find(l, v, &w.reason, &w.queue)) {
		return 0;
	}
	new = pending_job_add(l);
	if (!new)
		return -1;
	*new = w;
	places = l->queues[w.queue].places;
	if (!places || !w.reason.place)
		return 0;
	new->local = places_local(places, w.reason.place, &new->local_total);
	new->local_queue = places_local_queue(places, w.reason.place);
	places_mark_seen(l->queues[w.queue].places, w.reason.place, v->tasks);
	return 0;
}

/* ---- jobs that PrivateData hides ---- */

static int hidden_add(struct pending_list *l, size_t queue)
{
	const struct places *places = l->queues[queue].places;
	int64_t total = json_number(l->queues[queue].published, "waiting");
	struct pending_job *w;

	for (int64_t first = 1, last; places_next_unseen(places, &first, &last);
	     first = last + 1) {
		w = pending_job_add(l);
		if (!w)
			return -1;
		w->queue = queue;
		w->reason.place = first;
		w->reason.total = total;
		w->last = last;
		l->hidden += last - first + 1;
	}
	return 0;
}

/* ---- order ---- */

static int64_t beyond(int64_t place)
{
	return place ? place : INT64_MAX;
}

static int by_number(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *x, const void *y)
{
	const struct pending_job *a = x, *b = y;
	int order = by_number((int64_t) a->queue, (int64_t) b->queue);

	if (!order)
		order = by_number(beyond(a->reason.place), beyond(b->reason.place));
	if (!order && a->view && b->view)
		order = by_number(a->view->id, b->view->id);
	return order;
}

static int by_local_place(const void *x, const void *y)
{
	const struct pending_job *a = x, *b = y;
	int order = by_number((int64_t) a->queue, (int64_t) b->queue);

	if (!order)
		order = by_number((unsigned) a->local_queue, (unsigned) b->local_queue);
	return order ? order : by_place(x, y);
}

int pending_list_make(struct pending_list *l, const struct published *published,
		      const struct view_list *views, bool show_hidden,
		      char **names, int n, bool by_local)
{
	*l = (struct pending_list) { .published = published };
	if (queues_make(l, names, n) < 0)
		return -1;
	for (size_t i = 0; i < views->n; i++) {
		if (view_add(l, &views->views[i], names, n) < 0)
			return -1;
	}
	for (size_t i = 0; show_hidden && i < l->nqueues; i++) {
		if (l->queues[i].places && hidden_add(l, i) < 0)
			return -1;
	}
	if (l->n)	/* otherwise there is no list at all */
		qsort(l->jobs, l->n, sizeof(*l->jobs), by_local ? by_local_place : by_place);
	return 0;
}

static void queue_free(struct pending_queue *q)
{
	free(q->name);
	places_destroy(q->places);
}

void pending_list_free(struct pending_list *l)
{
	for (size_t i = 0; i < l->nqueues; i++)
		queue_free(&l->queues[i]);
	free(l->queues);
	free(l->jobs);
	memset(l, 0, sizeof(*l));
}
