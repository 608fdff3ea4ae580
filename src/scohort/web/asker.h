/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asker.h - does slurmctld answer? Asked by a process of its own
 *
 * A question to a slurmctld that hangs takes seconds, and libslurm can't be
 * interrupted. So a child asks, every fifteen seconds, and writes each answer
 * into a pipe. Pages never wait for it.
 */
#ifndef SCOHORT_ASKER_H
#define SCOHORT_ASKER_H

#include <stdint.h>
#include <sys/types.h>

struct answer {
	int64_t down_since;	/* seconds since the epoch; 0: slurmctld answers */
	int64_t boot_time;	/* when it started; 0: not known */
};

/* Starts the child, which ends with this process. Returns what can be read of
 * the pipe, or -1 with errno. To be called before any thread is started. */
int asker_start(pid_t *child);
/* 1: *answer is the next one; 0: there is none yet; -1: the child is gone. */
int asker_next(int pipe, struct answer *answer);

#endif /* SCOHORT_ASKER_H */
