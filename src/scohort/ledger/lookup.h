/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookup.h - queues, cohorts, quotas and flavors in the published document
 */
#ifndef SCOHORT_LOOKUP_H
#define SCOHORT_LOOKUP_H

#include "ledger/published.h"

/* The result belongs to the document and lives as long. NULL if there is none
 * of that name. */
struct json_object *published_queue(const struct published *p, const char *name);
struct json_object *published_cohort(const struct published *p, const char *name);
struct json_object *published_flavor(const struct published *p, const char *name);

/* Of a queue or cohort: its first entry for the pair; "" matches any. NULL if
 * there is none. */
struct json_object *published_quota(struct json_object *node,
				    const char *flavor, const char *resource);

/* The stopPolicy of a queue, "" if it is not stopped */
const char *published_stop(struct json_object *queue);

/* Name of the tree's top cohort; "" for a queue without cohort */
const char *published_root(const struct published *p, struct json_object *queue);

/* The flavor that a job on these nodes is charged on: the first one that the
 * queue lists for the resource and that has all of the nodes; "" if none */
const char *published_flavor_of(const struct published *p, struct json_object *queue,
				const char *resource, const char *nodes);

/* Are all of these names of cluster queues, or also of cohorts? False after messages */
bool published_has_names(const struct published *p, char **names, int n, bool cohorts);

#endif /* SCOHORT_LOOKUP_H */
