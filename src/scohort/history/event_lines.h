/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_lines.h - new lines of the file of events, and of its older ones
 *
 * slurmctld appends to PATH, and renames it to PATH.1, that to PATH.2, and so on. A
 * place says up to where all was read. If it is in none of these files any more, all
 * are read anew: who takes the lines has to know those that came already.
 */
#ifndef SCOHORT_HISTORY_EVENT_LINES_H
#define SCOHORT_HISTORY_EVENT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_place {
	int64_t device, inode;	/* of a file; inode 0: nothing was read */
	int64_t offset;		/* what is before it was read */
	int64_t mark;		/* of the last bytes before it */
};

/* A complete line without its newline, and where it begins. false: stop with an
 * error */
typedef bool (*event_line_f)(void *arg, const char *line, size_t len, int64_t at);

/* Calls f() for each complete line behind the place, the oldest first, and moves
 * the place on; after `budget` bytes the rest is left for the next time. That there
 * is no file is no error. -1 after a message, or if f() returns false */
int event_lines_read(const char *path, struct event_place *place,
		     int64_t budget, event_line_f f, void *arg);

#endif /* SCOHORT_HISTORY_EVENT_LINES_H */
