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

/* Ends the connections whose time is over: to be called once a second. */
void clients_end_late(void);

#endif /* SCOHORT_SERVER_H */
