/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timed_call.c - calls that may take too long
 */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "slurm/api.h"
#include "slurm/timed_call.h"

#define SECONDS_MAX 20		/* a busy slurmctld may need that long to answer */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	unsigned call, done;	/* numbers: a late call is not taken for another */
	struct timespec until;
	bool lost;		/* some thread was left behind */
} limit = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.cond = PTHREAD_COND_INITIALIZER,
};

struct job {
	void (*f)(void *arg);
	void *arg;
	unsigned call;
};

static void until_set(int seconds)
{
	clock_gettime(CLOCK_REALTIME, &limit.until);
	limit.until.tv_sec += seconds;
}

static void *run(void *arg)
{
	struct job job = *(struct job *) arg;

	free(arg);
	job.f(job.arg);
	pthread_mutex_lock(&limit.lock);
	limit.done = job.call;
	pthread_cond_broadcast(&limit.cond);
	pthread_mutex_unlock(&limit.lock);
	return NULL;
}

/* The abandoned thread uses what exit() would free. */
static void leave(int status, void *arg)
{
	(void) arg;
	fflush(NULL);
	_exit(status);
}

static bool wait_done(unsigned call)
{
	struct timespec until;
	bool done, over = false;

	pthread_mutex_lock(&limit.lock);
	while (limit.done != call && !over) {
		until = limit.until;
		if (pthread_cond_timedwait(&limit.cond, &limit.lock, &until))
			over = until.tv_sec == limit.until.tv_sec;
	}
	done = limit.done == call;
	if (!done && !limit.lost)
		limit.lost = !on_exit(leave, NULL);
	pthread_mutex_unlock(&limit.lock);
	return done;
}

bool timed_call(void (*f)(void *arg), void *arg, int seconds)
{
	struct job *job = malloc(sizeof(*job));
	unsigned call;
	pthread_t thread;

	if (!job)
		return false;
	pthread_mutex_lock(&limit.lock);
	call = ++limit.call;
	until_set(seconds);
	pthread_mutex_unlock(&limit.lock);
	*job = (struct job) { f, arg, call };
	if (pthread_create(&thread, NULL, run, job)) {
		free(job);
		return false;
	}
	pthread_detach(thread);
	return wait_done(call);
}

void timed_call_shorten(int seconds)
{
	pthread_mutex_lock(&limit.lock);
	until_set(seconds);
	pthread_cond_broadcast(&limit.cond);
	pthread_mutex_unlock(&limit.lock);
}

bool timed_question(void (*f)(void *arg), void *arg, const int *error, char *err, size_t size)
{
	bool asked = timed_call(f, arg, SECONDS_MAX);

	snprintf(err, size, "%s", !asked ? "slurmctld does not answer" : slurm_strerror(*error));
	return asked && !*error;
}
