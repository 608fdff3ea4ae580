/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  events.h - what has happened, told to a file, by a thread without locks
\*****************************************************************************/
#ifndef COHORT_EVENTS_EVENTS_H
#define COHORT_EVENTS_EVENTS_H

#include <json-c/json.h>
#include <stdbool.h>

/* Where events go, from now on: as the configuration says. Starts the thread.
 * Under the job lock */
extern void events_start(void);
/* Take over an event, which nobody else has. Never waits for a file; where too
 * many events wait already, this one is lost. Under the job lock */
extern void events_put(struct json_object *event);
/* Room for many more */
extern bool events_have_room(void);
/* Log what was lost or has failed, once a minute at most: the thread of events may
 * hang. Without locks */
extern void events_complain(void);
/* How many were written and lost since slurmctld was started */
extern struct json_object *events_json(void);

#endif /* COHORT_EVENTS_EVENTS_H */
