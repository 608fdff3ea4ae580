/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * published_world.h - a world of the engine as the plugin would publish it
 */
#ifndef SCOHORT_TEST_PUBLISHED_WORLD_H
#define SCOHORT_TEST_PUBLISHED_WORLD_H

#include <json.h>

#include "world.h"

/* The document of that time, in seconds, which are the units of the world; the caller's.
 * Nodes of a flavor are its name with 1 to 9 behind it, a queue matches the account of its
 * name. */
struct json_object *world_publish(struct world *w, int64_t at);

#endif /* SCOHORT_TEST_PUBLISHED_WORLD_H */
