/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * published.h - the file that the plugin publishes (plugins/common/publish.c)
 *
 * A JSON document: scohort.1 has its form. What is missing in it reads as 0,
 * "" or an empty list.
 */
#ifndef SCOHORT_PUBLISHED_H
#define SCOHORT_PUBLISHED_H

#include <json.h>

#include "slurm/controller.h"

struct published {
	struct json_object *document;
	char *path;
};

/* Finds and reads it: $SCOHORT_PUBLISH, else visibility.publish of the
 * cohort.yaml beside slurm.conf if there is one to be read, else
 * cohort_status.json in StateSaveLocation. Returns STATUS_OK; STATUS_DENIED or
 * STATUS_FAILED with a message in err that names the file. */
int published_open(struct published *p, const struct reach *reach, char *err,
		   size_t size);
void published_close(struct published *p);

/* Lists hold objects, cohorts have names of their own and form trees: what the
 * commands rely on. Else false, with what is wrong in err. */
bool published_is_well_formed(struct json_object *document, char *err,
			      size_t size);

/* Both in one: slurmctld and the file; prints what is wrong under the name of
 * the command. Also warns of a file older than slurmctld's start. */
int published_reach(struct published *p, struct reach *reach,
		    const char *command);

/* ---- reading ---- */

struct json_object *json_member(struct json_object *o, const char *key);
/* "" if there is none */
const char *json_text(struct json_object *o, const char *key);
int64_t json_number(struct json_object *o, const char *key);
double json_real(struct json_object *o, const char *key);
bool json_truth(struct json_object *o, const char *key);
/* A list and its items: 0 and NULL where there is none */
size_t json_items(struct json_object *o, const char *key);
struct json_object *json_item(struct json_object *o, const char *key,
			      size_t i);

/* ---- making: the key is a literal ---- */

void json_add_text(struct json_object *o, const char *key, const char *text);
void json_add_number(struct json_object *o, const char *key, int64_t number);
/* 0 becomes null */
void json_add_time(struct json_object *o, const char *key, int64_t when);

/* ---- looking things up ---- */

/* NULL if there is none of that name */
struct json_object *published_queue(const struct published *p,
				    const char *name);
struct json_object *published_cohort(const struct published *p,
				     const char *name);
/* Of a queue or cohort: its entry for the pair; "" matches any */
struct json_object *published_quota(struct json_object *node,
				    const char *flavor, const char *resource);
/* Name of the tree's top cohort; "" for a queue without cohort */
const char *published_root(const struct published *p,
			   struct json_object *queue);

/* The cluster queue whose rules match the job, as slurmctld would find it; NULL
 * if none does. *sure is false where a rule asks for a user, which the file
 * does not tell. */
struct json_object *published_match(const struct published *p,
				    const struct view *v, bool *sure);

/* The same by the rules of the cohort.yaml beside slurm.conf, if there is one to
 * be read here: else it is not sure. */
struct json_object *published_match_by_conf(const struct published *p,
					    const struct view *v, bool *sure);

/* The flavor that a job on these nodes is charged on: the first one that the
 * queue lists for the resource and that has all of them; "" if none */
const char *published_flavor_of(const struct published *p,
				struct json_object *queue,
				const char *resource, const char *nodes);

#endif /* SCOHORT_PUBLISHED_H */
