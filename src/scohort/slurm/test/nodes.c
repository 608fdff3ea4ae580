/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test nodes.c - GRES in the words of a node record
 */
#include "slurm/nodes.h"
#include "test/tests.h"

static void gres(void **state)
{
	static const struct {
		const char *list, *resource;
		int64_t amount;
	} of[] = {
		{ NULL, "gres/gpu", 0 },
		{ "", "gres/gpu", 0 },
		{ "gpu:4", "gres/gpu", 4 },
		{ "gpu:4", "gres/gpu:a100", 0 },
		{ "gpu:4", "gres/gp", 0 },
		{ "gpu:4(S:0-1)", "gres/gpu", 4 },
		{ "gpu:a100:4", "gres/gpu", 4 },
		{ "gpu:a100:4", "gres/gpu:a100", 4 },
		{ "gpu:a100:4", "gres/gpu:a10", 0 },
		{ "gpu:a10:4", "gres/gpu:a100", 0 },
		{ "gpu:a100:4(S:0-1),gpu:v100:2(S:0)", "gres/gpu", 6 },
		{ "gpu:a100:4(S:0-1),gpu:v100:2(S:0)", "gres/gpu:v100", 2 },
		{ "gpu:1g.5gb:7", "gres/gpu:1g.5gb", 7 },
		{ "gpu:2080:3", "gres/gpu:2080", 3 },
		{ "gpu:a100", "gres/gpu:a100", 1 },
		{ "shard:8,gpu:2", "gres/gpu", 2 },
		{ "shard:8,gpu:2", "gres/shard", 8 },
		{ "shard:8,gpu:2", "cpu", 3 },
		{ "shard:8,gpu:2", "mem", 5 },
		{ "shard:8,gpu:2", "node", 1 },
		{ "shard:8,gpu:2", "license/a", -1 },
	};

	for (size_t i = 0; i < COUNT(of); i++)
		if (node_amount(of[i].resource, 3, 5, of[i].list) != of[i].amount)
			fail_msg("%s of %s: not %lld", of[i].resource,
				 of[i].list ? of[i].list : "nothing", (long long) of[i].amount);
}

TESTS(cmocka_unit_test(gres))
