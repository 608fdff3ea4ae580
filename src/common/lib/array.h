/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - arrays that may be empty
 */
#ifndef COHORT_ARRAY_H
#define COHORT_ARRAY_H

#include <stdlib.h>

/* calloc() that does not return NULL for an empty array. NULL: no memory. The caller frees it. */
static inline void *array_create(size_t n, size_t size)
{
	return calloc(n ? n : 1, size);
}

#endif /* COHORT_ARRAY_H */
