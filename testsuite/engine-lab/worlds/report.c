/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - engine-lab worlds: measures worlds and prints a table
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "worlds/site.h"
#include "worlds/worlds.h"

#define MAX_SIZES 16

struct choice {
	const struct world *only;	/* NULL: all */
	bool list;
	size_t sizes[MAX_SIZES];	/* none: the world's own */
	size_t nsizes;
};

/* Reads numbers above 0 with commas between. */
static bool sizes_read(struct choice *c, const char *text)
{
	char *end;

	for (c->nsizes = 0; c->nsizes < MAX_SIZES; text = end + 1) {
		unsigned long size;

		errno = 0;
		size = strtoul(text, &end, 10);
		if (errno || *text < '0' || *text > '9' || !size)
			return false;
		c->sizes[c->nsizes++] = size;
		if (*end != ',')
			return !*end;
	}
	return false;
}

/* A line for each size; the last one has the exponent of growth. */
static int world_print(const struct world *world, const struct choice *c)
{
	const size_t *sizes = c->nsizes ? c->sizes : world->sizes;
	size_t n = c->nsizes ? c->nsizes : WORLD_SIZES;
	struct measured first = { 0 }, m;

	for (size_t i = 0; i < n; i++) {
		if (world_measure(world, sizes[i], &m) < 0) {
			stderr_line("engine-lab: %s of %zu: %s", world->name, sizes[i],
				    strerror(errno));
			return STATUS_FAILED;
		}
		if (!i)
			first = m;
		printf("%-12s %-8s %7zu %8.1f %10.3f %10.3f", world->name, world->grows,
		       sizes[i], m.mb, m.first_plan, m.event);
		if (i && i + 1 == n && sizes[i] != sizes[0])
			printf(" %8.2f", growth_exponent((double) sizes[0],
				(double) sizes[i], first.event, m.event));
		putchar('\n');
		fflush(stdout);
	}
	return STATUS_OK;
}

static int worlds_print(const struct choice *c)
{
	int status = STATUS_OK;

	if (!c->list)
		printf("%-12s %-8s %7s %8s %10s %10s %8s\n", "world", "grows", "size",
		       "MB", "first ms", "event ms", "exponent");
	for (size_t i = 0; i < nworlds; i++) {
		const struct world *world = &worlds[i];

		if (c->list)
			printf("%-12s %-8s %s\n", world->name, world->grows, world->what);
		else if ((!c->only || c->only == world) && world_print(world, c))
			status = STATUS_FAILED;
	}
	return status;
}

static int usage(FILE *out, int status)
{
	fputs("Usage: engine-lab worlds [--world NAME] [--sizes N,...] [--budget N]\n"
	      "       engine-lab worlds --list\n"
	      "\n"
	      "Builds made up worlds, each in several sizes, and prints the memory\n"
	      "of the engine, and the CPU time of the first plan and of one event\n"
	      "with its plan. The exponent says how the latter grows with the size:\n"
	      "with 1, twice the size costs twice as much.\n"
	      "\n"
	      "  --world NAME   only this one\n"
	      "  --sizes N,...  in these sizes\n"
	      "  --budget N     looks of one plan (planBudget); 0: no bound\n"
	      "  --list         what is in each world\n"
	      "  -h, --help     this text\n", out);
	return status;
}

int cmd_worlds(int argc, char **argv)
{
	static const struct option options[] = { { "world", required_argument, NULL, 'w' },
						 { "sizes", required_argument, NULL, 's' },
						 { "budget", required_argument, NULL, 'b' },
						 { "list", no_argument, NULL, 'l' },
						 { "help", no_argument, NULL, 'h' },
						 { NULL, 0, NULL, 0 } };
	struct choice c = { .only = NULL };
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (opt == 'h')
			return usage(stdout, STATUS_OK);
		if (opt == 'w' && !(c.only = world_find(optarg))) {
			stderr_line("engine-lab: no world \"%s\"; --list names all", optarg);
			return STATUS_USAGE;
		}
		if (opt == '?' || (opt == 's' && !sizes_read(&c, optarg)))
			return usage(stderr, STATUS_USAGE);
		if (opt == 'b')
			site_budget = strtoull(optarg, NULL, 10);
		c.list |= opt == 'l';
	}
	if (optind < argc || (c.list && (c.only || c.nsizes)))
		return usage(stderr, STATUS_USAGE);
	return worlds_print(&c);
}
