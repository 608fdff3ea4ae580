/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.h - what a command shows, again and again
 */
#ifndef SCOHORT_WATCH_H
#define SCOHORT_WATCH_H

#include <stdint.h>

#include "output/output.h"

#define WATCH_SECONDS 2		/* unless the user says otherwise */

/* Prints one round to out->file; an exit status. Messages go by stderr_line(). */
typedef int (*watch_f)(void *arg, const struct output *out);

/* Every so many seconds, until a signal ends the process or a round fails with anything but
 * STATUS_DOWN: a slurmctld that is away for a while may come back. Text on a terminal is shown
 * in place, on a screen of its own that goes when the process ends: as many lines as it has, at
 * once anew when its size changes. Anywhere else each round begins with its time: a line, with
 * -P one with #, none with -n and in documents, which have it. Returns the last exit status;
 * for less than 1 second, STATUS_USAGE after a message. */
int watch_run(const struct output *out, int64_t seconds, const char *command,
	      watch_f show, void *arg);

#endif /* SCOHORT_WATCH_H */
