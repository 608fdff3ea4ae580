/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  file.h - files that are written again and again
\*****************************************************************************/
#ifndef COHORT_SLURM_FILE_H
#define COHORT_SLURM_FILE_H

#include "compat/slurm_compat.h"

/* A file that is written again and again */
struct written_file {
	const char *name;		/* its name in messages, or "" */
	const char *loss;		/* the consequence of a failure, or "" */
	char *failed;			/* this path could not be written */
	int error;			/* for this reason */
	uint32_t term;			/* the term of control of the last try */
	char *written;			/* there, or NULL: not known; */
	uint32_t written_in;		/* in this term, */
	uint64_t news;			/* and with this hash of its news */
};

/* Replace the file at this path by one with this text. Others see the old file or the new one,
 * each as a whole. Nothing is written if the term of control in which the text was made is
 * over. Returns 0, or an error number; a failure is logged once for a path and reason. */
extern int file_put(struct written_file *file, const char *path,
		     const char *text, mode_t mode, uint32_t term);
/* The same, but nothing is written where the file there has the same news. news: the part of
 * the text that tells whether it is another one */
extern int file_put_news(struct written_file *file, const char *path, const char *text,
			 const char *news, mode_t mode, uint32_t term);
/* Path of a file in StateSaveLocation, xmalloc'd; under a lock of slurmctld's configuration */
extern char *file_state_path(const char *name);

#endif /* COHORT_SLURM_FILE_H */
