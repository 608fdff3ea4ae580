/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench.h - what the parts of engine-lab bench share
 */
#ifndef SCOHORT_BENCH_H
#define SCOHORT_BENCH_H

#include <stddef.h>

/* Times this many waiting jobs, 0: more and more. Prints the results; returns
 * the exit status. */
int bench_scale(size_t waiting);

/* The command: prints, and returns the exit status (exit_status.h). */
int cmd_bench(int argc, char **argv);

#endif /* SCOHORT_BENCH_H */
