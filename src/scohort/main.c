/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - scohort, the command: finds the subcommand and runs it
 *
 * Nothing here needs Slurm, but for the commands that ask slurmctld.
 */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "config.h"
#include "output/exit_status.h"
#include "output/output.h"

/* argv[0] is "scohort NAME", which getopt_long() puts before its messages. */
typedef int (*command_f)(int argc, char **argv);

struct command {
	const char *name;
	const char *summary;	/* for the list that `scohort --help` prints */
	command_f run;
};

#ifndef HAVE_SQLITE
static int cmd_not_built(int argc, char **argv)
{
	(void) argc;
	stderr_line("%s is not built in: libsqlite3 was not there when scohort was built", argv[0]);
	return STATUS_FAILED;
}
#define cmd_record cmd_not_built
#define cmd_report cmd_not_built
#endif

static const struct command commands[] = {
	{ "status", "quota and usage of cohorts and cluster queues", cmd_status },
	{ "queue", "waiting jobs in order", cmd_queue },
	{ "me", "my jobs: their places, starts, and when they may be evicted", cmd_me },
	{ "why", "why a job waits, or what happened to it", cmd_why },
	{ "whatif", "what would happen to a submission, without submitting it", cmd_whatif },
	{ "checkpointed", "note that a job has just written a checkpoint", cmd_checkpointed },
	{ "metrics", "quota, usage and counters for Prometheus", cmd_metrics },
	{ "record", "keep what is counted in a database", cmd_record },
	{ "report", "who used whose quota, from that database", cmd_report },
#ifdef HAVE_MHD
	{ "web", "quota and usage as live web pages", cmd_web },
#endif
	{ "check", "check cohort.yaml and report all errors", cmd_check },
	{ "doctor", "is all well, and what to do if not", cmd_doctor },
	{ "diff", "what another cohort.yaml would change", cmd_diff },
	{ "observed", "what enforcement would have done", cmd_observed },
	{ "apply", "put another cohort.yaml in force, or keep the old one", cmd_apply },
	{ "hold", "start no more jobs of a cluster queue", cmd_stop_policy },
	{ "drain", "start no more jobs, and evict those that run", cmd_stop_policy },
	{ "resume", "start jobs of a cluster queue again", cmd_stop_policy },
	{ "set", "change a nominal quota", cmd_set },
	{ "simulate", "play a trace of jobs through cohort.yaml", cmd_simulate },
	{ "import", "convert Kueue manifests to cohort.yaml", cmd_import },
};

#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage_print(FILE *out)
{
	fputs("Usage: scohort COMMAND [OPTION...] [ARGUMENT...]\n\nCommands:\n", out);
	for (size_t i = 0; i < NCOMMANDS; i++)
		fprintf(out, "  %-14s%s\n", commands[i].name, commands[i].summary);
	fputs("\nOptions:\n"
	      "  -h, --help     this text; after a command: that command's\n"
	      "  -V, --version  the version\n", out);
}

/* One of the two options, or a command */
static int word_run(int argc, char **argv)
{
	char name[64];

	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		usage_print(stdout);
		return STATUS_OK;
	}
	if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version")) {
		puts("scohort " PACKAGE_VERSION);
		return STATUS_OK;
	}
	for (size_t i = 0; i < NCOMMANDS; i++) {
		if (strcmp(commands[i].name, argv[1]))
			continue;
		snprintf(name, sizeof(name), "scohort %s", commands[i].name);
		argv[1] = name;
		return commands[i].run(argc - 1, argv + 1);
	}
	stderr_line("scohort: unknown command \"%s\"; scohort --help lists the commands", argv[1]);
	return STATUS_USAGE;
}

int main(int argc, char **argv)
{
	int status;

	if (argc < 2) {
		usage_print(stderr);
		return STATUS_USAGE;
	}
	status = word_run(argc, argv);
	/* output that could not be written is a failure, whatever the command returned */
	if (fflush(stdout) || ferror(stdout)) {
		perror("scohort: standard output");
		return STATUS_FAILED;
	}
	return status;
}
