/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test rules.c - rules that never act on a cluster, or never stop to
 */
#include "patient.h"

/* Two queues of one cohort; %s: keys of the site, then rules and keys of each */
static const char two[] =
	"%s\n"
	"flavors: [{name: f}]\n"
	"cohorts: [{name: c%s}]\n"
	"clusterQueues:\n"
	"- name: a\n"
	"  cohort: c\n"
	"  match: [%s]\n"
	"  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, nominalQuota: "
	"cpu=%s}]}]\n"
	"  %s\n"
	"- name: b\n"
	"  cohort: c\n"
	"  match: [{account: b}]\n"
	"  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, nominalQuota: cpu=4}]}]\n"
	"  %s\n";

#define SITE "priority: qos"
#define ANY "preemption: {reclaimWithinCohort: Any}"
#define DBD "AccountingStorageType   = accounting_storage/slurmdbd\n"
#define NO_DBD "AccountingStorageType   = accounting_storage/none\n"

struct row {
	const char *site, *cohort, *rules, *quota, *first, *second, *want;
};

static struct doctor *row_patient(const struct row *r, const char *settings)
{
	char text[2048];

	snprintf(text, sizeof(text), two, r->site, r->cohort ? r->cohort : "", r->rules, r->quota,
		 r->first, r->second);
	return patient_make(text, settings);
}

static void rows_check(void (*look)(struct doctor *d), const struct row *rows, size_t n,
		       const char *settings)
{
	for (size_t i = 0; i < n; i++) {
		struct doctor *d = row_patient(&rows[i], settings);

		patient_says(d, look, rows[i].want);
		patient_free(d);
	}
}

#define NO_EFFECT "warning SelectTypeParameters: quota for mem has no effect: " \
	"SelectTypeParameters does not allocate memory (CR_Core_Memory, for example, does)\n"

