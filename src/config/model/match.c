/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.c - the cluster queue of a job
 */
#include <fnmatch.h>
#include <string.h>

#include "model/model.h"

/* fnmatch(), but soon done with what is written out: a site has hundreds of
 * queues, and each job is compared with all before its own. */
static bool key_matches(const char *pattern, const char *value)
{
	if (!pattern)
		return true;
	if (!value)
		return false;
	for (; *pattern && !strchr("*?[\\", *pattern); pattern++, value++)
		if (*pattern != *value)
			return false;
	return *pattern ? !fnmatch(pattern, value, 0) : !*value;
}

int conf_match_queue(const struct conf *conf, const char *partition,
		     const char *qos, const char *account, const char *user)
{
	for (size_t i = 0; i < conf->spec->nqueues; i++) {
		const struct conf_queue *queue = &conf->queues[i];

		for (size_t j = 0; j < queue->nmatches; j++) {
			const struct conf_match *rule = &queue->matches[j];

			if (key_matches(rule->partition, partition) &&
			    key_matches(rule->qos, qos) &&
			    key_matches(rule->account, account) &&
			    key_matches(rule->user, user))
				return (int) i;
		}
	}
	return SPEC_NONE;
}
