/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shape.h - is a document one that the plugins can have published?
 */
#ifndef SCOHORT_SHAPE_H
#define SCOHORT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

/* Checks what the commands rely on: lists hold objects, cohorts have names of
 * their own and form trees. False with a message in err. */
bool published_is_well_formed(struct json_object *document, char *err,
			      size_t size);

#endif /* SCOHORT_SHAPE_H */
