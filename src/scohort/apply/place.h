/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - places in a cohort.yaml that is to be edited
 */
#ifndef SCOHORT_PLACE_H
#define SCOHORT_PLACE_H

#include <stddef.h>

#include "yaml/document.h"

/* The document, or NULL; the caller destroys it. */
struct document *place_document(const char *text);

/* The queue of that name; NULL with a message in err */
const struct node *place_queue(struct document *doc, const char *queue,
			       char *err, size_t size);

/* The flavor of a queue, where it has quota of the resource; NULL: it has
 * none */
const struct node *place_flavor(const struct node *queue, const char *flavor,
				const char *resource);

/* Where the line begins, the first one is 1; NULL: there are not so many */
const char *place_line(const char *text, int line);

/* The text with `with` in the place of `len` bytes at `at`, which points into
 * it. The caller frees it; NULL: no memory */
char *place_splice(const char *text, const char *at, size_t len,
		   const char *with);

#endif /* SCOHORT_PLACE_H */
