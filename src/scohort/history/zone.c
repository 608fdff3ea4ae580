/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone.c - the time zone whose days a database has
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "history/zone.h"

#define LOCALTIME "/etc/localtime"
#define FOLDER "/zoneinfo/"

/* A file without a name: its last line has the rules, as TZ has them (RFC 8536). */
static void rules_read(FILE *f, char *buf, size_t size)
{
	char line[ZONE_MAX];

	*buf = '\0';
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		snprintf(buf, size, "%s", line);
	}
	fclose(f);
}

void zone_here(char *buf, size_t size)
{
	const char *zone = getenv("TZ");
	char path[PATH_MAX];
	FILE *f;

	if (zone) {
		snprintf(buf, size, "%s", *zone ? zone : "UTC");
		return;
	}
	zone = realpath(LOCALTIME, path) ? strstr(path, FOLDER) : NULL;
	if (zone)
		snprintf(buf, size, "%s", zone + strlen(FOLDER));
	else if ((f = fopen(LOCALTIME, "re")))
		rules_read(f, buf, size);
	else
		snprintf(buf, size, "UTC");
}

void zone_use(const char *zone)
{
	if (*zone)
		setenv("TZ", zone, 1);
	tzset();
}
