/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  backlog.c - events that wait for the thread that writes them
 *
 *  Passes put them in, under the job lock; the thread takes them out without
 *  it. Neither waits for the other for longer than that takes. When the file
 *  system hangs they get no more than EVENTS_MAX.
\*****************************************************************************/
#include <json-c/json.h>

#include "events/backlog.h"

#include "compat/slurm_compat.h"

static struct {
	pthread_mutex_t lock;
	struct event *first, **end;
	uint32_t length;
} backlog = { .lock = PTHREAD_MUTEX_INITIALIZER };

extern void event_free(struct event *event)
{
	json_object_put(event->body);
	xfree(event);
}

extern bool backlog_put(struct json_object *body, uint32_t term)
{
	struct event *event = xmalloc(sizeof(*event));
	bool room;

	event->body = body;
	event->term = term;
	slurm_mutex_lock(&backlog.lock);
	if ((room = backlog.length < EVENTS_MAX)) {
		if (!backlog.first)
			backlog.end = &backlog.first;
		*backlog.end = event;
		backlog.end = &event->next;
		backlog.length++;
	}
	slurm_mutex_unlock(&backlog.lock);
	if (!room)
		event_free(event);
	return room;
}

extern struct event *backlog_take(void)
{
	struct event *event;

	slurm_mutex_lock(&backlog.lock);
	if ((event = backlog.first)) {
		backlog.first = event->next;
		backlog.length--;
	}
	slurm_mutex_unlock(&backlog.lock);
	return event;
}
