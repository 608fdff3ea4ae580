/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settled.h - runs within nominal quota that other queues leave alone
 *
 * doc/how-it-decides.md, section 6, "Every eviction is progress". What settled and
 * non-preemptible runs of a queue use is never more than its nominal quota, so a queue
 * that reclaims gets what it owns whatever is settled elsewhere.
 */
#ifndef COHORT_SETTLED_H
#define COHORT_SETTLED_H

#include "core/workload_state.h"

struct engine;
struct holding;

/* Is a run of w settled that begins with these uses, which are in the books? */
bool run_settles(const struct engine *e, const struct workload *w,
		 const struct use *uses, size_t n);

/* The same of what w has come to own, while its victims leave: claim->settles. That holds
 * for a run which uses no more, whatever others have started until then. */
void claim_settle(const struct engine *e, const struct workload *w);
bool claim_settles_run(const struct workload *w, const struct use *uses, size_t n);

/* A listed holding is settled from now on, or is not. */
void holding_settle(struct engine *e, struct holding *h, bool settled);

/* The queue of h has got non-preemptible usage, or a run of it has grown: none of its runs
 * is settled any more if what is settled and non-preemptible is more than the queue owns of
 * what h uses. */
void settled_review(struct engine *e, const struct holding *h);

/* The same of all queues whose nominal quota may have fallen since the last call, if what is
 * settled and non-preemptible is more. */
void settled_follow(struct engine *e);

#endif /* COHORT_SETTLED_H */
