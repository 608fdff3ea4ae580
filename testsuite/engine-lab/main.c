/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - engine-lab: the engine's answers and what they cost, for developers
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output/exit_status.h"

static int usage(FILE *out, int status)
{
	fputs("Usage: engine-lab COMMAND [OPTION...] [FILE...]\n"
	      "\n"
	      "  eval    answer scenarios, or check their expected answers\n"
	      "  time    time the engine on scenarios\n"
	      "  worlds  what the engine takes in made up worlds\n"
	      "\n"
	      "A command's --help has its options.\n", out);
	return status;
}

int main(int argc, char **argv)
{
	const char *name = argc < 2 ? "" : argv[1];
	int status;

	if (argc > 1)
		argv[1] = argv[0];	/* for messages of getopt_long() */
	if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		status = usage(stdout, STATUS_OK);
	else if (!strcmp(name, "eval"))
		status = cmd_eval(argc - 1, argv + 1);
	else if (!strcmp(name, "time"))
		status = cmd_time(argc - 1, argv + 1);
	else if (!strcmp(name, "worlds"))
		status = cmd_worlds(argc - 1, argv + 1);
	else
		status = usage(stderr, STATUS_USAGE);
	if (fflush(stdout) || ferror(stdout)) {
		perror("engine-lab: standard output");
		return STATUS_FAILED;
	}
	return status;
}
