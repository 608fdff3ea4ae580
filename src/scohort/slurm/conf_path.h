/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_path.h - files of Slurm's configuration folder
 */
#ifndef SCOHORT_CONF_PATH_H
#define SCOHORT_CONF_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CONF_PATH_MAX (PATH_MAX + 64)

/* Writes to path where the file `name` is: beside $SLURM_CONF, or in the folder
 * that Slurm was built for. Does not check that the file exists. Returns path,
 * which has room for CONF_PATH_MAX. */
const char *conf_path(const char *name, char *path, size_t size);

/* The value of `key` in the slurm.conf of this host and in the files that it includes, or
 * in the copy that slurmd or sackd keep of it where there is none (configless). False: no
 * such file has it, or it does not fit into value.
 * `unread`, NULL or of CONF_PATH_MAX, is "", or a file that could not be read: the key may
 * be there, or have another value there. A slurm.conf that does not exist is none. */
bool conf_value(const char *key, char *value, size_t size, char *unread);

/* Does PrivateData keep the jobs of others from users? 1; 0; -1: `unread`, which has
 * CONF_PATH_MAX and may say so, could not be read, does not exist, or has a value that is
 * too long. Who gets -1 treats jobs as private. */
int conf_jobs_are_private(char *unread);

/* ---- lines of slurm.conf ---- */

struct conf_line {
	char *text;		/* the caller frees it */
	size_t size;
	bool failed;		/* no memory, or the file can't be read further */
};

/* The next one. False: there are no more, or it has failed */
bool conf_line_read(struct conf_line *line, FILE *file);

/* 'Key = value' or 'Key="value"' at *rest: cut off in place, *rest is what follows. False:
 * there is no pair. */
bool conf_line_pair(char **rest, char **key, char **value);

#endif /* SCOHORT_CONF_PATH_H */
