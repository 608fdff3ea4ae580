/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands.h - the commands of scohort
 *
 * Each prints, and returns the exit status (exit_status.h). argv[0] is "scohort NAME".
 */
#ifndef SCOHORT_COMMANDS_H
#define SCOHORT_COMMANDS_H

int cmd_apply(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_checkpointed(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_me(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_observed(int argc, char **argv);
int cmd_queue(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_set(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_stop_policy(int argc, char **argv);	/* hold, drain, resume */
int cmd_web(int argc, char **argv);		/* serves until a signal ends it */
int cmd_whatif(int argc, char **argv);
int cmd_why(int argc, char **argv);

#endif /* SCOHORT_COMMANDS_H */
