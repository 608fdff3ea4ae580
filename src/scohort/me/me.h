/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * me.h - scohort me: the user's own jobs
 */
#ifndef SCOHORT_ME_H
#define SCOHORT_ME_H

/* The command: prints, and returns the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_me(int argc, char **argv);

#endif /* SCOHORT_ME_H */
