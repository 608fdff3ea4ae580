/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_path.c - files of Slurm's configuration folder
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config.h"
#include "slurm/conf_path.h"

/* Where slurmd and sackd keep what slurmctld sent them */
#define SENT_CONF "/run/slurm/conf/slurm.conf"

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

/* 'Key = value # comment' or 'Key="value"': the value, cut off in place; NULL: another key */
static char *line_value(char *line, const char *key)
{
	char *p = line + strspn(line, " \t");
	size_t len = strlen(key);
	const char *end = " \t";

	line[strcspn(line, "#\r\n")] = '\0';
	if (strncasecmp(p, key, len))
		return NULL;
	p += len + strspn(p + len, " \t");
	if (*p != '=')
		return NULL;
	p += 1 + strspn(p + 1, " \t");
	if (*p == '"') {
		end = "\"";
		p++;
	}
	p[strcspn(p, end)] = '\0';
	return p;
}

static bool file_value(const char *path, const char *key, char *value,
		       size_t size)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (file && !found && getline(&line, &room, file) >= 0) {
		const char *text = line_value(line, key);

		found = text && *text
			&& (size_t) snprintf(value, size, "%s", text) < size;
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

bool conf_value(const char *key, char *value, size_t size)
{
	const char *env = getenv("SLURM_CONF");
	char path[CONF_PATH_MAX];

	if (env && *env)
		return file_value(env, key, value, size);
	return file_value(conf_path("slurm.conf", path, sizeof(path)), key,
			  value, size)
	       || file_value(SENT_CONF, key, value, size);
}
