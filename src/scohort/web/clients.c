/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clients.c - connections, and how long each may take
 */
#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <time.h>

#include "web/server.h"

struct client {
	bool used;
	int fd;
	time_t until;		/* by the monotonic clock; 0: any time */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct client clients[CLIENTS_MAX];	/* under the lock */

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static struct client *client_add(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_CONNECTION_FD);

	for (int i = 0; info && i < CLIENTS_MAX; i++) {
		if (clients[i].used)
			continue;
		clients[i] = (struct client) { true, info->connect_fd,
					       now() + CLIENTS_REQUEST };
		return &clients[i];
	}
	return NULL;
}

void clients_notify(void *arg, struct MHD_Connection *connection, void **client,
		    enum MHD_ConnectionNotificationCode code)
{
	(void) arg;
	pthread_mutex_lock(&lock);
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		*client = client_add(connection);
	else if (*client)
		((struct client *) *client)->used = false;
	pthread_mutex_unlock(&lock);
}

void clients_allow(struct MHD_Connection *connection, int seconds)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *client = info ? info->socket_context : NULL;

	if (!client)
		return;
	pthread_mutex_lock(&lock);
	client->until = seconds ? now() + seconds : 0;
	pthread_mutex_unlock(&lock);
}

/* The answer has gone: another request may come. */
void clients_completed(void *arg, struct MHD_Connection *connection,
		       void **state, enum MHD_RequestTerminationCode code)
{
	(void) arg;
	(void) state;
	(void) code;
	clients_allow(connection, CLIENTS_REQUEST);
}

/* libmicrohttpd closes a socket after clients_notify(): it is still the client's. */
void clients_end_late(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < CLIENTS_MAX; i++) {
		const struct client *c = &clients[i];

		if (c->used && c->until && now() >= c->until)
			shutdown(c->fd, SHUT_RDWR);
	}
	pthread_mutex_unlock(&lock);
}
