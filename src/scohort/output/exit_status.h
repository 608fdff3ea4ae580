/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exit_status.h - the exit status of a command
 */
#ifndef SCOHORT_EXIT_STATUS_H
#define SCOHORT_EXIT_STATUS_H

/* The return value of a command, which is scohort's exit status */
enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,	/* it ran, and the answer is no */
	STATUS_USAGE = 2,	/* it was called in a wrong way */
	STATUS_DOWN = 3,	/* slurmctld does not answer */
	STATUS_DENIED = 4,	/* the user may not see what was asked for */
	STATUS_INTERRUPTED = 130,	/* by Ctrl-C, as a shell reports it */
};

#endif /* SCOHORT_EXIT_STATUS_H */
