/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - questions that a process of its own answers
 *
 * A question to a slurmctld that hangs takes seconds, and libslurm can't be interrupted.
 * A page of the past may take seconds, too, and is made in the time zone of its database,
 * of which a process can have only one. So this program is run once more for each.
 */
#ifndef SCOHORT_WEB_CHILD_H
#define SCOHORT_WEB_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* The WORDs that scohort web takes for itself; no option or operand is one. */
#define CHILD_PAST "@past"	/* past_print() */
#define CHILD_BOOT "@boot"	/* prints when slurmctld started, if it answers */

/* Runs "scohort web WORD PARENT SECONDS ARGUMENT..." (args: WORD, ARGUMENT..., NULL), which ends
 * after so many seconds, or with this process. *text: what it prints, for the caller to free,
 * with a NUL behind its `size` bytes. False: it failed or took too long. Any thread */
bool child_run(const char *const *args, int seconds, char **text, size_t *size);

/* In the child, which has its ARGUMENTs then. False: its parent is gone */
bool child_begin(int *argc, char ***argv);

#endif /* SCOHORT_WEB_CHILD_H */
