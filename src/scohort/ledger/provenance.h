/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * provenance.h - the plugin's text in the system comment of a job that was
 * preempted
 */
#ifndef SCOHORT_PROVENANCE_H
#define SCOHORT_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

#define PROVENANCE_SIZE 128

/* preempted at TIME by job ID (cluster queue QUEUE), rule RULE, NUMBERS,
 * ran N s, preemption N[, turns N], counted N[ of MAX] */
struct provenance {
	char when[PROVENANCE_SIZE];
	int64_t at;		/* the same in seconds since the epoch; 0: it is
				 * no time */
	int64_t by;
	char queue[PROVENANCE_SIZE];	/* of the preemptor */
	char rule[PROVENANCE_SIZE];
	char numbers[2 * PROVENANCE_SIZE];
	int64_t ran;		/* seconds */
	int64_t count;		/* preemptions so far, */
	int64_t turns;		/* of these ends of turns, */
	int64_t counted, max;	/* those that count for maxPreemptions, and that;
				 * 0: no bound */
};

/* False: the text (or NULL) is not the plugin's, or is cut short. */
bool provenance_parse(const char *text, struct provenance *p);

#endif /* SCOHORT_PROVENANCE_H */
