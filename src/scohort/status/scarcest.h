/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scarcest.h - which flavors and resources of a queue are shown
 */
#ifndef SCOHORT_SCARCEST_H
#define SCOHORT_SCARCEST_H

#include <stdbool.h>
#include <stddef.h>

#include <json.h>

struct shown {
	bool all;		/* else one of each queue or cohort */
	const char *resource;	/* only of this one; NULL: any */
};

/* Has the queue or cohort nominal quota of that, or has what is below it? */
bool quota_is_owned(struct json_object *quota);

/* Is the i-th quota of the published queue or cohort shown? */
bool quota_is_shown(const struct shown *shown, struct json_object *node,
		    size_t i);

#endif /* SCOHORT_SCARCEST_H */
