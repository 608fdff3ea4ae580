/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits.h - what the account is told by the layers above
 */
#ifndef COHORT_ACCOUNT_WAITS_H
#define COHORT_ACCOUNT_WAITS_H

#include "core/engine_state.h"

struct queue;

/* The first workload of the queue begins to wait, or the last one no longer does. */
void account_waits(struct engine *e, const struct queue *q, bool waits);

/* Events happen at that time from now on. */
void account_advance(struct engine *e, int64_t now);

void account_end(struct engine *e);

#endif /* COHORT_ACCOUNT_WAITS_H */
