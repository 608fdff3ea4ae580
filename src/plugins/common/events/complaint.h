/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  complaint.h - what goes wrong again and again, in the log once a minute
\*****************************************************************************/
#ifndef COHORT_EVENTS_COMPLAINT_H
#define COHORT_EVENTS_COMPLAINT_H

#include <pthread.h>
#include <stdint.h>

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

#endif /* COHORT_EVENTS_COMPLAINT_H */
