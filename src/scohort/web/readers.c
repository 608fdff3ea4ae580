/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * readers.c - pages of the past, made by processes of their own
 *
 * An answer is a head and the page.
 */
#define _GNU_SOURCE	/* SOCK_CLOEXEC */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "output/exit_status.h"
#include "web/readers.h"

#define READERS 4

/* The path, and struct route_query, "" for NULL. A text that is cut is longer than any name
 * and any time: the answer is the same. */
struct question {
	int64_t now;
	char path[256], range[64], from[128], to[128], queue[4096], of[4096];
};

struct answer_head {
	unsigned status;	/* of HTTP; 0: no memory */
	bool json;
	size_t size;
};

struct reader {
	pid_t pid;		/* 0: it was ended */
	int fd;
	bool busy;
};

struct readers {
	pthread_mutex_t lock;
	pthread_cond_t freed;
	struct reader list[READERS];
	int n;			/* that were started */
	bool gone;
};

/* ---- both ends ---- */

static bool all_read(int fd, void *buf, size_t size)
{
	char *at = buf;

	while (size) {
		ssize_t n = read(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t) n;
	}
	return true;
}

static bool all_write(int fd, const void *buf, size_t size)
{
	const char *at = buf;

	while (size) {
		ssize_t n = send(fd, at, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t) n;
	}
	return true;
}

/* ---- the child ---- */

static bool question_answer(const char *db, int fd, const struct question *q)
{
	const struct route_query query = { q->range, q->from, q->to, q->queue,
					   q->of };
	struct reply reply = route_past(db, q->path, &query, q->now);
	struct answer_head head = {
		.status = reply.status, .json = reply.type == route_json,
		.size = reply.status ? reply.size : 0,
	};
	bool sent = all_write(fd, &head, sizeof(head))
		    && all_write(fd, reply.text, head.size);

	free(reply.text);
	return sent;
}

static void questions_answer(const char *db, int fd)
{
	static struct question q;

	while (all_read(fd, &q, sizeof(q)) && question_answer(db, fd, &q))
		;
}

static bool reader_start(struct readers *readers, const char *db)
{
	struct reader *reader = &readers->list[readers->n];
	const pid_t parent = getpid();
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	reader->pid = fork();
	if (!reader->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(STATUS_OK);
		close(ends[0]);
		for (int i = 0; i < readers->n; i++)
			close(readers->list[i].fd);
		questions_answer(db, ends[1]);
		_exit(STATUS_OK);
	}
	close(ends[1]);
	if (reader->pid < 0) {
		close(ends[0]);
		return false;
	}
	reader->fd = ends[0];
	return true;
}

/* ---- who asks ---- */

struct readers *readers_start(const char *db)
{
	struct readers *readers = calloc(1, sizeof(*readers));
	pthread_condattr_t attr;

	if (!readers)
		return NULL;
	pthread_mutex_init(&readers->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&readers->freed, &attr);
	pthread_condattr_destroy(&attr);
	while (readers->n < READERS && reader_start(readers, db))
		readers->n++;
	if (readers->n == READERS)
		return readers;
	readers_free(readers);
	return NULL;
}

/* Under the lock. NULL: none is free */
static struct reader *reader_free(struct readers *readers)
{
	for (int i = 0; !readers->gone && i < readers->n; i++)
		if (!readers->list[i].busy)
			return &readers->list[i];
	return NULL;
}

static struct reader *reader_take(struct readers *readers)
{
	struct reader *reader;
	struct timespec until;
	int late = 0;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += READERS_SECONDS;
	pthread_mutex_lock(&readers->lock);
	while (!(reader = reader_free(readers)) && !readers->gone && !late)
		late = pthread_cond_timedwait(&readers->freed, &readers->lock,
					      &until);
	if (reader)
		reader->busy = true;
	pthread_mutex_unlock(&readers->lock);
	return reader;
}

static void reader_give(struct readers *readers, struct reader *reader,
			bool failed)
{
	pthread_mutex_lock(&readers->lock);
	reader->busy = false;
	readers->gone |= failed;
	if (failed)
		pthread_cond_broadcast(&readers->freed);
	else
		pthread_cond_signal(&readers->freed);
	pthread_mutex_unlock(&readers->lock);
}

static void text_copy(char *buf, size_t size, const char *text)
{
	snprintf(buf, size, "%s", text ? text : "");
}

static bool answer_read(int fd, struct reply *reply)
{
	struct answer_head head;

	if (!all_read(fd, &head, sizeof(head)))
		return false;
	*reply = (struct reply) {
		.status = head.status, .size = head.size,
		.type = head.json ? route_json : route_html,
		.text = malloc(head.size + 1),
	};
	return reply->text && all_read(fd, reply->text, head.size);
}

bool readers_ask(struct readers *readers, const char *path,
		 const struct route_query *query, int64_t now,
		 struct reply *reply)
{
	struct reader *reader = reader_take(readers);
	struct question q = { .now = now };
	bool done;

	*reply = (struct reply) { .status = 0 };
	if (!reader)
		return false;
	text_copy(q.path, sizeof(q.path), path);
	text_copy(q.range, sizeof(q.range), query->range);
	text_copy(q.from, sizeof(q.from), query->from);
	text_copy(q.to, sizeof(q.to), query->to);
	text_copy(q.queue, sizeof(q.queue), query->queue);
	text_copy(q.of, sizeof(q.of), query->of);
	done = all_write(reader->fd, &q, sizeof(q))
	       && answer_read(reader->fd, reply);
	reader_give(readers, reader, !done);
	if (!done)
		free(reply->text);
	return done;
}

/* ---- their end ---- */

/* One that nobody has asked since is known by its end only. */
bool readers_gone(struct readers *readers)
{
	bool gone = false;

	for (int i = 0; i < readers->n; i++) {
		struct reader *reader = &readers->list[i];

		if (reader->pid && waitpid(reader->pid, NULL, WNOHANG) > 0) {
			reader->pid = 0;
			gone = true;
		}
	}
	pthread_mutex_lock(&readers->lock);
	gone = readers->gone |= gone;
	pthread_mutex_unlock(&readers->lock);
	return gone;
}

void readers_end(struct readers *readers)
{
	for (int i = 0; i < readers->n; i++) {
		struct reader *reader = &readers->list[i];

		if (!reader->pid)
			continue;
		kill(reader->pid, SIGKILL);
		waitpid(reader->pid, NULL, 0);
		reader->pid = 0;
	}
}

void readers_free(struct readers *readers)
{
	if (!readers)
		return;
	readers_end(readers);
	for (int i = 0; i < readers->n; i++)
		close(readers->list[i].fd);
	pthread_cond_destroy(&readers->freed);
	pthread_mutex_destroy(&readers->lock);
	free(readers);
}
