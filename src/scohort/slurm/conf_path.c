/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_path.c - files of Slurm's configuration folder
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"
#include "slurm/conf_path.h"

const char *conf_path(const char *name, char *path, size_t size)
{
	const char *env = getenv("SLURM_CONF");
	char copy[PATH_MAX];

	if (!env || !*env) {
		snprintf(path, size, "%s/%s", COHORT_SLURM_SYSCONFDIR, name);
		return path;
	}
	snprintf(copy, sizeof(copy), "%s", env);
	snprintf(path, size, "%s/%s", dirname(copy), name);
	return path;
}
