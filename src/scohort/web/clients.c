/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clients.c - connections, and how long each may take
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "web/clients.h"

struct client {
	int fd;
	time_t until;		/* by the monotonic clock; 0: any time */
	struct client *next;
};

struct clients {
	pthread_mutex_t lock;	/* of all below */
	struct client *first;
};

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

struct clients *clients_create(void)
{
	struct clients *clients = calloc(1, sizeof(*clients));

	if (clients)
		pthread_mutex_init(&clients->lock, NULL);
	return clients;
}

void clients_free(struct clients *clients)
{
	if (clients)
		pthread_mutex_destroy(&clients->lock);
	free(clients);
}

static struct client *client_add(struct clients *clients,
				 struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct client *client = info ? calloc(1, sizeof(*client)) : NULL;

	if (!client)
		return NULL;
	client->fd = info->connect_fd;
	client->until = now() + CLIENTS_REQUEST;
	pthread_mutex_lock(&clients->lock);
	client->next = clients->first;
	clients->first = client;
	pthread_mutex_unlock(&clients->lock);
	return client;
}

static void client_remove(struct clients *clients, struct client *client)
{
	struct client **at;

	pthread_mutex_lock(&clients->lock);
	for (at = &clients->first; *at && *at != client; at = &(*at)->next)
		;
	if (*at)
		*at = client->next;
	pthread_mutex_unlock(&clients->lock);
	free(client);
}

void clients_notify(void *arg, struct MHD_Connection *connection, void **client,
		    enum MHD_ConnectionNotificationCode code)
{
	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		*client = client_add(arg, connection);
	else
		client_remove(arg, *client);
}

void clients_allow(struct clients *clients, struct MHD_Connection *connection,
		   int seconds)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *client = info ? info->socket_context : NULL;

	if (!client)
		return;
	pthread_mutex_lock(&clients->lock);
	client->until = seconds ? now() + seconds : 0;
	pthread_mutex_unlock(&clients->lock);
}

/* The answer has gone: another request may come. */
void clients_completed(void *arg, struct MHD_Connection *connection,
		       void **state, enum MHD_RequestTerminationCode code)
{
	(void) state;
	(void) code;
	clients_allow(arg, connection, CLIENTS_REQUEST);
}

/* libmicrohttpd closes the socket after client_remove(): it is still the client's. */
void clients_end_late(struct clients *clients)
{
	pthread_mutex_lock(&clients->lock);
	for (struct client *c = clients->first; c; c = c->next)
		if (c->until && now() >= c->until)
			shutdown(c->fd, SHUT_RDWR);
	pthread_mutex_unlock(&clients->lock);
}
