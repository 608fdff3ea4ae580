/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  config.h - which cohort.yaml is in force
\*****************************************************************************/
#ifndef COHORT_TELL_CONFIG_H
#define COHORT_TELL_CONFIG_H

#include "compat/slurm_compat.h"

#include <json-c/json.h>

struct conf;

/* In StateSaveLocation: the last cohort.yaml without errors */
#define CONFIG_LAST_GOOD "cohort.yaml.good"

/* ---- under the job lock ---- */

/* Read cohort.yaml, which stands beside slurm.conf. A file with errors never takes a running
 * cluster down: a reconfigure keeps the configuration in force (NULL), a restart takes the last
 * good file from StateSaveLocation, and both log it. A first start without any good file has no
 * queues: Slurm schedules all jobs as it does without quota, until a reconfigure finds a good
 * file. *good: this one is, and is to be kept for a start that finds none. */
extern struct conf *config_choose(bool *good);

extern struct json_object *config_told_json(void);

/* What is needed to look at the file: the caller's, for config_told_look() */
struct config_seen;
extern struct config_seen *config_told_seen(void);

/* ---- without a lock, by one thread ---- */

/* Adds to "configuration" whether the file on disk is still the one that was read.
 * Frees seen. */
extern void config_told_look(struct config_seen *seen, struct json_object *document);

#endif /* COHORT_TELL_CONFIG_H */
