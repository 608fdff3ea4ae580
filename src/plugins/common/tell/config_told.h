/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  config_told.h - which cohort.yaml is in force, for the published document
\*****************************************************************************/
#ifndef COHORT_TELL_CONFIG_TOLD_H
#define COHORT_TELL_CONFIG_TOLD_H

#include "compat/slurm_compat.h"

#include <json-c/json.h>

/* ---- under the job lock ---- */

/* cohort.yaml is about to be read from this path. */
extern void config_told_reading(const char *path);
/* It is in force, with this text. */
extern void config_told_taken(const char *text);
/* It has so many errors, of which this is the first; what was in force stays
 * in force, or the last good file, of this time (0: what was in force, if
 * anything). */
extern void config_told_rejected(const char *error, int errors, time_t since);

extern struct json_object *config_told_json(void);

/* What is needed to look at the file: the caller's, for config_told_look() */
struct config_seen;
extern struct config_seen *config_told_seen(void);

/* ---- without a lock, by one thread ---- */

/* Adds to "configuration" whether the file on disk is still the one that was read.
 * Frees seen. */
extern void config_told_look(struct config_seen *seen, struct json_object *document);

#endif /* COHORT_TELL_CONFIG_TOLD_H */
