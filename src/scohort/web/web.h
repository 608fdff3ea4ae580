/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web.h - shared by the parts of scohort web
 */
#ifndef SCOHORT_WEB_H
#define SCOHORT_WEB_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "ledger/published.h"

/* ---- child.c: questions that a process of its own answers ----
 *
 * A question to a slurmctld that hangs takes seconds, and libslurm can't be interrupted.
 * A page of the past may take seconds, too, and is made in the time zone of its database,
 * of which a process can have only one. So this program is run once more for each. */

/* The WORDs that scohort web takes for itself; no option or operand is one. */
#define CHILD_PAST "@past"	/* past_print() */
#define CHILD_BOOT "@boot"	/* prints when slurmctld started, if it answers */

/* Runs "scohort web WORD PARENT SECONDS ARGUMENT..." (args: WORD, ARGUMENT..., NULL), which ends
 * after so many seconds, or with this process. *text: what it prints, for the caller to free,
 * with a NUL behind its `size` bytes. False: it failed or took too long. Any thread */
bool child_run(const char *const *args, int seconds, char **text, size_t *size);

/* In the child, which has its ARGUMENTs then. False: its parent is gone */
bool child_begin(int *argc, char ***argv);

/* ---- route.c: from the path of a request to what is sent ---- */

/* What slurmctld last answered, or did not */
struct slurmctld {
	int64_t down_since;	/* seconds since the epoch; 0: slurmctld answers */
	int64_t boot_time;	/* when it started; 0: not known */
};

struct site {
	struct published p;	/* its document is NULL if there is none */
	char error[PATH_MAX + 256];	/* why there is none */
	int64_t now, read;	/* seconds since the epoch; when it was read last */
	uint64_t version;	/* another number for each reading */
	struct slurmctld slurmctld;
	bool has_past;		/* there are pages of the past */
};

/* It is `now`: looks at the published file, once a second at most, and reads it if it is another
 * one. A file that can't be read, or that slurmctld did not write, leaves no document and an
 * error. Where the file is, is looked up once a minute. */
void site_refresh(struct site *s, int64_t now);

struct reply {
	unsigned status;	/* of HTTP; 0: there is none, for want of memory */
	const char *type;
	char *text;		/* for the caller to free, unless it is `fixed` */
	size_t size;
	bool fixed;		/* part of the program */
};

/* Types of a reply */
extern const char route_html[], route_json[];

/* A literal as plain text */
struct reply reply_text(unsigned status, const char *text);

/* path: without the query, decoded. Nothing of it, nor of the query, is in what is sent:
 * names are those of the cluster, times are written anew. */
struct reply route(struct site *site, const char *path);

/* ---- past_pages.c: pages of the past, from this database of scohort record ---- */

struct past_query;

/* Is it a page of the past? */
bool route_is_past(const char *path);
/* Such a page, by a child. Any thread */
struct reply route_past(const char *db, const char *path, const struct past_query *q, int64_t now);
/* In the child: DB PATH NOW RANGE FROM TO QUEUE OF; an exit status */
int past_print(int argc, char **argv);

/* ---- server.c: HTTP, for reading only ----
 *
 * Each connection has a thread. Pages of now are made by one thread at a time, which
 * takes milliseconds, those of the past by children. Only GET and HEAD are answered,
 * and only if Host is an address, localhost or a name that was allowed: so no page of
 * another site can read these through a name of its own that leads here. A process has
 * one server. */

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

#endif /* SCOHORT_WEB_H */
