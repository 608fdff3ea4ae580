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

#endif /* SCOHORT_CLIENTS_H */
