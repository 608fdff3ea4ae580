/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish.h - the parts of the published document
\*****************************************************************************/
#ifndef COHORT_PUBLISH_H
#define COHORT_PUBLISH_H

#include <json-c/json.h>

#include "ctld_priv.h"

#define PUBLISH_VERSION 1

/* Keys are literals: they need no copies. */
static inline void publish_add(struct json_object *o, const char *key,
			       struct json_object *value)
{
	(void) json_object_object_add_ex(o, key, value,
					 JSON_C_OBJECT_KEY_IS_CONSTANT);
}

static inline void publish_number(struct json_object *o, const char *key,
				  int64_t value)
{
	publish_add(o, key, json_object_new_int64(value));
}

/* Names and texts need not be UTF-8, the document is: each other byte becomes
 * U+FFFD. NULL becomes null. */
extern struct json_object *publish_string(const char *text);

static inline void publish_text(struct json_object *o, const char *key,
				const char *value)
{
	publish_add(o, key, publish_string(value));
}

/* ---- publish_ledger.c ---- */

extern struct json_object *publish_cohorts(void);
extern struct json_object *publish_queues(int64_t now);

/* ---- publish_line.c ---- */

/* Places in line, a list of texts like "1-3,7": one for each local queue in
 * the order in which they come up, none of them named. */
extern struct json_object *publish_line(int queue);

/* ---- ask.c ---- */

/* How many questions were answered, how many not, and what that has cost */
extern struct json_object *ask_json(void);

/* ---- asked.c ---- */

/* The last answers to sbatch --test-only */
extern struct json_object *asked_json(void);

#endif /* COHORT_PUBLISH_H */
