/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test room.c - what a job wants of nodes, and what they have free
 */
#include "story/room.h"
#include "test/tests.h"

/* ---- what the job asks for ---- */

/* What can't be read, or is too much, is left out. */
static void test_nonsense(void **state)
{
	static const char *const texts[] = {
		NULL, "", ",", "=", "cpu", "cpu=", "cpu=0", "cpu=-4", "=4",
		"billing=4", "node=2", "cpu=1e300", "mem=nan",
	};
	struct room_want want;

	for (size_t i = 0; i < COUNT(texts); i++) {
		room_want_make(&want, 0, false, texts[i], NULL, "");
		assert_int_equal(want.nodes, 1);
		assert_int_equal(want.n, 0);
	}
	room_want_make(&want, 1, false, NULL, ",", ":,gres:,gres/,=,gpu:,gpu:0");
	assert_int_equal(want.n, 0);
	room_want_make(&want, 1, false, NULL, "gres", NULL);
	assert_int_equal(want.n, 1);
	room_want_make(&want, 1, false, NULL, NULL, "a,b,c,d,e,f,g,h,i,j,k");
	assert_int_equal(want.n, ROOM_MAX);
}

static void test_want(void **state)
{
	static const struct {
		int64_t nodes;
		const char *tres, *per_job, *per_node, *resource;
		size_t n;		/* that there are */
		int64_t amount;		/* of that one */
	} cases[] = {
		{ 1, "cpu=4,mem=8G,node=1,billing=4", NULL, NULL, "cpu", 2, 4 },
		{ 1, "cpu=4,mem=1.50G", NULL, NULL, "mem", 2, 1536 },
		{ 2, "cpu=4,mem=300M", NULL, NULL, "mem", 2, 150 },
		{ 2, "cpu=5", NULL, NULL, "cpu", 1, 3 },
		{ 2, "cpu=2,gres/gpu=4", NULL, "gres:gpu:9", "gres/gpu", 2, 2 },
		{ 2, "cpu=2", NULL, "gres:gpu:a100:2", "gres/gpu:a100", 2, 2 },
		{ 2, "cpu=2", NULL, "gres/gpu:a100=2", "gres/gpu:a100", 2, 2 },
		{ 2, "cpu=2", "gres:gpu:3", NULL, "gres/gpu", 2, 2 },
		{ 2, "cpu=2", NULL, "gres:gpu", "gres/gpu", 2, 1 },
		{ 2, "cpu=2", NULL, "gres:gpu:a100", "gres/gpu:a100", 2, 1 },
	};
	struct room_want want;

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t k = 0;

		room_want_make(&want, cases[i].nodes, false, cases[i].tres,
			       cases[i].per_job, cases[i].per_node);
		assert_int_equal(want.n, cases[i].n);
		while (k + 1 < want.n && strcmp(want.list[k].resource, cases[i].resource) != 0)
			k++;
		assert_string_equal(want.list[k].resource, cases[i].resource);
		assert_int_equal(want.list[k].amount, cases[i].amount);
	}
}

/* ---- what nodes have ---- */

static struct node_view views[] = {
	{ "n1", true, 8, 8, 1000, 1000, "gpu:a100:4(S:0-1),shard:8",
	  "gpu:a100:3(IDX:0,1,2),shard:0", -1 },
	{ "n2", true, 8, 2, 1000, 1000, "gpu:a100:2,gpu:v100:2",
	  "gpu:a100:0(IDX:N/A),gpu:v100:1(IDX:2)", -1 },
	{ "n3", true, 8, 4, 1000, 100, NULL, NULL, -1 },
	{ "n4", false, 64, 64, 9999, 9999, "gpu:64", NULL, -1 },
	{ "n5", true, 32, 32, 9999, 9999, NULL, NULL, 1000 },
};
static const struct node_view_list all = { views, 5, NULL };

static void test_look(void **state)
{
	static const struct {
		int64_t nodes;
		bool whole;
		const char *tres, *among, *lacks;
		int64_t together, owned;
	} cases[] = {
		/* a node that is down has nothing */
		{ 1, false, "cpu=9", NULL, "cpu 9 8 0", 0, 0 },
		{ 1, false, "cpu=8", NULL, "", 1, 0 },
		{ 2, false, "cpu=16", NULL, "cpu 8 8 1", 1, 0 },
		{ 1, false, "cpu=4", "n[2-4]", "", 1, 0 },
		/* nodes of another user are not free, whatever is idle there */
		{ 1, false, "cpu=9", "n[1-5]", "cpu 9 8 0", 0, 1 },
		{ 1, false, "cpu=9", "n5", "", 0, 1 },
		{ 1, false, "cpu=8", "n[2-4]", "cpu 8 4 0", 0, 0 },
		{ 2, true, "cpu=2", NULL, "node 1 1 1", 1, 0 },
		{ 1, false, "gres/gpu=3", NULL, "", 1, 0 },
		{ 1, false, "gres/gpu=4", NULL, "gres/gpu 4 3 0", 0, 0 },
		{ 1, false, "gres/gpu:v100=2", NULL, "gres/gpu:v100 2 1 0", 0, 0 },
		{ 1, false, "gres/gpu:h100=1", NULL, "gres/gpu:h100 1 0 0", 0, 0 },
		/* all are named, the scarcest first: fewer nodes have it */
		{ 3, false, "cpu=12,mem=3000M,gres/gpu=3", NULL,
		  "mem 1000 1000 2, cpu 4 8 2, gres/gpu 1 3 2", 1, 0 },
		{ 3, false, "cpu=9,mem=3000M,gres/gpu=9", NULL,
		  "gres/gpu 3 3 1, mem 1000 1000 2, cpu 3 8 2", 0, 0 },
		/* none is alike: that of which a smaller part is there */
		{ 1, false, "cpu=16,gres/gpu=4", NULL, "cpu 16 8 0, gres/gpu 4 3 0", 0, 0 },
		/* and as scarce: GRES, memory, CPUs */
		{ 1, false, "cpu=16,mem=2000M,gres/gpu=6", NULL,
		  "gres/gpu 6 3 0, mem 2000 1000 0, cpu 16 8 0", 0, 0 },
		/* enough of each, on other nodes */
		{ 1, false, "cpu=8,gres/gpu=3", NULL, "", 0, 0 },
	};
	char got[256];

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct room_lack lacks[ROOM_MAX];
		struct room_want want;
		size_t n, used = 0;
		int64_t together, owned;

		room_want_make(&want, cases[i].nodes, cases[i].whole, cases[i].tres, NULL, NULL);
		together = room_look(&want, &all, cases[i].among, lacks, &n, &owned);
		got[0] = '\0';
		for (size_t k = 0; k < n; k++)
			used += (size_t) snprintf(got + used, sizeof(got) - used,
				"%s%s %ld %ld %ld", k ? ", " : "",
				lacks[k].resource, (long) lacks[k].need,
				(long) lacks[k].largest, (long) lacks[k].nodes);
		assert_string_equal(got, cases[i].lacks);
		assert_int_equal(together, cases[i].together);
		if (cases[i].among)
			assert_int_equal(owned, cases[i].owned);
	}
}

TESTS(cmocka_unit_test(test_nonsense), cmocka_unit_test(test_want), cmocka_unit_test(test_look))
