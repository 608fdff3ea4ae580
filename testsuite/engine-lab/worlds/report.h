/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - engine-lab worlds: measures worlds and prints a table
 */
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

/* The command: prints, and returns the exit status (exit_status.h). */
int cmd_worlds(int argc, char **argv);

#endif /* LAB_REPORT_H */
