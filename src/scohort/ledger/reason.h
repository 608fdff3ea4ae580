/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reason.h - what the plugin shows as squeue's REASON of a waiting job
 */
#ifndef SCOHORT_REASON_H
#define SCOHORT_REASON_H

#include <stdbool.h>
#include <stdint.h>

#define REASON_SIZE 128

enum reason_kind {
	REASON_QUOTA, REASON_PREEMPTING, REASON_PROTECTED, REASON_ORDER,
	REASON_HELD, REASON_NEVER, REASON_NODES, REASON_OTHER,
	REASON_NONPREEMPTIBLE, REASON_YIELDS,
};

/* Cohort:pos=3/41,wait=quota(gres/gpu@a100),need=8,free=2,cq=vision */
struct reason {
	int64_t place;		/* 0: beyond the last place that is shown */
	int64_t total;		/* 0: more than is shown */
	int64_t known;		/* the last place that is shown, if beyond */
	enum reason_kind kind;
	char wait[REASON_SIZE];	/* "quota(gres/gpu@a100)" */
	char resource[REASON_SIZE];	/* "" if not shown */
	char flavor[REASON_SIZE];
	char until[REASON_SIZE];	/* protected until then; nodes: no job
					 * is evicted for it before */
	int64_t need, free, max;	/* -1: not shown */
	int64_t cap, used;		/* nonpreemptible; -1: not shown */
	int64_t victims;	/* preempting */
	char queue[REASON_SIZE];	/* may be cut short in a long text */
};

/* False: the text (or NULL) is not the plugin's. */
bool reason_parse(const char *text, struct reason *r);

#endif /* SCOHORT_REASON_H */
