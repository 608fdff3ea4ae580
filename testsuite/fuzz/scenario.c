/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz scenario - lines of engine-lab eval, answered and checked
 */
#include <getopt.h>

#include "commands.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *file = (char *) (uintptr_t) input_file(data, size);
	char name[] = "engine-lab eval", check[] = "--check";
	char *answer[] = { name, file, NULL };
	char *compare[] = { name, check, file, NULL };

	optind = 0;	/* getopt() begins anew */
	cmd_eval(2, answer);
	optind = 0;
	cmd_eval(3, compare);
	return 0;
}
