/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_texts.h - the fixed texts that the plugin leaves in job records
 *
 * squeue's REASON of a waiting job, and the system comment of one that was
 * preempted.
 */
#ifndef SCOHORT_JOB_TEXTS_H
#define SCOHORT_JOB_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#define WORD_SIZE 128

enum wait_word {
	WORD_QUOTA, WORD_PREEMPTING, WORD_PROTECTED, WORD_ORDER, WORD_HELD,
	WORD_NEVER, WORD_NODES, WORD_OTHER,
};

/* Cohort:pos=3/41,wait=quota(gres/gpu@a100),need=8,free=2,cq=vision */
struct reason {
	int64_t place;		/* 0: further back than is told */
	int64_t total;		/* 0: more than is told */
	int64_t known;		/* how far places are told, if beyond */
	enum wait_word word;
	char wait[WORD_SIZE];	/* "quota(gres/gpu@a100)" */
	char resource[WORD_SIZE];	/* "" if not said */
	char flavor[WORD_SIZE];
	char until[WORD_SIZE];	/* protected; nodes: nobody is evicted before */
	int64_t need, free, max;	/* -1: not said */
	int64_t victims;	/* preempting */
	char queue[WORD_SIZE];	/* may be cut short in a long text */
};

/* False: the text (or NULL) is none of ours. */
bool reason_parse(const char *text, struct reason *r);

/* preempted at TIME by job ID (cluster queue QUEUE), rule RULE, NUMBERS,
 * ran N s, preemption N[ of MAX] */
struct provenance {
	char when[WORD_SIZE];
	int64_t by;
	char queue[WORD_SIZE];	/* of the preemptor */
	char rule[WORD_SIZE];
	char numbers[2 * WORD_SIZE];
	int64_t ran;		/* seconds */
	int64_t count, max;	/* preemptions; max 0: no bound */
};

bool provenance_parse(const char *text, struct provenance *p);

#endif /* SCOHORT_JOB_TEXTS_H */