static void memory(void **state)
{
	static const char text[] =
		"flavors: [{name: f}]\n"
		"clusterQueues: [{name: a, match: [{account: a}], resourceGroups: [{"
		"coveredResources: [%s], flavors: [{name: f, nominalQuota: '%s=4'}]}]}]\n";
	static const struct {
		const char *resource, *parameters;
		bool partition;
		const char *want;
	} cases[] = {
		{ "mem", "CR_CORE", false, NO_EFFECT },
		{ "mem", "CR_CPU", false, NO_EFFECT },
		{ "mem", "CR_CORE_MEMORY", false, "" },
		{ "mem", "CR_CORE", true, "" },
		{ "cpu", "CR_CORE", false, "" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char yaml[512], settings[128];
		struct doctor *d;

		snprintf(yaml, sizeof(yaml), text, cases[i].resource, cases[i].resource);
		snprintf(settings, sizeof(settings), "SelectTypeParameters    = %s\n",
			 cases[i].parameters);
		d = patient_make(yaml, settings);
		d->file.cluster.memory_allocated = cases[i].partition;
		patient_says(d, look_memory, cases[i].want);
		patient_free(d);
	}
}

#define DEAD(i) "warning f:7: clusterQueues[0].match[" #i "]: no job can match: without slurmdbd " \
	"there are no QOS, and a user has to be the numeric id\n"
#define ENFORCE "note AccountingStorageEnforce: rules ask for accounts, and users may write any " \
	"account behind --account. With slurmdbd, set AccountingStorageEnforce=associations\n"

static void names_of_rules(void **state)
{
	static const struct row without[] = {
		{ SITE, "", "{qos: high}, {user: eve}, {user: '1000'}, {user: '*'}", "4", ANY, ANY,
		  DEAD(0) DEAD(1) ENFORCE },
		{ SITE, "", "{partition: p}", "4", ANY, ANY, ENFORCE },
	};
	static const struct row with[] = {
		{ SITE, "", "{qos: high}, {user: eve}", "4", ANY, ANY, ENFORCE },
	};
	struct doctor *d = row_patient(&with[0], DBD);

	rows_check(look_accounts, without, COUNT(without), NO_DBD);
	rows_check(look_accounts, with, COUNT(with), DBD);
	d->controller.accounts_needed = true;
	d->controller.private_jobs = true;
	patient_says(d, look_accounts, "");
	d->root = false;
	patient_says(d, look_accounts, "only root may ask slurmctld? do the accounts and QOS of "
		     "rules exist?\nPrivateData has jobs? which queues match the jobs of "
		     "others?\n");
	patient_free(d);
}

#define RECLAIM "warning f:5: clusterQueues[0].preemption.reclaimWithinCohort: never acts: \"a\" " \
	"owns no quota to reclaim, and its borrowing jobs can't evict others. Give it quota or " \
	"borrowWithinCohort, or remove the key\n"
#define BORROW "preemption: {reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority}}"
#define SHARES "warning f:5: clusterQueues[0].preemption.borrowWithinCohort: never acts: with " \
	"fairSharing shares decide instead. Remove one of the two\n"
#define WITHIN "preemption: {withinClusterQueue: LowerPriority}"
#define SAME(name) "warning f:5: clusterQueues[0].preemption.withinClusterQueue: never acts: all " \
	"jobs of \"a\" have the priority of " name ". LowerOrNewerEqualPriority would act, or " \
	"priority: job\n"

static void policies(void **state)
{
	static const char fair[] = "fairSharing: {enable: true}";
	static const struct row rows[] = {
		{ SITE, "", "{account: a}", "0", ANY, ANY, RECLAIM },
		{ SITE, "", "{account: a}", "1", ANY, ANY, "" },
		{ SITE, ", parent: d}, {name: d", "{account: a}", "0", ANY, ANY, "" },
		{ SITE, "", "{account: a}", "0, temporaryQuota: [{begin: Mon, end: Tue, "
		  "nominalQuota: cpu=2}]", ANY, ANY, "" },
		{ SITE, "", "{account: a}", "0", BORROW, ANY, "" },
		{ fair, "", "{account: a}", "0", ANY, ANY, "" },
		{ fair, "", "{account: a}", "0", BORROW, ANY, SHARES },
		{ SITE, "", "{qos: x}, {qos: x, account: y}", "4", WITHIN, ANY, SAME("x") },
		{ SITE, "", "{qos: x}, {qos: y}", "4", WITHIN, ANY, "" },
		{ SITE, "", "{qos: x}, {account: y}", "4", WITHIN, ANY, "" },
		{ SITE, "", "{qos: 'x*'}", "4", WITHIN, ANY, "" },
		{ SITE, "", "{qos: x}", "4", "preemption: {withinClusterQueue: "
		  "LowerOrNewerEqualPriority}", ANY, "" },
		{ "priority: partition", "", "{partition: p}", "4", WITHIN, ANY, SAME("p") },
		{ "priority: partition", "", "{qos: x}", "4", WITHIN, ANY, "" },
		{ "priority: job", "", "{partition: p, qos: x}", "4", WITHIN, ANY, "" },
	};
	static const struct row by_default[] = {
		{ "", "", "{qos: x}", "4", WITHIN, ANY, SAME("x") },
		{ "", "", "{partition: p}", "4", WITHIN, ANY, "" },
	};

	rows_check(look_policies, rows, COUNT(rows), NO_DBD);
	rows_check(look_policies, by_default, COUNT(by_default), DBD);
}

#define NEVER(where, what, time, most) "warning " where ": " what ": " time " never ends, as no " \
	"job may run for more than " most ": the evictions that it delays never happen. Make it " \
	"shorter\n"

/* Partitions p of an hour and q of two */
static void times(void **state)
{
	static const char turns[] = "preemption: {withinClusterQueue: LowerOrNewerEqualPriority, "
		"withinClusterQueueConfig: {minAdmitDuration: 2h}}";
	static const struct row rows[] = {
		{ "minRuntime: {reclaim: 2h, preempt: 1h}", "", "{account: a}", "4", ANY, ANY,
		  NEVER("f", "minRuntime.reclaim", "2:00:00", "2:00:00") },
		{ "minRuntime: {reclaim: 1h, preempt: 3h}", "", "{account: a}", "4", ANY, ANY,
		  NEVER("f", "minRuntime.preempt", "3:00:00", "2:00:00") },
		{ SITE, ", reclaimMinRuntime: 2h, preemptMinRuntime: 119m", "{account: "
			"a}", "4", ANY,
		  ANY, NEVER("f", "reclaimMinRuntime of c", "2:00:00", "2:00:00") },
		{ SITE, "", "{partition: p}", "4", "reclaimMinRuntime: 1h", ANY,
		  NEVER("f:5", "reclaimMinRuntime of a", "1:00:00", "1:00:00") },
		{ SITE, "", "{partition: p}", "4", "preemptMinRuntime: 90m", ANY,
		  NEVER("f:5", "preemptMinRuntime of a", "1:30:00", "1:00:00") },
		{ SITE, "", "{partition: p}, {partition: q}", "4", "reclaimMinRuntime: "
			"1h", ANY, "" },
		{ SITE, "", "{account: a}", "4", "reclaimMinRuntime: 1h", ANY, "" },
		{ SITE, "", "{partition: 'q*'}", "4", turns, ANY,
		  NEVER("f:5", "minAdmitDuration of a", "2:00:00", "2:00:00") },
		{ SITE, "", "{partition: p}", "4", "reclaimMinRuntime: 59m", ANY, "" },
	};
	int64_t longest[] = { 3600, 7200 };
	char *names[] = { "p", "q" };

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct doctor *d = row_patient(&rows[i], DBD);

		d->file.cluster.partitions = (struct cluster_names) { true, names, 2 };
		d->file.cluster.longest = longest;
		patient_says(d, look_times, rows[i].want);
		/* a partition without limit */
		longest[1] = INT64_MAX;
		if (strcmp(rows[i].rules, "{partition: p}") != 0)
			patient_says(d, look_times, "");
		longest[1] = 7200;
		patient_free(d);
	}
}

