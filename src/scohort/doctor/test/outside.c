/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test outside.c - jobs outside all queues, and what they hold
 */
#include "patient.h"

/* a100: n1 and n2, with 8 CPUs and 2 GPUs each; all: also n3 with 8 CPUs */
static const char yaml[] =
	"flavors: [{name: a100, features: a100}, {name: all}]\n"
	"cohorts: [{name: c}]\n"
	"clusterQueues:\n"
	"- name: a\n"
	"  cohort: c\n"
	"  match: [{account: a}]\n"
	"  resourceGroups:\n"
	"  - coveredResources: [cpu, mem, gres/gpu]\n"
	"    flavors:\n"
	"    - {name: a100, nominalQuota: 'cpu=8,mem=0,gres/gpu=3'}\n"
	"    - {name: all, nominalQuota: 'cpu=6,mem=2G,gres/gpu=0'}\n";

/* [flavor][resource]: cpu, mem, gres/gpu */
static int64_t totals[] = { 16, 8192, 4, 24, 12288, 4 };
static char *nodes[] = { "n1,n2", "n1,n2,n3" };

static void jobs_say(struct view *jobs, size_t n, const char *want)
{
	struct doctor *d = patient_make(yaml, "");

	d->file.cluster.totals = totals;
	d->file.cluster.flavor_nodes = nodes;
	d->file.cluster.nflavors = 2;
	d->file.cluster.jobs = (struct view_list) { .views = jobs, .n = n };
	patient_says(d, look_outside, want);
	patient_free(d);
}

static void nobody(void **state)
{
	struct view jobs[] = {
		{ .account = "a", .state = VIEW_RUNNING, .nodes = "n1", .tres_given = "cpu=8" },
		{ .account = "x", .state = VIEW_PENDING },
		{ .account = "x", .state = VIEW_DONE, .nodes = "n1", .tres_given = "cpu=8" },
		/* nodes of no flavor, and nothing that quota counts */
		{ .account = "x", .state = VIEW_RUNNING, .nodes = "n9", .tres_given = "cpu=8" },
		{ .account = "x", .state = VIEW_RUNNING, .nodes = "n1", .tres_given = "node=1" },
	};

	jobs_say(jobs, COUNT(jobs), "");
}

#define HOLD(f, jobs, amounts, name) "f:1: flavors[" f "]: " jobs " outside all cluster queues " \
	amounts " of \"" name "\""
#define BESIDE "; owners can have all that they own beside that\n"

static void beside_all_quota(void **state)
{
	struct view jobs[] = {
		{ .account = "x", .state = VIEW_RUNNING, .nodes = "n[1-2]",
		  .tres_given = "cpu=7,mem=4G,gres/gpu=1" },
		{ .account = "x", .state = VIEW_SUSPENDED, .nodes = "n1", .tres_given = "cpu=1" },
		{ .account = "x", .state = VIEW_RUNNING, .nodes = "n3",
		  .tres_given = "cpu=8,mem=1.50G" },
	};

	jobs_say(jobs, COUNT(jobs),
		 "note " HOLD("0", "2 jobs", "hold 8 cpu, 1 gres/gpu", "a100") BESIDE
		 "note " HOLD("1", "3 jobs", "hold 16 cpu, 5.5G of mem", "all") BESIDE);
}

/* Two of three nodes are of a100. */
static void across_flavors(void **state)
{
	struct view jobs[] = {
		{ .account = "x", .state = VIEW_RUNNING, .nodes = "n[1-3]",
		  .tres_given = "cpu=6,gres/gpu=0" },
	};

	jobs_say(jobs, 1, "note " HOLD("0", "1 job", "holds 4 cpu", "a100") BESIDE
		 "note " HOLD("1", "1 job", "holds 6 cpu", "all") BESIDE);
}

static void what_owners_lack(void **state)
{
	/* without a database GPUs are told apart from TRES */
	struct view jobs[] = {
		{ .account = "x", .state = VIEW_RUNNING, .nodes = "n1", .tres_given = "cpu=4",
		  .gres_given = "gpu:2" },
		{ .account = "x", .state = VIEW_RUNNING, .nodes = "n2", .tres_given = "cpu=5" },
	};

	jobs_say(jobs, COUNT(jobs),
		 "warning " HOLD("0", "2 jobs", "hold 9 cpu, 2 gres/gpu", "a100") ": owners can't "
		 "have 1 of 8 cpu, 1 of 3 gres/gpu that they own before these jobs end. Have a "
		 "queue match such jobs, or lower quotas\n"
		 "note " HOLD("1", "2 jobs", "hold 9 cpu", "all") BESIDE);
}

TESTS(cmocka_unit_test(nobody), cmocka_unit_test(beside_all_quota),
      cmocka_unit_test(across_flavors), cmocka_unit_test(what_owners_lack))
