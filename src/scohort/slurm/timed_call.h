/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timed_call.h - calls that may take too long
 */
#ifndef SCOHORT_TIMED_CALL_H
#define SCOHORT_TIMED_CALL_H

#include <stdbool.h>
#include <stddef.h>

/* Runs f(arg) in a thread and waits for it, for so many seconds at most. False:
 * it has not returned. It may still run: what arg points to must stay valid.
 * The program can go on and exit all the same. */
bool timed_call(void (*f)(void *arg), void *arg, int seconds);

/* From within f(): no more than this many seconds from now on */
void timed_call_shorten(int seconds);

/* Asks slurmctld by f(arg), which sets *error to an error of Slurm, or 0. False with a
 * message in err: there is no answer; *error is not 0 if that is an error of Slurm. */
bool timed_question(void (*f)(void *arg), void *arg, const int *error, char *err, size_t size);

#endif /* SCOHORT_TIMED_CALL_H */
