/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.h - places in line and their places in local queues
 */
#ifndef SCOHORT_PLACES_H
#define SCOHORT_PLACES_H

#include <stdbool.h>
#include <stdint.h>

struct json_object;
struct places;

/* All places that the published queue lists */
struct places *places_create(struct json_object *queue);
void places_destroy(struct places *p);

/* The place in its local queue of `place`, and how many are listed in that
 * queue; 0 if not listed. */
int64_t places_local(const struct places *p, int64_t place, int64_t *total);

/* Number of the local queue of `place`, in the order of their first place; -1
 * if not listed */
int places_local_queue(const struct places *p, int64_t place);

/* A job that the user may see is at these places. */
void places_mark_seen(struct places *p, int64_t first, int64_t n);

/* The next run of places from *first on at which no job was seen; false: there
 * is none */
bool places_next_unseen(const struct places *p, int64_t *first, int64_t *last);

#endif /* SCOHORT_PLACES_H */
