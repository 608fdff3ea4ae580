/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  backlog.h - events that wait for the thread that writes them
\*****************************************************************************/
#ifndef COHORT_EVENTS_BACKLOG_H
#define COHORT_EVENTS_BACKLOG_H

#include <stdbool.h>
#include <stdint.h>

#define EVENTS_MAX 4096		/* that wait, of some 2 kB at most */

struct json_object;

/* In the order in which they came */
struct event {
	struct event *next;
	uint32_t term;			/* the term of control in which it came */
	struct json_object *body;
};

/* The body is taken over. False: too many wait, it is dropped. */
extern bool backlog_put(struct json_object *body, uint32_t term);
/* The oldest one, or NULL; to be freed by event_free() */
extern struct event *backlog_take(void);
extern void event_free(struct event *event);

#endif /* COHORT_EVENTS_BACKLOG_H */
