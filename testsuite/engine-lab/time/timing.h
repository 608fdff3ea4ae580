/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timing.h - how long a cycle and a victim search take in one scenario
 */
#ifndef LAB_TIMING_H
#define LAB_TIMING_H

#include "eval/scenario.h"

struct timing {
	size_t queues, admitted, heads, searches;
	bool fair;
	bool agrees;
	int64_t cold;			/* the first cycle, ns */
	int64_t cycle;			/* medians, ns */
	int64_t search;
};

/* Times s, which was made of the line root, and compares its answer with what
 * the line expects. -1 with the error in root->fault. */
int timing_take(struct timing *t, struct scenario *s, const struct at *root);

#endif /* LAB_TIMING_H */
