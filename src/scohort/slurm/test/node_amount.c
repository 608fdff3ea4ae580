/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test node_amount.c - GRES in the words of a node record
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "slurm/node_amount.h"

static void gres(void **state)
{
	static const struct {
		const char *list, *name, *type;
		int64_t amount;
	} of[] = {
		{ NULL, "gpu", NULL, 0 },
		{ "", "gpu", NULL, 0 },
		{ "gpu:4", "gpu", NULL, 4 },
		{ "gpu:4", "gpu", "a100", 0 },
		{ "gpu:4", "gp", NULL, 0 },
		{ "gpu:4(S:0-1)", "gpu", NULL, 4 },
		{ "gpu:a100:4", "gpu", NULL, 4 },
		{ "gpu:a100:4", "gpu", "a100", 4 },
		{ "gpu:a100:4", "gpu", "a10", 0 },
		{ "gpu:a10:4", "gpu", "a100", 0 },
		{ "gpu:a100:4(S:0-1),gpu:v100:2(S:0)", "gpu", NULL, 6 },
		{ "gpu:a100:4(S:0-1),gpu:v100:2(S:0)", "gpu", "v100", 2 },
		{ "gpu:1g.5gb:7", "gpu", "1g.5gb", 7 },
		{ "gpu:2080:3", "gpu", "2080", 3 },
		{ "gpu:a100", "gpu", "a100", 1 },
		{ "shard:8,gpu:2", "gpu", NULL, 2 },
		{ "shard:8,gpu:2", "shard", NULL, 8 },
	};

	(void) state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (gres_count(of[i].list, of[i].name, of[i].type) !=
		    of[i].amount)
			fail_msg("%s of %s: not %lld", of[i].name,
				 of[i].list ? of[i].list : "nothing",
				 (long long) of[i].amount);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gres),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
