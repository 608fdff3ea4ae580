/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web.h - scohort web: the ledger as a live page
 */
#ifndef SCOHORT_WEB_H
#define SCOHORT_WEB_H

/* The command: serves until a signal ends it, and returns the exit status
 * (exit_status.h). argv[0] is "scohort NAME". */
int cmd_web(int argc, char **argv);

#endif /* SCOHORT_WEB_H */
