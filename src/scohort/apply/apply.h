/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apply.h - another cohort.yaml is put in force, or the old one stays
 */
#ifndef SCOHORT_APPLY_H
#define SCOHORT_APPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "diff/diff.h"
#include "slurm/conf_path.h"

/* ---- apply.c ---- */

struct apply {
	char path[CONF_PATH_MAX];	/* the cohort.yaml beside slurm.conf */
	struct published p;		/* before the change */
	struct controller controller;
};

/* Waits until no other scohort changes cohort.yaml. Until this process ends no other one does.
 * Returns STATUS_OK, or another exit status after a message. apply_close() in any case */
int apply_open(struct apply *a);
void apply_close(struct apply *a);

/* Prints how the two differ, to standard output. NULL for one that there is not: nothing.
 * False: nothing would change */
bool apply_diff(const struct apply *a, const struct conf *from, const struct conf *to);

/* Puts this text in the place of cohort.yaml, keeps the old one beside it as cohort.yaml.old,
 * has slurmctld read it, and waits until it is in force. If it is not, the old one is put back
 * and read, unless others have changed the file meanwhile. The old one is what is on disk;
 * `in_force` (or NULL) where that is this text already. Where the text is in force already
 * nothing is done. Prints what went wrong. Returns the exit status. */
int apply_text(const struct apply *a, const char *text, const char *in_force);

struct text {
	const char *of;
	size_t len;
};

/* Is this text in the file, and nothing else? */
bool file_holds(const char *path, const struct text *text);

/* ---- edit.c: one value of cohort.yaml is changed, all else stays as it is written ---- */

/* An amount of quota, or a stopPolicy */
struct edit_ask {
	const char *queue, *flavor, *resource;
	const char *amount;		/* as cohort.yaml has it: "8", "512G" */
	time_t begin, end;		/* for that time only; end 0: nominalQuota */
	const char *policy;		/* None, Hold, HoldAndDrain; NULL: the amount */
};

/* The new text, the caller's; the same text if it says so already. NULL after a message: there
 * is no such queue or flavor, the amount is none, or the place cannot be found (then the file is
 * to be edited by hand). The text is a cohort.yaml without errors.
 * For a time an item of temporaryQuota is added. One with dates that is in force for this
 * resource alone is replaced, whatever it says of the end. */
char *edit_text(const char *text, const struct edit_ask *ask);

#endif /* SCOHORT_APPLY_H */
