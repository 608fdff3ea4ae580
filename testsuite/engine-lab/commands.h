/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands.h - the commands of engine-lab: each prints, and returns the exit status
 * (exit_status.h)
 */
#ifndef LAB_COMMANDS_H
#define LAB_COMMANDS_H

int cmd_eval(int argc, char **argv);	/* scenarios answered, or compared */
int cmd_time(int argc, char **argv);	/* scenarios timed */
int cmd_worlds(int argc, char **argv);	/* made up worlds measured */

#endif /* LAB_COMMANDS_H */
