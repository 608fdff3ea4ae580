/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local.h - local queues: the entries of one account inside a cluster queue
 */
#ifndef COHORT_LOCAL_H
#define COHORT_LOCAL_H

#include "core/engine_state.h"

/* The local queue, created if it is new, with one more user. NULL with errno =
 * ENOMEM. */
struct local *local_get(struct engine *e, struct queue *q, int number);

/* One user less; the last one frees it. NULL is allowed. */
void local_put(struct engine *e, struct local *local);

#endif /* COHORT_LOCAL_H */
