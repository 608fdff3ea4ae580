/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  notify.h - a program that is run for each event
\*****************************************************************************/
#ifndef COHORT_EVENTS_NOTIFY_H
#define COHORT_EVENTS_NOTIFY_H

#include <json-c/json.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- complaints ---- */

/* What goes wrong again and again is in the log once a minute. */
struct complaint {
	const char *what;		/* "events: lost" */
	pthread_mutex_t lock;
	_Atomic int64_t count;		/* since slurmctld was started */
	int64_t logged;			/* of these, by then */
	uint64_t logged_at;		/* 0: never */
	char reason[512];		/* of the last one */
};

#define COMPLAINT(_what) { .what = _what, .lock = PTHREAD_MUTEX_INITIALIZER }

/* It has happened n times more. Any thread; takes no time */
extern void complaint_add(struct complaint *c, int64_t n, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Log how often, and the last reason, if there was no message for a minute. */
extern void complaint_tell(struct complaint *c);

/* ---- events, and the program that is run for each ---- */

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

/* How many have ended well, and those that failed, since slurmctld was started */
extern _Atomic int64_t notify_ran;
extern struct complaint notify_failed;

/* Before the thread of events is started; one call is enough */
extern void notify_start(void);
/* Run it for this complete event, which is taken over, but only in the event's term of
 * control. Only the thread of events */
extern void notify_put(const struct notify_settings *s, struct event *event);
/* End programs that have ended or run too long, and begin as many others (`begin`) as may run
 * at once. True: some run, look again soon. Never waits for one. Only the thread of events */
extern bool notify_run(const struct notify_settings *s, bool begin);

#endif /* COHORT_EVENTS_NOTIFY_H */
