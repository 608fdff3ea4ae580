/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit.h - one value of cohort.yaml is changed, all else stays as it is written
 */
#ifndef SCOHORT_EDIT_H
#define SCOHORT_EDIT_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* All return the new text, the caller's; the same text if it says so already.
 * NULL after a message: there is no such queue or flavor, the value is
 * none, or the place cannot be found (then the file is to be edited by hand).
 * The text is a cohort.yaml without errors. */

/* policy: None, Hold, HoldAndDrain */
char *edit_stop_policy(const char *text, const char *queue, const char *policy);

/* amount as cohort.yaml has it: "8", "512G" */
char *edit_nominal_quota(const char *text, const char *queue, const char *flavor,
			 const char *resource, const char *amount);

/* A quota for a time */
struct temporary_edit {
	const char *queue, *flavor, *resource, *amount;
	time_t begin, end;
};

/* An item of temporaryQuota is added. One with dates that is in force for this
 * resource alone is replaced, whatever it says of the end. */
char *edit_temporary_quota(const char *text, const struct temporary_edit *t);

#endif /* SCOHORT_EDIT_H */
