/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz import - manifests of Kueue: written as cohort.yaml, and read again
 */
#include <getopt.h>

#include "cli/commands.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *file = (char *) (uintptr_t) input_file(data, size);
	char name[] = "scohort import";
	char *argv[] = { name, file, NULL };

	optind = 0;	/* getopt() begins anew */
	cmd_import(2, argv);
	return 0;
}
