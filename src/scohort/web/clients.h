/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clients.h - connections, and how long each may take
 *
 * libmicrohttpd ends a connection that is silent. One on which a byte comes or goes now
 * and then is ended here.
 */
#ifndef SCOHORT_CLIENTS_H
#define SCOHORT_CLIENTS_H

#include <microhttpd.h>

/* Seconds in which a request has to come, and its answer to go, whatever trickles */
#define CLIENTS_REQUEST 8
#define CLIENTS_ANSWER 60

struct clients;

struct clients *clients_create(void);	/* NULL: no memory */
/* There is no connection any more. NULL is allowed. */
void clients_free(struct clients *clients);

/* For MHD_OPTION_NOTIFY_CONNECTION and MHD_OPTION_NOTIFY_COMPLETED; arg: the clients */
void clients_notify(void *arg, struct MHD_Connection *connection, void **client,
		    enum MHD_ConnectionNotificationCode code);
void clients_completed(void *arg, struct MHD_Connection *connection,
		       void **state, enum MHD_RequestTerminationCode code);

/* The connection has so many seconds from now; 0: any time. */
void clients_allow(struct clients *clients, struct MHD_Connection *connection,
		   int seconds);

/* Ends the connections whose time is over. */
void clients_end_late(struct clients *clients);

#endif /* SCOHORT_CLIENTS_H */
