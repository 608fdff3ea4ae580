/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * implied.c - what a key means that is left out
 *
 * As cohort.yaml(5) has it. Amounts of quota are in quotas.c.
 */
#include <string.h>

#include "diff/diff.h"

static const struct {
	const char *key, *text;
} implied[] = {
	{ "enforcement", "enforce" },
	{ "priority", "qos with slurmdbd, else partition" },
	{ "localQueue", "account" },
	{ "preemptorTimeout", "5m" },
	{ "packBorrowers", "true" },
	{ "lentNodeWeight", "1" },
	{ "planBudget", "800000" },
	{ "plannedJobs", "0" },
	{ "lossWeights", "{cpu: 1}" },
	{ "unmanaged.preemption", "none" },
	{ "visibility.updateInterval", "5s" },
	{ "visibility.maxPosition", "4000" },
	{ "visibility.comments", "true" },
	{ "visibility.adminComments", "false" },
	{ "visibility.publish", "cohort_status.json in StateSaveLocation" },
	{ "events.enable", "true" },
	{ "events.file", "cohort_events.jsonl in StateSaveLocation" },
	{ "events.maxMegabytes", "16" },
	{ "events.keep", "4" },
	{ "notify.timeLimit", "30s" },
	{ "notify.atOnce", "4" },
	{ "minRuntime.preempt", "0" },
	{ "minRuntime.reclaim", "0" },
	{ "minRuntime.resolve", "lca" },
	{ "fairSharing.enable", "false" },
	{ "fairSharing.preemptionStrategies", "both" },
	{ "fairSharing.usageHalfLifeTime", "0" },
	{ "fairSharing.kValue", "1" },
	{ "fairSharing.historyMargin", "0.25, below kValue" },
	{ "fairSharing.weight", "1" },
	{ "admissionFairSharing.usageHalfLifeTime", "0" },
	{ "admissionFairSharing.usageSamplingInterval", "5m" },
	{ "admissionFairSharing.usageFrom", "cohort" },
	{ "preemptMinRuntime", "that of the cohort, or of minRuntime" },
	{ "reclaimMinRuntime", "that of the cohort, or of minRuntime" },
	{ "queueingStrategy", "BestEffortFIFO" },
	{ "stopPolicy", "None" },
	{ "admissionScope.admissionMode", "NoAdmissionFairSharing" },
	{ "maxPreemptions", "3" },
	{ "yieldAfterEvictions", "1" },
	{ "nonPreemptible.byUser", "false" },
	{ "nonPreemptible.scope", "ClusterQueue" },
	{ "flavorFungibility.whenCanBorrow", "MayStopSearch" },
	{ "flavorFungibility.whenCanPreempt", "TryNextFlavor" },
	{ "flavorFungibility.preference", "BorrowingOverPreemption" },
	{ "preemption.withinClusterQueue", "Never" },
	{ "preemption.withinClusterQueueConfig.minAdmitDuration",
	  "no turns" },
	{ "preemption.reclaimWithinCohort", "Never" },
	{ "preemption.borrowWithinCohort.policy", "Never" },
	{ "preemption.borrowWithinCohort.maxPriorityThreshold", "no bound" },
};

#define N (sizeof(implied) / sizeof(*implied))

/* Is the end of the path this key, from the begin of one of its parts on? */
static bool ends_with(const char *path, const char *key)
{
	size_t len = strlen(path), n = strlen(key);

	return len >= n && !strcmp(path + len - n, key)
	       && (len == n || path[len - n - 1] == '.');
}

const char *implied_value(const char *path)
{
	for (size_t i = 0; i < N; i++)
		if (ends_with(path, implied[i].key))
			return implied[i].text;
	return NULL;
}

bool implied_below(const char *path)
{
	const char *dot = strrchr(path, '.'), *last = dot ? dot + 1 : path;
	size_t n = strlen(last);

	for (size_t i = 0; i < N; i++) {
		const char *at = strstr(implied[i].key, last);

		if (at && at[n] == '.' && (at == implied[i].key || at[-1] == '.'))
			return true;
	}
	return false;
}
