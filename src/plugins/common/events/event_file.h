/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  event_file.h - a file of lines that grows up to a size, and older ones
\*****************************************************************************/
#ifndef COHORT_EVENTS_EVENT_FILE_H
#define COHORT_EVENTS_EVENT_FILE_H

#include <stddef.h>
#include <stdint.h>

struct event_file {
	char *path;
	int64_t max_bytes;	/* it grows no larger */
	int64_t keep;		/* so many older ones: PATH.1 is the newest */
};

enum event_file_result {
	EVENT_FILE_DONE,	/* they are on the disk */
	EVENT_FILE_NONE,	/* none of them is in the file; errno is set */
	EVENT_FILE_FULL,	/* the same, as the disk is full */
	EVENT_FILE_UNKNOWN,	/* they may be there, or some; errno is set */
};

/* Append these bytes, which are complete lines: all of them or none, unless the
 * disk fails and what was written can't be cut off. Where they would make the
 * file too large they begin a new one. Only the user that writes it can read it.
 * A part of a line that a crash has left is cut off first. It may take as long as
 * the file system takes. */
extern enum event_file_result event_file_append(const struct event_file *file,
						const char *lines, size_t len);

#endif /* COHORT_EVENTS_EVENT_FILE_H */
