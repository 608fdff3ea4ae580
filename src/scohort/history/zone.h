/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone.h - the time zone whose days a database has
 *
 * A day of the database is one of the zone in which its first reading was taken. All
 * later readings and all reports take the same zone, whatever their own is.
 */
#ifndef SCOHORT_HISTORY_ZONE_H
#define SCOHORT_HISTORY_ZONE_H

#include <stddef.h>

#define ZONE_MAX 256

/* What TZ would have to be for the local time of this process: TZ itself, or the name or
 * rules that /etc/localtime has. Cut if there is no room. */
void zone_here(char *buf, size_t size);

/* Local time is that of the zone from now on. "": nothing changes */
void zone_use(const char *zone);

#endif /* SCOHORT_HISTORY_ZONE_H */
