/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue.h - scohort queue: waiting jobs in order
 */
#ifndef SCOHORT_QUEUE_H
#define SCOHORT_QUEUE_H

/* The command: prints, and returns the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_queue(int argc, char **argv);

#endif /* SCOHORT_QUEUE_H */
