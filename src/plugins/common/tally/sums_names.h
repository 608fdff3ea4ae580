/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sums_names.h - the names in a configuration, as they stand in JSON
 *
 *  Text is made of them when the configuration may be gone.
\*****************************************************************************/
#ifndef COHORT_TALLY_SUMS_NAMES_H
#define COHORT_TALLY_SUMS_NAMES_H

#include <stddef.h>

struct spec;

/* Without the quotes around them */
struct sums_names {
	char **cohorts, **queues, **flavors, **resources;
	size_t ncohorts, nqueues, nflavors, nresources;
};

extern struct sums_names *sums_names_of(const struct spec *spec);
/* NULL is allowed. */
extern void sums_names_free(struct sums_names *names);

#endif /* COHORT_TALLY_SUMS_NAMES_H */
