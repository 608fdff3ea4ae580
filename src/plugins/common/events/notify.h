/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  notify.h - a program that is run for each event
\*****************************************************************************/
#ifndef COHORT_EVENTS_NOTIFY_H
#define COHORT_EVENTS_NOTIFY_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define EVENTS_MAX 4096		/* that wait, of some 2 kB at most */

struct event {
	uint32_t term;			/* the term of control in which it came */
	struct json_object *body;
};

extern void event_free(void *event);

struct notify_settings {
	char *program;			/* NULL: none */
	char *mail_prog, *slurm_conf;
	uid_t owner;
	uint64_t limit;			/* usec */
	int at_once;
};

/* Before the thread of events is started; one call is enough */
extern void notify_start(void);
/* Run it for this complete event, which is taken over, but only in the event's term of
 * control. Only the thread of events */
extern void notify_put(const struct notify_settings *s, struct event *event);
/* End programs that have ended or run too long, and begin as many others (`begin`) as may run
 * at once. True: some run, look again soon. Never waits for one. Only the thread of events */
extern bool notify_run(const struct notify_settings *s, bool begin);
/* Log what has failed, once a minute at most. Any thread, without locks */
extern void notify_complain(void);
/* How many have ended well, and how many failed, since slurmctld was started */
extern struct json_object *notify_json(void);

#endif /* COHORT_EVENTS_NOTIFY_H */