/* Partitions p of an hour and q of two days */
static void window(void **state)
{
	static const char want[] = "note SchedulerParameters: bf_window is 1440 minutes, and jobs "
		"may run for 2-00:00:00: plannedJobs plans no job whose quota comes after "
		"bf_window. Set it to the longest time limit\n";
	static const struct {
		const char *site, *parameters, *want;
		int64_t longest;
	} cases[] = {
		{ "plannedJobs: 1", "(null)", want, 172800 },
		{ "plannedJobs: 1", "defer,bf_window=1440", want, 172800 },
		{ "plannedJobs: 1", "defer,bf_window=2880", "", 172800 },
		{ "plannedJobs: 1", "(null)", "", 86400 },
		{ "plannedJobs: 1", "(null)", "", INT64_MAX },
		{ "plannedJobs: 0", "(null)", "", 172800 },
		{ SITE, "(null)", "", 172800 },
	};
	char *names[] = { "p", "q" };

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct row row = { cases[i].site, "", "{account: a}", "4", ANY, ANY, "" };
		int64_t longest[] = { 3600, cases[i].longest };
		char settings[128];
		struct doctor *d;

		snprintf(settings, sizeof(settings), "SchedulerParameters     = %s\n",
			 cases[i].parameters);
		d = row_patient(&row, settings);
		d->file.cluster.partitions = (struct cluster_names) { true, names, 2 };
		d->file.cluster.longest = longest;
		patient_says(d, look_window, cases[i].want);
		patient_free(d);
	}
}

static void evict_one_another(void **state)
{
	static const char want[] =
		"warning f:5: jobs of \"a\" and \"b\" may evict one another again and again: "
		"yieldAfterEvictions and maxPreemptions of both are 0. Set one of them\n";
	static const char fair[] = "fairSharing: {enable: true}";
	static const char none[] = ANY "\n  yieldAfterEvictions: 0\n  maxPreemptions: 0";
	static const char borrow[] = BORROW "\n  yieldAfterEvictions: 0\n  maxPreemptions: 0";
	static const char never[] = "yieldAfterEvictions: 0\n  maxPreemptions: 0";
	static const char yields[] = BORROW "\n  maxPreemptions: 0";
	static const char some[] = BORROW "\n  yieldAfterEvictions: 0";
	static const struct row rows[] = {
		{ fair, "", "{account: a}", "4", none, none, want },
		{ SITE, "", "{account: a}", "4", borrow, borrow, want },
		{ SITE, "", "{account: a}", "4", none, none, "" },
		{ SITE, "", "{account: a}", "4", borrow, BORROW, "" },
		{ SITE, "", "{account: a}", "4", borrow, some, "" },
		{ SITE, "", "{account: a}", "4", borrow, yields, "" },
		{ fair, "", "{account: a}", "4", none, never, "" },
		{ SITE, "}, {name: d", "{account: a}", "4", borrow, borrow, want },
	};
	static const char apart[] =
		"fairSharing: {enable: true}\n"
		"flavors: [{name: f}]\n"
		"cohorts: [{name: c}, {name: d}]\n"
		"clusterQueues:\n"
		"- {name: a, cohort: c, match: [{account: a}], preemption: {reclaimWithinCohort: "
		"Any}, yieldAfterEvictions: 0, maxPreemptions: 0}\n"
		"- {name: b, cohort: d, match: [{account: b}], preemption: {reclaimWithinCohort: "
		"Any}, yieldAfterEvictions: 0, maxPreemptions: 0}\n";

	rows_check(look_mutual, rows, COUNT(rows), "");
	look_says(look_mutual, apart, "", "");
}

TESTS(cmocka_unit_test(memory), cmocka_unit_test(names_of_rules), cmocka_unit_test(policies),
      cmocka_unit_test(times), cmocka_unit_test(window),
      cmocka_unit_test(evict_one_another))
