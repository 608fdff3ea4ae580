/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.c - the rules by which jobs are preempted, in words
 */
#include <string.h>

#include "story/story.h"

static const struct {
	const char *rule, *text;
} rules[] = {
	{ "InClusterQueue", "a job of the same queue had precedence" },
	{ "InClusterQueueTimeBased", "its turn was over" },
	{ "InCohortReclamation", "the other queue, or a cohort above it, "
	  "owns what its queue had borrowed" },
	{ "InCohortReclaimWhileBorrowing", "the other queue borrows, and its "
	  "job has a higher priority" },
	{ "InCohortFairSharing", "its queue had the larger share" },
};

const char *rule_text(const char *rule)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (!strcmp(rules[i].rule, rule))
			return rules[i].text;
	}
	return "";
}
