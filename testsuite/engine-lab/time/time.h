/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.h - engine-lab time: how long do a cycle and a victim search take?
 */
#ifndef LAB_TIME_H
#define LAB_TIME_H

/* The command: prints, and returns the exit status (exit_status.h). */
int cmd_time(int argc, char **argv);

#endif /* LAB_TIME_H */
