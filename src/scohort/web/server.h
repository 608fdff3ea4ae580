/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * server.h - HTTP, for reading only
 *
 * Each connection has a thread. Pages of now are made by one thread at a time, which
 * takes milliseconds, those of the past by children (child.h). Only GET and
 * HEAD are answered, and only if Host is an address, localhost or a name that was
 * allowed: so no page of another site can read these through a name of its own that
 * leads here. A process has one server.
 */
#ifndef SCOHORT_SERVER_H
#define SCOHORT_SERVER_H

#include <microhttpd.h>
#include <stddef.h>
#include <sys/socket.h>

#include "web/route.h"

struct server_options {
	struct sockaddr_storage address;
	const char *const *names;	/* that Host may be */
	size_t nnames;
	const char *db;		/* of scohort record; NULL: none */
};

/* The port that it listens on. 0: it could not be started, and err says why. `options` are
 * copied; its names and db are not, and stay. */
unsigned server_start(const struct server_options *options, char *err, size_t size);
/* What slurmctld's warning is to say from now on. Any thread, also when it was stopped */
void server_tell(const struct slurmctld *slurmctld);
void server_stop(void);

/* ---- clients.c: connections, and how long each may take ----
 *
 * libmicrohttpd ends a connection that is silent. One on which a byte comes or goes now
 * and then is ended here. */

#define CLIENTS_MAX 64		/* at once */

/* Seconds in which a request has to come, and its answer to go, whatever trickles */
#define CLIENTS_REQUEST 8
#define CLIENTS_ANSWER 60

/* For MHD_OPTION_NOTIFY_CONNECTION and MHD_OPTION_NOTIFY_COMPLETED */
void clients_notify(void *arg, struct MHD_Connection *connection, void **client,
		    enum MHD_ConnectionNotificationCode code);
void clients_completed(void *arg, struct MHD_Connection *connection,
		       void **state, enum MHD_RequestTerminationCode code);

/* The connection has so many seconds from now; 0: any time. */
void clients_allow(struct MHD_Connection *connection, int seconds);

/* Ends the connections whose time is over. */
void clients_end_late(void);

#endif /* SCOHORT_SERVER_H */
