/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route.h - from the path of a request to what is sent
 */
#ifndef SCOHORT_ROUTE_H
#define SCOHORT_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/snapshot.h"

/* What slurmctld last answered, or did not */
struct slurmctld {
	int64_t down_since;	/* seconds since the epoch; 0: slurmctld answers */
	int64_t boot_time;	/* when it started; 0: not known */
};

struct site {
	struct snapshot snapshot;	/* as of `now` */
	struct slurmctld slurmctld;
	int64_t now;
	bool has_past;		/* there are pages of the past */
};

/* Parts of the query, for pages of the past; NULL: not given */
struct route_query {
	const char *range, *from, *to, *queue, *of;
};

struct reply {
	unsigned status;	/* of HTTP; 0: there is none, for want of memory */
	const char *type;
	char *text;		/* for the caller to free, unless it is `fixed` */
	size_t size;
	bool fixed;		/* part of the program */
};

/* Types of a reply */
extern const char route_html[], route_json[];

/* path: without the query, decoded. Nothing of it, nor of the query, is in what is sent:
 * names are those of the cluster, times are written anew. */
struct reply route(struct site *site, const char *path);
/* Is it a page of the past? */
bool route_is_past(const char *path);
/* Such a page, from this database of scohort record, by a child. False: too many are made
 * at once. Any thread */
bool route_past(const char *db, const char *path, const struct route_query *q,
		int64_t now, struct reply *reply);
/* In the child: DB PATH NOW RANGE FROM TO QUEUE OF; an exit status */
int past_print(int argc, char **argv);

#endif /* SCOHORT_ROUTE_H */
