/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  file.h - files that are written again and again
\*****************************************************************************/
#ifndef COHORT_SLURM_FILE_H
#define COHORT_SLURM_FILE_H

#include "compat/slurm_compat.h"

/* A file that is written again and again */
struct written_file {
	const char *name;		/* what it is called in messages, or "" */
	const char *loss;		/* what follows from a failure, or "" */
	char *failed;			/* this path could not be written */
	int error;			/* for this reason */
	uint32_t term;			/* of the last try */
};

/* Put text in the place of the file at this path, which others see as a whole, old
 * or new: unless the term of control in which it was made is over. Returns 0, or
 * -1 with errno; a failure is told once for a path and reason. */
extern int file_put(struct written_file *file, const char *path,
		     const char *text, mode_t mode, uint32_t term);
/* Path of a file in StateSaveLocation, xmalloc'd; under a lock of slurmctld's
 * configuration */
extern char *file_state_path(const char *name);

#endif /* COHORT_SLURM_FILE_H */
