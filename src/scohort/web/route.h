/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route.h - from the path of a request to what is sent
 */
#ifndef SCOHORT_ROUTE_H
#define SCOHORT_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/asker.h"
#include "web/snapshot.h"

struct site {
	struct snapshot snapshot;
	struct answer slurmctld;
	int64_t now;
	const char *db;		/* of scohort record; NULL: no pages of the past */
};

/* Parts of the query, for pages of the past; NULL: not given */
struct route_query {
	const char *range, *from, *to, *queue, *of;
};

struct reply {
	unsigned status;	/* of HTTP; 0: no memory */
	const char *type;
	char *text;		/* for the caller to free, unless it is `fixed` */
	size_t size;
	bool fixed;		/* part of the program */
};

/* path: without the query, decoded. Nothing of it, nor of the query, is in what is sent:
 * names are those of the cluster, times are written anew. */
struct reply route(struct site *site, const char *path,
		   const struct route_query *query);
/* Is it a page of the past? */
bool route_is_past(const struct site *site, const char *path);

#endif /* SCOHORT_ROUTE_H */
