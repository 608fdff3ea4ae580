/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml.h - a JSON value as YAML
 */
#ifndef SCOHORT_YAML_H
#define SCOHORT_YAML_H

#include <stdbool.h>

struct json_object;

/* A JSON value as a YAML document, NUL-terminated, freed by the
 * caller. Strings stay strings. */
char *yaml_dump(struct json_object *value);

/* Is the text the same in YAML without quotes? False for anything unusual */
bool yaml_is_plain(const char *text);

#endif /* SCOHORT_YAML_H */
