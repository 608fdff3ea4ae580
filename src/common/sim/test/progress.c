/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test every eviction is progress: examples of doc/how-it-decides.md, section 6
 *
 * The first three had no end before. src/common/sim/test/worlds.c plays random worlds.
 */
#include "sim_world.h"

struct example {
	const char *told, *times;
	int evictions;
	const char *ends;
};

/* yieldAfterEvictions: 1, maxPreemptions: 3 */
#define RULES " yield=1 max=3 "

static const struct example examples[] = {
	/* fair sharing: y's 1 evicts x's 5, 4 fills what is left, and x's 5 waits */
	{ "site fair\ncohort lab cpu@f=2\nqueue x in lab reclaim=any" RULES "cpu@f=3\n"
	  "queue y in lab reclaim=any" RULES "cpu@f=0\n"
	  "wait a in x cpu=5 at=0\nwait b in y cpu=4 at=10\nwait c in y cpu=1 at=20\n",
	  "a=3600 b=3600,come=10 c=3600,come=20 requeue=121", 1,
	  "3620 end c; 3620 end b; 7220 end a" },
	/* fair sharing: a circle of three */
	{ "site fair\ncohort lab cpu@f=6\nqueue x in lab within=lower reclaim=any" RULES "cpu@f=0\n"
	  "queue y in lab within=lower reclaim=any" RULES "cpu@f=0\n"
	  "wait l in x cpu=2 at=0\nwait h in x cpu=6 prio=5 at=10\nwait b in y cpu=5 at=20\n",
	  "l=3600 h=3600,come=10 b=3600,come=20 requeue=121", 2,
	  "3620 end b; 7220 end h; 10820 end l" },
	/* borrowWithinCohort: x's 6 takes the owner below its quota, which reclaims it */
	{ "cohort lab cpu@f=3\nqueue a in lab reclaim=any borrow=lower" RULES "cpu@f=3\n"
	  "queue x in lab reclaim=any borrow=lower" RULES "cpu@f=0\n"
	  "wait s in a cpu=2 at=0\nwait t in a cpu=4 prio=2 at=10\n"
	  "wait u in x cpu=6 prio=3 at=20\n", "s=3600 t=3600,come=10 u=3600,come=20 requeue=121", 3,
	  "3741 end s; 3741 end t; 7341 end u" },
	/* the fourth run of a job goes on, whoever comes */
	{ "queue q within=lower" RULES "cpu@f=4\nwait a in q cpu=4 at=0\n"
	  "wait b in q cpu=4 prio=9 at=100\nwait c in q cpu=4 prio=9 at=300\n"
	  "wait d in q cpu=4 prio=9 at=500\nwait e in q cpu=4 prio=9 at=700\n",
	  "a=10000 b=100,come=100 c=100,come=300 d=100,come=500 e=100,come=700 requeue=1",
	  3, "200 end b; 400 end c; 600 end d; 10600 end a; 10700 end e" },
	/* owners are never limited: each of their jobs evicts all borrowers */
	{ "cohort lab\nqueue o in lab reclaim=any" RULES "cpu@f=4\n"
	  "queue p in lab reclaim=any" RULES "cpu@f=0\nwait r in p cpu=2\nwait s in p cpu=2\n"
	  "wait a in o cpu=4 at=10\nwait b in o cpu=4 at=20\nwait c in o cpu=4 at=30\n"
	  "wait d in o cpu=4 at=40\nwait e in o cpu=4 at=50\n",
	  "r=900 s=900 a=5,come=10 b=5,come=20 c=5,come=30 d=5,come=40 e=5,come=50 requeue=1",
	  10, "15 end a; 25 end b; 35 end c; 45 end d; 55 end e; 955 end r; 955 end s" },
	/* with a delay of 20 a borrower that ends by then is not evicted, one that does not end is */
	{ "cohort lab\nqueue o in lab reclaim=any delay=20" RULES "cpu@f=4\n"
	  "queue p in lab" RULES "cpu@f=0\nwait r in p cpu=4\nwait a in o cpu=4 at=10\n",
	  "r=30 a=5,come=10", 0, "30 end r; 35 end a" },
	{ "cohort lab\nqueue o in lab reclaim=any delay=20" RULES "cpu@f=4\n"
	  "queue p in lab" RULES "cpu@f=0\nwait r in p cpu=4\nwait a in o cpu=4 at=10\n",
	  "r=90 a=5,come=10 requeue=1", 1, "35 end a; 125 end r" },
	/* if it must be sure, it evicts at once what ends later, and waits for what ends in time */
	{ "cohort lab\nqueue o in lab reclaim=any delay=20 expected" RULES "cpu@f=4\n"
	  "queue p in lab" RULES "cpu@f=0\nwait r in p cpu=4\nwait a in o cpu=4 at=10\n",
	  "r=90 a=5,come=10 requeue=1", 1, "15 end a; 105 end r" },
	{ "cohort lab\nqueue o in lab reclaim=any delay=20 expected" RULES "cpu@f=4\n"
	  "queue p in lab" RULES "cpu@f=0\nwait r in p cpu=4\nwait a in o cpu=4 at=10\n",
	  "r=30 a=5,come=10", 0, "30 end r; 35 end a" },
	/* a turn is twice as long as the one before it: a job that is longer ends */
	{ "queue q within=newer turn=10" RULES "cpu@f=4\nwait a in q cpu=4 at=0\n"
	  "wait b in q cpu=4 at=0\n", "a=60,come=5 b=60,come=5 requeue=1", 6,
	  "211 end a; 271 end b" },
};

static const char *ends_of(const char *log)
{
	static char ends[512];
	char copy[4096], *rest, *event;

	ends[0] = '\0';
	snprintf(copy, sizeof(copy), "%s", log);
	for (event = strtok_r(copy, ";", &rest); event; event = strtok_r(NULL, ";", &rest)) {
		if (!strstr(event, " end "))
			continue;
		snprintf(ends + strlen(ends), sizeof(ends) - strlen(ends), "%s%s",
			 *ends ? "; " : "", event + (*event == ' '));
	}
	return ends;
}

static int evictions_of(const char *log)
{
	int n = 0;

	while ((log = strstr(log, " evict "))) {
		log++;
		n++;
	}
	return n;
}

static void test_examples(void **state)
{
	for (size_t i = 0; i < COUNT(examples); i++) {
		struct sim_world *sw = sim_world_create(examples[i].told, examples[i].times, 0);
		const char *log = sim_world_play(sw, 500);

		if (evictions_of(log) != examples[i].evictions
		    || strcmp(ends_of(log), examples[i].ends))
			fail_msg("case %zu: %d evictions: %s", i, evictions_of(log), log);
		sim_world_destroy(sw);
	}
}

TESTS(cmocka_unit_test(test_examples))
