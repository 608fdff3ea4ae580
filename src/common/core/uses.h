/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uses.h - the part of charges that the books know
 */
#ifndef COHORT_USES_H
#define COHORT_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct use;
struct engine;
struct charge;

/* Writes the part of the charges that the books know into uses[], which has room for n; *nuses is
 * how many. -1 with errno = EINVAL for flavors or resources that do not exist. */
int uses_fill(const struct engine *e, const struct charge *charges, size_t n,
	      struct use *uses, size_t *nuses);

/* The same in a new array. NULL with errno on error. */
struct use *uses_create(const struct engine *e, const struct charge *charges,
			size_t n, size_t *nuses);

/* How much of a pair they use in all */
int64_t uses_of_pair(const struct use *uses, size_t n, int pair);

/* No use is larger than what all[] has of its pair. */
bool uses_are_in(const struct use *uses, size_t n, const struct use *all, size_t nall);

/* Writes the uses to charges[], which has room for n. */
void uses_tell(const struct engine *e, const struct use *uses, size_t n, struct charge *charges);

/* Writes the uses into merged[], which has room for n or is uses[] itself, no pair twice. How many
 * pairs that is */
size_t uses_merge(const struct use *uses, size_t n, struct use *merged);

#endif /* COHORT_USES_H */
