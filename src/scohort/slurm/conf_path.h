/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_path.h - files of Slurm's configuration folder
 */
#ifndef SCOHORT_CONF_PATH_H
#define SCOHORT_CONF_PATH_H

#include <limits.h>
#include <stddef.h>

#define CONF_PATH_MAX (PATH_MAX + 64)

/* A file beside $SLURM_CONF, or in the folder that Slurm was built for.
 * Returns path. */
const char *conf_path(const char *name, char *path, size_t size);

#endif /* SCOHORT_CONF_PATH_H */
