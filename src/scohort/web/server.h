/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * server.h - HTTP, for reading only
 *
 * Each connection has a thread. Pages of now are made by one thread at a time, which
 * takes milliseconds, those of the past by the processes of readers.h. Only GET and
 * HEAD are answered, and only if Host is an address, localhost or a name that was
 * allowed: so no page of another site can read these through a name of its own that
 * leads here.
 */
#ifndef SCOHORT_SERVER_H
#define SCOHORT_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "web/asker.h"

struct readers;
struct server;

struct server_options {
	struct sockaddr_storage address;
	const char *const *names;	/* that Host may be */
	size_t nnames;
	const char *db;		/* of scohort record; NULL: none */
	struct readers *readers;	/* of it, or NULL */
};

/* NULL: it could not be started, and err says why. `options` are copied; its
 * names, db and readers are not, and stay. */
struct server *server_start(const struct server_options *options, char *err,
			    size_t size);
/* The port that it listens on */
unsigned server_port(const struct server *server);
/* What slurmctld's warning is to say from now on */
void server_tell(struct server *server, const struct answer *answer);
/* To be called each second: ends connections that take too long */
void server_end_late(struct server *server);
void server_stop(struct server *server);

#endif /* SCOHORT_SERVER_H */
