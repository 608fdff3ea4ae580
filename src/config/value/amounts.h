/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * amounts.h - amounts of several resources, as a TRES string or a map
 */
#ifndef COHORT_AMOUNTS_H
#define COHORT_AMOUNTS_H

#include <stdint.h>

#include "value/map.h"

struct amounts {
	const char *const *names;	/* the resources that are allowed */
	size_t n;
	bool open;		/* other resources are no error here: the list
				 * of names is wrong itself */
	int64_t *of;		/* by index of names; SPEC_NO_LIMIT where no
				 * amount was given */
};

/* Fits struct field's .read: dest is a struct amounts; arg is not used. */
int amounts_read(struct reader *r, const struct place *at, struct node *n,
		 void *dest, const void *arg);

#endif /* COHORT_AMOUNTS_H */
