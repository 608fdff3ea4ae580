/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config_state.h - is the cohort.yaml on disk the one that is in force?
 */
#ifndef SCOHORT_CONFIG_STATE_H
#define SCOHORT_CONFIG_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json.h>

/* False: cohort.yaml is not in force as it is on disk, by what slurmctld has
 * published; buf has a sentence or two that say why. */
bool config_is_in_force(struct json_object *document, int64_t now, char *buf,
			size_t size);

#endif /* SCOHORT_CONFIG_STATE_H */
