/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * container.h - the object around one of its members; lists
 */
#ifndef COHORT_CONTAINER_H
#define COHORT_CONTAINER_H

#include <stddef.h>

#define container_of(ptr, type, member) \
	((type *) (void *) ((char *) (ptr) - offsetof(type, member)))

/* A list whose members know what points to them, in `link`: puts x first; takes it out */
#define list_push(head, x, next, link) \
	do { \
		(x)->next = *(head); \
		(x)->link = (head); \
		if ((x)->next) \
			(x)->next->link = &(x)->next; \
		*(head) = (x); \
	} while (0)

#define list_drop(x, next, link) \
	do { \
		*(x)->link = (x)->next; \
		if ((x)->next) \
			(x)->next->link = (x)->link; \
	} while (0)

#endif /* COHORT_CONTAINER_H */
