/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * readers.h - pages of the past, made by processes of their own
 *
 * Such a page may take seconds, and is made in the time zone of the database, which
 * a process can have only one of. So a few children make them: a slow one holds up
 * no other page, and no more of them run at once than there are children.
 */
#ifndef SCOHORT_READERS_H
#define SCOHORT_READERS_H

#include "web/route.h"

struct readers;

/* Starts the children, which end with this process. To be called before any thread
 * is started. NULL with errno. db: stays the caller's */
struct readers *readers_start(const char *db);
/* route_past(), by a child; any thread. Waits until one is free, up to READERS_SECONDS.
 * False: none was, or it is gone */
#define READERS_SECONDS 4
bool readers_ask(struct readers *readers, const char *path,
		 const struct route_query *query, int64_t now,
		 struct reply *reply);
/* A child has ended, by itself. To be called, as readers_end(), by one thread only */
bool readers_gone(struct readers *readers);
/* Ends the children; who waits for one gets no answer. */
void readers_end(struct readers *readers);
/* The same, if need be, when no thread asks any more. NULL is allowed */
void readers_free(struct readers *readers);

#endif /* SCOHORT_READERS_H */
