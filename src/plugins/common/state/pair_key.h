/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  pair_key.h - a flavor and a resource by name: RESOURCE@FLAVOR
\*****************************************************************************/
#ifndef COHORT_STATE_PAIR_KEY_H
#define COHORT_STATE_PAIR_KEY_H

#include <stdbool.h>
#include <stddef.h>

struct spec;

#define PAIR_KEY_BYTES 256

/* Into PAIR_KEY_BYTES */
extern void pair_key_print(char *key, const struct spec *spec, int flavor, int resource);

/* "gres/gpu@a100". false: there is no such flavor or resource in the configuration
 * in force; *flavor and *resource are SPEC_NONE or what is known. */
extern bool pair_key_find(const char *key, int *flavor, int *resource);

#endif /* COHORT_STATE_PAIR_KEY_H */
