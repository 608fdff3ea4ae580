/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route.h - from the path of a request to what is sent
 */
#ifndef SCOHORT_ROUTE_H
#define SCOHORT_ROUTE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ledger/published.h"

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

#endif /* SCOHORT_ROUTE_H */
