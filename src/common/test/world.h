/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world.h - engines for tests, described and asked in words
 *
 * One statement a line; amounts and times are plain numbers:
 *
 *   site fair | kueue | norecompute | nopartial | preempt=N | reclaim=N |
 *        resolve=queue | first=final|initial | second=initial|none |
 *        half=N k=X margin=X | lhalf=N sampling=N worth=RES*X	(history)
 *   cohort NAME [in PARENT] [weight=N] [pmin=N] [rmin=N] [QUOTA..]
 *   queue NAME [in COHORT] [strict] [hold] [drain] [inactive] [weight=N]
 *        [within=P] [reclaim=P] [borrow=P] [threshold=N] [canborrow=next]
 *        [canpreempt=stop] [prefer=preempt] [turn=N] [pmin=N] [rmin=N]
 *        [max=N] [yield=N] [delay=N] [expected] [cap=cohort] [usage] [QUOTA..] [| QUOTA..]	a bar begins
 *        another resource group
 *   period NODE RES@FLAVOR=NOMINAL from=N until=N	its quota for that time
 *   run NAME in QUEUE [CHARGE..] [prio=N] [at=N] [since=N] [evicting]
 *        [cost=N] [exempt=N] [settled] [ends=N]	exempt=-1: for ever
 *        [times=N] [turns=N]	how often it was evicted, or its turn was over; so for
 *        [reclaimed=N]	wait and update; all by pure reclaims
 *        [elastic=N needs=M]	of a group N that needs M of its members
 *        [fixed] [members=N]	non-preemptible; N at a time of all that have
 *        this word; so for wait and update
 *   wait NAME in QUEUE [RES=N..] [prio=N] [at=N] [tasks=N] [starts=N]
 *        [local=N] [count=N] [min=N] [group=N] [not=FLAVOR] [follower]
 *        [| next pod set]
 *        behind RES=N.. RES@FLAVOR=N: another amount in that flavor
 *   start NAME [CHARGE..] [since=N]	requeue NAME [at=N]	remove NAME
 *   evicting NAME [no]	own NAME [CHARGE..]	disown NAME
 *   fix NAME [no]	it becomes non-preemptible, if the cap allows that
 *   keep NAME [no]	it was non-preemptible before, as the caller remembers
 *   blocked NAME [no]	pause NAME for=N
 *   update NAME ...as wait...
 *   either NAME NAME..		together NAME NAME..	(bonds)
 *   unit NAME NAME..		running ones that go together
 *   now N			the time of events that follow
 *   past NODE RES=X..		its history is that now
 *   local QUEUE N [weight=X] [RES=X..]	that of a local queue
 *   exempt NAME N		elastic NAME GROUP NEEDS	its terms from now on
 *
 * Questions, with the answer that they must have (what world_plan() and so on write):
 *   plan NOW ANSWER		cycle NOW ANSWER
 *   nominate NAME NOW ANSWER	victims NAME ANSWER		those of the verdict
 *   fixed NAMES	owners NAMES	settled NAMES	all that are non-preemptible, own quota ..
 *   expiry N			the plan holds until then; 0: for ever
 *
 * QUOTA: RES@FLAVOR=NOMINAL[+BORROWING][-LENDING]; CHARGE: RES@FLAVOR=N;
 * P: never, empty, lower, newer, any. The site, cohorts and queues come before
 * the first workload. Whatever cannot be understood fails the test.
 */
#ifndef COHORT_TEST_WORLD_H
#define COHORT_TEST_WORLD_H

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "test/inside/steps.h"
#include "test/tests.h"

#define WORLD_WORKLOADS 96

struct world {
	struct spec *spec;
	struct engine *engine;		/* created with the first workload */
	struct workload *workloads[WORLD_WORKLOADS];
	char names[WORLD_WORKLOADS][16];
	size_t nworkloads;
	char text[4096];		/* of the last answer */
};

struct world *world_create(const char *text);
void world_destroy(struct world *world);

/* Adds more statements */
void world_tell(struct world *world, const char *text);

struct engine *world_engine(struct world *world);
struct workload *world_workload(const struct world *world, const char *name);
const char *world_name(const struct world *world, const struct workload *w);

/* "cpu@f=3 gpu@g=1": returns how many */
size_t world_charges(const struct world *world, const char *text, struct charge *charges);

const struct verdict *world_verdict(const struct world *world, const char *name);

/* Of the queue or cohort, as its ledger says */
int64_t world_used(const struct world *world, bool is_cohort, int node, int flavor, int resource);

/* "x y": those that are so, whether they wait or run */
const char *world_names(struct world *world, bool (*is)(const struct workload *w));

/* Plans; "a=start#1 b=preempt#2(1) c=wait:order" for all that wait, in the
 * order of their appearance */
const char *world_plan(struct world *world, int64_t now);

/* One cycle; "a:admitted b:preempting(x/InClusterQueue)" in order */
const char *world_cycle(struct world *world, int64_t now);

/* "NAME/REASON .." */
const char *world_victims(struct world *world, const struct victim *victims, size_t n);

/* "fit cpu@f=3" or "preempt+1 cpu@f=3 for x/InClusterQueue" (+level) */
const char *world_nominate(struct world *world, const char *name, int64_t now);
const char *world_nominate_x(struct world *world, int64_t now);

/* Flavors of x alone: "fit+1 [cpu@f#-1 mem@f#-1+1]", pod set by pod set with tried index and level;
 * "!" after a resource that needs preemption, [-] without flavors */
const char *world_assign(struct world *world, int64_t now);

/* Which of the victims of the world are left when x gets these charges; those with keep[i] stay */
struct needless_case {
	const char *charges;
	bool keep[3];
	const char *left;
};
void needless_cases(const char *told, const char *victims, enum victim_reason reason,
		    const struct needless_case *cases, size_t n);

/* Victims for a workload that wants all these charges and needs preemption for each of them */
const char *world_targets(struct world *world, const char *name, const char *charges, int64_t now);

/* Statements and questions, each in a world of its own */
void world_stories(const char *const *stories, size_t n);

/* A case of a table: statements, and the answer to them */
struct world_case {
	const char *told;
	int64_t now;
	const char *answer;
};
struct target_case {
	const char *told;		/* x is the preemptor */
	int64_t now;
	const char *charges;
	const char *answer;
};
void target_cases(const struct target_case *cases, size_t n);

void world_cases(const struct world_case *cases, size_t n,
		 const char *(*ask)(struct world *world, int64_t now));

#endif /* COHORT_TEST_WORLD_H */
