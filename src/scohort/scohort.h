/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scohort.h - the subcommands of scohort
 *
 * A subcommand is a row in main.c and a function in a file of its own, named
 * cmd_NAME(), declared here. Its options are a table (options.h), what it prints
 * are JSON objects and columns that show them (output.h, table.h).
 */
#ifndef SCOHORT_H
#define SCOHORT_H

/* What a command returns, and scohort's exit status with it */
enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,	/* it ran, and the answer is no */
	STATUS_USAGE = 2,	/* it was called in a wrong way */
	STATUS_DOWN = 3,	/* slurmctld does not answer */
	STATUS_DENIED = 4,	/* the user may not see what was asked for */
};

/* argv[0] is "scohort NAME", which getopt_long() puts before its messages. */
typedef int (*command_f)(int argc, char **argv);

struct command {
	const char *name;
	const char *summary;	/* for the list that `scohort --help` prints */
	command_f run;
};

int cmd_bench(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_queue(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_whatif(int argc, char **argv);
int cmd_why(int argc, char **argv);

#endif /* SCOHORT_H */
