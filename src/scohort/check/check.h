/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - scohort check: is this cohort.yaml right?
 */
#ifndef SCOHORT_CHECK_H
#define SCOHORT_CHECK_H

/* The command: prints, and returns the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_check(int argc, char **argv);

#endif /* SCOHORT_CHECK_H */
