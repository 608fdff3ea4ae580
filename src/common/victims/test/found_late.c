/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test found_late - with fair sharing, worlds in which a search once missed a queue
 *
 * A search comes to queues as it needs them, and passes over those of which it knows a
 * bound. In each of these the bound, or the moment, was wrong. The answers are those of
 * a search that opens all queues (src/common/test/plain.c).
 */
#include "world.h"

static const struct world_case cases[] = {
	/* a member of a unit goes out of b, which then borrows nothing of what is needed: its other
	 * job still is a candidate */
	{ "site fair\ncohort c\n"
	  "queue p in c reclaim=any weight=100 cpu@f=10 mem@f=5\n"
	  "queue a in c cpu@f=0 mem@f=0\n"
	  "queue b in c weight=2 cpu@f=2 mem@f=0\n"
	  "run a1 in a cpu@f=4 since=1\nrun a2 in a cpu@f=4 prio=1 since=1\n"
	  "run b1 in b cpu@f=3 since=1\n"
	  "run b2 in b cpu@f=1 mem@f=5 prio=1 since=1\nunit a1 b1\n"
	  "wait x in p cpu=12 prio=5\n",
	  100, "x:preempting(a1/InCohortFairSharing b2/InCohortFairSharing"
	  " a2/InCohortFairSharing)" },
	/* more kinds than are told apart, in d and in o above it: the least of y is not lost */
	{ "site fair\ncohort r cpu@f=89 cpu@g=100 mem@f=1000 gpu@f=1000\n"
	  "cohort o in r\ncohort a0 in o\ncohort d in o\n"
	  "queue p in r reclaim=any cpu@f=0\n"
	  "queue z in a0 cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue k1 in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue k2 in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue k3 in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue k4 in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue k5 in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue k6 in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue k7 in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue k8 in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue k9 in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "queue y in d cpu@f=0 cpu@g=0 mem@f=0 gpu@f=0\n"
	  "run jz in z gpu@f=1 cpu@f=3 cpu@g=3 since=1\n"
	  "run j1 in k1 gpu@f=1 mem@f=7 cpu@f=3 cpu@g=3 since=1\n"
	  "run j2 in k2 gpu@f=2 mem@f=6 cpu@f=3 cpu@g=3 since=1\n"
	  "run j3 in k3 gpu@f=3 mem@f=5 cpu@f=3 cpu@g=3 since=1\n"
	  "run j4 in k4 gpu@f=4 mem@f=4 cpu@f=3 cpu@g=3 since=1\n"
	  "run j5 in k5 gpu@f=5 mem@f=3 cpu@f=3 cpu@g=3 since=1\n"
	  "run j6 in k6 gpu@f=6 mem@f=2 cpu@f=3 cpu@g=3 since=1\n"
	  "run j7 in k7 gpu@f=7 mem@f=1 cpu@f=3 cpu@g=3 since=1\n"
	  "run j8 in k8 cpu@f=6 since=1\nrun j9 in k9 cpu@g=6 since=1\n"
	  "run jy in y cpu@f=2 cpu@g=2 since=1\n"
	  "run own in p cpu@f=57 since=1\nwait x in p cpu=2 prio=5\n",
	  100, "x:preempting(jy/InCohortFairSharing)" },
	/* n reserves less than nothing, as it is above its borrowing limit: then it uses less than
	 * its job, and the cohorts above are not told */
	{ "site fair\ncohort r cpu@f=95\ncohort o in r\n"
	  "queue p in r reclaim=any cpu@f=0\n"
	  "queue q in r reclaim=any cpu@f=16\nqueue w in r cpu@f=0\n"
	  "queue n in o reclaim=lower cpu@f=0+6\nqueue m in o cpu@f=0\n"
	  "run h in n cpu@f=10 since=1\nrun jm in m cpu@f=20 since=1\n"
	  "run v in w cpu@f=6 since=1\n"
	  "run u in w cpu@f=44 prio=1 since=1 exempt=-1\n"
	  "run jp in p cpu@f=10 since=1\n"
	  "run jq in p cpu@f=21 prio=1 since=1\nwait y in q cpu=16 prio=5\n"
	  "wait z in n cpu=1 prio=0\nwait x in p cpu=1 prio=5\n",
	  100, "y:preempting(v/InCohortReclamation jp/InCohortReclamation)"
	  " z:noCandidates x:preempting(h/InCohortFairSharing)" },
	/* where usage counts: of equal shares, the queue with the better first candidate by usage */
	{ "site fair lhalf=3600 sampling=60 worth=cpu*1\ncohort r cpu@f=34\n"
	  "cohort k in r weight=2\n"
	  "queue p in k reclaim=any weight=2 cpu@f=0\nqueue s in k cpu@f=0\n"
	  "queue a in r usage cpu@f=0\nqueue b in r usage cpu@f=0\n"
	  "run js in s cpu@f=14 since=1\n"
	  "run a1 in a cpu@f=5 prio=0 local=1 since=1\n"
	  "run a2 in a cpu@f=5 prio=2 local=2 since=1\n"
	  "run b1 in b cpu@f=5 prio=1 local=1 since=1\n"
	  "run b2 in b cpu@f=5 prio=3 local=2 since=1\nlocal a 1 cpu=1\n"
	  "local a 2 cpu=50\nlocal b 1 cpu=1\nlocal b 2 cpu=50\n"
	  "wait x in p cpu=15 prio=9\n",
	  100, "x:preempting(js/InCohortFairSharing a2/InCohortFairSharing)" },
};

static void test_cases(void **state)
{
	(void) state;
	world_cases(cases, COUNT(cases), world_cycle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
