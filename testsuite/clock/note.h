/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * note.h - a test is told that what it waits for has happened
 */
#ifndef COHORT_CLOCK_NOTE_H
#define COHORT_CLOCK_NOTE_H

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Makes the file that is named as that one, with .now behind it */
static inline void note(const char *file)
{
	char now[4096];
	int fd;

	snprintf(now, sizeof(now), "%s.now", file);
	fd = open(now, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
}

#endif /* COHORT_CLOCK_NOTE_H */
