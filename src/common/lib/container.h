/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * container.h - the object around one of its members
 */
#ifndef COHORT_CONTAINER_H
#define COHORT_CONTAINER_H

#include <stddef.h>

#define container_of(ptr, type, member) \
	((type *) (void *) ((char *) (ptr) - offsetof(type, member)))

#endif /* COHORT_CONTAINER_H */
