/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.h - elastic quota: what may start, what must wait, what gives way
 *
 * The engine keeps the books of one cluster: quota and usage of a forest of
 * cohorts and cluster queues, the workloads that hold quota and those that
 * wait. The caller reports events and asks for a plan; the engine never
 * blocks, reads no clock, does no I/O and knows nothing of Slurm. It is not
 * thread safe: one caller at a time.
 *
 * Units: amounts in base units of the resource, times in nanoseconds since
 * any fixed point, 0 = unset and earlier than everything. Flavors, resources,
 * cohorts and queues are the indexes of the spec. Pointers to const that the
 * engine returns stay valid until the next call that is not a pure look-up.
 *
 * Look-ups for callers that publish the books are in query.h.
 *
 * Words (doc/how-it-decides.md, section 1, has those of the rules):
 *
 *   books      nominal quota and usage of all queues and cohorts, by pair
 *   workload   a job, a component of one, its entry in one queue, or an array of tasks
 *   charge     an amount of a resource of one flavor that is in use
 *   tree       cohorts and queues below one root. What happens in a tree changes the plan of
 *              no other one, unless a bond ties them
 *   plan       what the engine would do now with all that wait: a verdict for each
 *   verdict    may start, may preempt, or waits and why
 *   gate       the last look at one workload, when the caller wants to start it
 *   shape      waiting workloads of a queue that ask for the same with the same priority
 *   claim      freed quota that a preemptor owns before its victims have left
 *   blocked    has quota and found no nodes
 *   bond       waiting workloads that are decided about together
 *   unit       running workloads that are evicted together
 *   kept, withheld   free quota that a plan does not lend to other queues
 *
 * The rules are those of doc/how-it-decides.md (KEP-83, KEP-168, KEP-1337).
 */
#ifndef COHORT_ENGINE_H
#define COHORT_ENGINE_H

#include "spec.h"

/* An amount of a resource whose flavor is still open */
struct request {
	int resource;
	int64_t amount;
};

/* An amount of a resource of one flavor */
struct charge {
	int flavor;
	int resource;
	int64_t amount;
};

/* A part of a workload that gets its flavors as one: a job, a component of a
 * heterogeneous job. requests are totals for `count` pods. */
struct podset_desc {
	const char *name;
	int64_t count;
	int64_t min_count;		/* 0: all or nothing */
	int group;			/* same group >= 0: assigned as one; -1 */
	const struct request *requests;
	size_t nrequests;
	/* [nrequests][number of flavors]: amounts that differ by flavor (whole nodes); requests[]
	 * then has the smallest of each. NULL: they do not differ. */
	const int64_t *by_flavor;
	const bool *ineligible;		/* by flavor; NULL: all may be used */
};

enum { ENGINE_MOST_TASKS = 4000001 };	/* of an array; Slurm's most, too */

struct workload_desc {
	int queue;			/* index into spec->queues */
	int local_queue;		/* caller's number, unique in the engine */
	int64_t priority;
	int64_t queue_order_at;		/* FIFO order among equals */
	uint64_t tiebreak;		/* last resort of every order, unique */
	/* No more than ENGINE_MOST_TASKS and UINT32_MAX */
	int64_t tasks;			/* array: waiting tasks it stands for, >= 1 */
	int64_t max_starts;		/* array: tasks that may start now; 0: tasks */
	bool follower;			/* has no place of its own in the queue: it
					 * has that of a member of its bond */
	bool nonpreemptible;		/* no victim, and capped: cap_scope of its queue */
	/* nonpreemptible, elastic: how many members of the group, known by `group`, are so
	 * at a time: those that started first. The number told last holds for all. 0: none */
	uint64_t group;
	int64_t fixed_members;
	const struct podset_desc *podsets;
	size_t npodsets;
	int64_t evictions, lost, turns;	/* in all its runs, see engine_keep_settled() */
	void *owner;			/* caller's, returned by workload_owner() */
};

/* ---- life ---- */

/* Books with nothing charged. Copies what it needs of the spec. NULL with
 * errno = ENOMEM or EINVAL (the spec is not valid). */
struct engine *engine_create(const struct spec *spec);

/* Frees the engine and all its workloads. NULL is allowed. */
void engine_destroy(struct engine *e);

/* ---- events ---- Each returns 0, or -1 with errno (ENOMEM, EINVAL) and the books unchanged. */

/* From now on events happen at that time, and so does what local queues and cluster queues have
 * used by then (doc/how-it-decides.md, section 7). For that time does not run backwards: an
 * earlier time changes nothing. Nominal quotas are those of that time. Only needed where the spec
 * has a history; engine_plan() does it, too. Call it before the first event. */
void engine_advance(struct engine *e, int64_t now);

/* A workload begins to wait. Copies the desc. NULL with errno on error. */
struct workload *engine_submit(struct engine *e, const struct workload_desc *d);

/* Anything of a waiting workload has changed (also its queue). The handle
 * stays; quota it owns (engine_own) stays if queue and requests are the same. */
int engine_update(struct engine *e, struct workload *w, const struct workload_desc *d);

/* A waiting workload holds quota from now on: it was started. `charges` is what it really got.
 * For a running workload: its charges are replaced (job resized) and reserved_at kept.
 * reserved_at: start of its current run; 0: not known, which counts as now, after all others. */
int engine_start(struct engine *e, struct workload *w,
		 const struct charge *charges, size_t n, int64_t reserved_at);

/* A running workload waits again (requeued): charges are released. */
int engine_requeue(struct engine *e, struct workload *w, int64_t queue_order_at);

/* The workload is gone, waiting or running: released and freed. */
void engine_remove(struct engine *e, struct workload *w);

/* A running workload is on its way out. It keeps its charge until it is
 * requeued or removed. It is the first candidate of any search, at no cost. */
void engine_evicting(struct engine *e, struct workload *w, bool evicting);

/* The terms on which a running workload may be evicted, in addition to the
 * policies of the spec (doc/how-it-decides.md, section 5) */
struct eviction_terms {
	/* The caller cannot or must not evict the workload before that time (INT64_MAX: never).
	 * Until then it is no candidate of any search, unless it is on its way out already. Like
	 * a protected workload, it causes WAIT_IS_PROTECTED and counts for engine_next_expiry().
	 * 0: no such time. */
	int64_t exempt_until;
	/* The cheapest goes first among candidates that are equal in all that
	 * the policies ask for. */
	int64_t cost;
	/* It has ended by itself by that time. 0: not known, or never */
	int64_t ends_by;
	/* It belongs to an elastic group of its queue, known by `group`. While
	 * a min-runtime protects the members of the group, those in excess of
	 * min_available may still be evicted, and no more. exempt_until holds
	 * for all of them. The minimum that was set last holds for all of the
	 * group. Less than 0: no group, or still the group that it is in. */
	uint64_t group;
	int64_t min_available;
	/* Another running workload: the two are evicted together, or not at
	 * all, with all that were joined to them before. It ends when one of
	 * them no longer runs. NULL: no new one. */
	struct workload *joined_to;
};

/* Sets the terms of a running workload. A new run begins without any:
 * min_available = -1 and all else 0. -1 with errno = EINVAL (one of the two
 * waits, they are the same), ENOMEM: the terms are as before. */
int engine_set_terms(struct engine *e, struct workload *w, const struct eviction_terms *terms);

/* The present terms, with joined_to = NULL, for a caller that changes some of
 * them. A waiting workload has the terms of a new run. */
void workload_terms(const struct workload *w, struct eviction_terms *terms);

/* A running workload is preemptible from now on, or non-preemptible if the cap
 * of its queue allows that now. A run begins as its desc says, whatever the cap
 * (the caller may have started it by other rules). Returns whether it is
 * non-preemptible; a waiting one is as its desc says. */
bool engine_set_nonpreemptible(struct engine *e, struct workload *w, bool nonpreemptible);

/* The same as the caller remembers it of this run, whatever the cap says now */
void engine_keep_nonpreemptible(struct engine *e, struct workload *w, bool nonpreemptible);

/* Run time that does not count (suspended): moves reserved_at later. */
void engine_pause(struct engine *e, struct workload *w, int64_t paused_for);

/* ---- every eviction is progress: what the engine has to know of earlier runs ----
 * The rules are in doc/how-it-decides.md, section 6. The caller counts, over all runs of a
 * workload, and tells it with struct workload_desc:
 *
 * - evictions: how often it was evicted, but for the ends of turns. From yield_after of its
 *   queue on it evicts only for what the queue owns.
 * - lost: those that were no pure reclaims (struct victim). From max_preemptions of its
 *   queue on only pure reclaims evict it. No more than evictions.
 * - turns: how many of its turns were over (VICTIM_TIME_BASED). Each is twice as long as the
 *   one before it. */

/* A run is settled if its workload yields, and the queue was within nominal quota when it
 * started, in all that the run uses: workloads of other queues do not evict it. That ends for all
 * runs of a queue when it does not own as much any more as settled and non-preemptible ones use:
 * its nominal quota falls, or non-preemptible ones start. A waiting workload is not settled. */
bool workload_settled(const struct workload *w);

/* The same as the caller remembers it of this run: for all that run, first false, as a start
 * after a restart tells nothing, then what is remembered. A run stays unsettled if the queue
 * does not own enough for all that is settled in it, with what is non-preemptible. */
void engine_keep_settled(struct engine *e, struct workload *w, bool settled);

/* ---- what a workload remembers ---- From one plan to the next, beside its desc and its bond.
 * What is to be remembered from now on is added to this struct and to workload/memory.c: updates,
 * starts, simulations, and callers that know it over a restart have it by then. */
struct workload_memory {
	/* of a waiting workload */
	bool blocked;		/* see engine_blocked() */
	bool had_turn;		/* until the others have had theirs plans pass it over (section
				 * 9, a plan has a budget) */
	bool owns;		/* see engine_own(): */
	uint64_t owns_since;	/* owners in the order in which they came to own quota; 0: it
				 * comes to own it now, and the books tell the other two */
	bool owned_settled;	/* see workload_settled() */
	bool owned_nonpreemptible;
	const struct charge *owned;	/* workload_recall(): the engine's */
	size_t nowned;
	int64_t could_evict;	/* it could have evicted those of other queues then for the first
				 * time (reclaim_delay); 0: it never could. Only plans and
				 * engine_candidates() find that out. */
	/* of a running one; see workload_settled(), engine_keep_nonpreemptible() */
	bool settled;
	bool nonpreemptible;
};

/* What the workload remembers */
void workload_recall(const struct workload *w, struct workload_memory *m);

/* From now on the workload remembers that, and no more: what workload_recall() told of it,
 * or of the same workload in another engine. */
int engine_remind(struct engine *e, struct workload *w, const struct workload_memory *m);

/* The freed quota belongs to this waiting workload until it starts or is
 * disowned: `charges` are added to the books for it now, while its victims
 * still hold theirs. Replaces an earlier claim. */
int engine_own(struct engine *e, struct workload *w, const struct charge *charges, size_t n);
void engine_disown(struct engine *e, struct workload *w);

/* The caller could not place the workload on nodes although it had quota (blocked), or may try
 * again (!blocked). A blocked workload is tried again in every plan. In a StrictFIFO queue it
 * holds back those behind it. In a BestEffortFIFO queue those behind it may go, but what it asks
 * for stays out of reach of other queues up to its own queue's nominal quota. Cleared by a
 * start. */
void engine_blocked(struct engine *e, struct workload *w, bool blocked);

/* Jobs without nodes that are not submitted for now want so much more (sign = 1) or less
 * (-1) of the queue: kept from others as for blocked ones. -1: ENOMEM, EINVAL. */
int engine_withhold(struct engine *e, int queue, const struct charge *charges,
		    size_t n, int sign);

/* Waiting workloads that are decided about with a view to each other. A bond has any number of
 * members, in the order in which they join; each workload has at most one bond. The bond ends
 * with the start or the removal of all members but one. */
enum bond_kind {
	BOND_EITHER,	/* one job in several queues: one of them may go, the
			 * first one that can; without eviction, if possible */
	BOND_TOGETHER,	/* components of one job: all of them go, or none */
};

/* w joins the bond of `with`. -1 with errno = EINVAL (one of them runs, or
 * has another bond), ENOMEM. */
int engine_bond(struct engine *e, struct workload *w, struct workload *with, enum bond_kind kind);
void engine_unbond(struct engine *e, struct workload *w);

/* ---- usage history ---- What was used up to now decides with fair sharing, and inside queues
 * that are by_usage (doc/how-it-decides.md, section 7). It is in no record of a job: the caller
 * keeps it over a restart. query.h tells it. */

/* The history `past` at time `at`, in base units; since then `amount` was
 * borrowed (cluster queue, cohort) or used (local queue). */
struct usage_history {
	double past;
	double amount;
	int64_t at;
};

/* The history is what it was, moved on to the present time: engine_advance()
 * and all that runs come first, as a start counts. node is a queue index, or a cohort index with is_cohort. Does
 * nothing where history does not count. -1 with errno = EINVAL: no such node or
 * resource, or no numbers that a history can have; ENOMEM. */
int engine_restore_history(struct engine *e, bool is_cohort, int node,
			   int resource, const struct usage_history *h);
int engine_restore_local(struct engine *e, int queue, int local_queue,
			 int resource, const struct usage_history *h);

/* The weight of a local queue: twice as much may use twice as much. 0: it comes
 * last. 1 if never set. -1 with errno = EINVAL, ENOMEM. */
int engine_weigh_local(struct engine *e, int queue, int local_queue, double weight);

/* ---- plans ---- */

enum verdict_kind {
	VERDICT_NONE,		/* not planned yet */
	VERDICT_START,		/* has quota: may start now */
	VERDICT_PREEMPT,	/* has quota once its victims are gone */
	VERDICT_WAIT,
};

enum wait_reason {
	WAIT_IS_QUOTA,		/* quota(gres/gpu@a100), need, free */
	WAIT_IS_PREEMPTING,	/* its victims are on their way out: preempting(n) */
	WAIT_IS_PROTECTED,	/* candidates are protected: protected(until) */
	WAIT_IS_ORDER,		/* quota is there, but others come first */
	WAIT_IS_HELD,		/* the queue is stopped */
	WAIT_IS_NEVER,		/* exceeds what the queue can ever have: never(max) */
	WAIT_IS_NONPREEMPTIBLE,	/* so much is non-preemptible already that it can
				 * not be: nonpreemptible(...), cap, used */
	WAIT_IS_YIELDING,	/* it was evicted before: it waits for free quota
				 * beyond what its queue owns: yields */
};

/* What the last plan says about a waiting workload */
struct verdict {
	enum verdict_kind kind : 8;
	enum wait_reason reason : 8;	/* kind == VERDICT_WAIT */
	bool borrowing;			/* start: it will borrow */
	bool spent;			/* protected: only by max_preemptions */
	bool fixed;			/* protected: only as they are
					 * non-preemptible; never: by the cap */
	bool delayed;			/* protected: only by reclaim_delay */
	uint64_t rank;			/* order of starts and preemptions */
	int64_t starts;			/* array: how many tasks may start */
	int flavor;			/* quota, never: what is missing, or -1 */
	int resource;
	int64_t need;
	int64_t free;
	int64_t max;	/* never: most it could ever have; nonpreemptible: most of such workloads */
	int64_t used;			/* nonpreemptible: by such workloads */
	int64_t until;			/* protected: 0 if not known */
	size_t nvictims;		/* preempting: how many are still there */
	const struct victim *victims;	/* preempt: the workloads to evict, nvictims of them. The
					 * engine's, until the next event. */
};

/* It is decided that the workload starts or evicts. */
static inline bool verdict_goes(const struct verdict *v)
{
	return v->kind == VERDICT_START || v->kind == VERDICT_PREEMPT;
}

/* Brings the plan up to date for `now`. Cheap if nothing has changed. Kueue's scheduling cycles
 * (section 8 of the rules) run on the books until no head moves; afterwards the books are as
 * before. Returns 0 if nothing has changed, 1 if any verdict or position may have changed.
 * Returns -1 with errno = ENOMEM if one may have changed, but there was no memory to plan some
 * trees: the next call plans them. */
int engine_plan(struct engine *e, int64_t now);

/* A plan of a tree nominates no more heads once it has looked at so many records (section 9,
 * a plan has a budget); 0, the default: no bound. The next plan goes on behind them, a
 * second later: engine_next_expiry() tells. */
void engine_set_plan_budget(struct engine *e, uint64_t looks);

/* False: that the workload waits is no answer yet, as the last plan was cut off, or went on
 * behind one that was. */
bool engine_is_planned(const struct engine *e, const struct workload *w);

/* How many plans used up their budget since the engine was created */
uint64_t engine_cut_plans(const struct engine *e);

/* Earliest time at which a protection or a turn ends that could change the
 * plan, or a nominal quota changes; 0 if none. */
int64_t engine_next_expiry(const struct engine *e);

const struct verdict *engine_verdict(const struct engine *e, const struct workload *w);

/* The workload whose verdict engine_verdict() tells for a waiting workload: w
 * itself, or the member of its bond that keeps it from going */
const struct workload *engine_waits_for(const struct engine *e, const struct workload *w);

/* Calls f() for the workloads that the last plan lets start or preempt, in no
 * order. Only when the plan is not stale; f() changes nothing. */
void engine_promises(const struct engine *e,
		     void (*f)(void *arg, const struct workload *w, const struct verdict *v), void *arg);
bool engine_evicts(const struct engine *e);	/* false: none of them preempts */

/* In a StrictFIFO queue no workload passes another. True if a workload waits
 * before w that, by the last plan, could ever start, and is not of its bond. */
bool engine_is_behind(const struct engine *e, const struct workload *w);

/* ---- at the gate: one workload against the books as they are now ---- */

enum mode { MODE_NOFIT, MODE_PREEMPT, MODE_FIT };

enum victim_reason {
	VICTIM_IN_CLUSTER_QUEUE,
	VICTIM_TIME_BASED,
	VICTIM_RECLAMATION,
	VICTIM_RECLAIM_WHILE_BORROWING,
	VICTIM_FAIR_SHARING,
};
/* "InClusterQueue", "InClusterQueueTimeBased", "InCohortReclamation",
 * "InCohortReclaimWhileBorrowing", "InCohortFairSharing" */
const char *victim_reason_name(enum victim_reason reason);

struct victim {
	struct workload *workload;
	enum victim_reason reason;
	unsigned char list;	/* lists are used up one after the other */
	bool pure;		/* a pure reclaim: it does not count as lost */
};

/* MODE_PREEMPT without victims: nothing may be evicted for it now. */
struct nomination {
	enum mode mode;
	int borrow;			/* borrow level, 0: within nominal */
	const struct charge *charges;	/* total by flavor and resource */
	size_t ncharges;
	const struct victim *victims;
	size_t nvictims;
};

/* Finds flavors and, if needed, victims for one (more) task of w, on the books as they are, with
 * what w owns lifted. flavor_ok limits the flavors that are tried (by index; NULL: all eligible
 * ones). If what w owns, or what the last plan promised it, fits in these flavors, that is the
 * answer. Arrays in `nom` belong to the engine. */
int engine_nominate(struct engine *e, struct workload *w, int64_t now,
		    const bool *flavor_ok, struct nomination *nom);

/* Would these charges fit into w's queue if these victims, of which only the workload counts, were
 * gone? What w owns is lifted. So is the quota of workloads that came to own it
 * later than w. */
bool engine_fits(struct engine *e, const struct workload *w,
		 const struct charge *charges, size_t n, const struct victim *gone, size_t ngone);

/* Which other workloads the policies let w evict, in order of preference, given
 * that `gone` leave anyway and w gets `charges`. Used when quota is there but
 * nodes are not. The answer has no protected workloads and none of `gone`. */
struct candidates_query {
	const struct charge *charges;
	size_t ncharges;
	const struct victim *gone;	/* only their workloads count */
	size_t ngone;
	/* Each candidate is judged as if it was the only one: a set of them has
	 * to pass engine_allowed(). If not set, every subset of the answer is
	 * allowed: it takes no queue below its nominal quota. */
	bool alone;
	size_t most;		/* the first ones only; 0: all */
};

struct candidates {
	const struct victim *list;	/* the engine's */
	size_t n;
	/* Earliest time at which a candidate may be evicted that was left out
	 * because it is protected, or by reclaim_delay; 0 if there was none. engine_next_expiry()
	 * does not know these times: the plan was made for quota, not for
	 * nodes. */
	int64_t protected_until;
};

/* -1 with errno = EINVAL, ENOMEM; the answer is then empty. */
int engine_candidates(struct engine *e, struct workload *w, int64_t now,
		      const struct candidates_query *query, struct candidates *found);

/* May w evict all of these together, in the order in which the rules take them,
 * or with the largest of each queue last? Returns n if so, else the index of the first one that would have to stay. It
 * does not say whether w then fits: engine_fits() does. */
size_t engine_allowed(struct engine *e, struct workload *w, int64_t now,
		      const struct charge *charges, size_t ncharges,
		      const struct victim *victims, size_t n);

/* ranks[i] of list[i], from engine_candidates(), by the rules but for starts and
 * usage. Above RANKS_MOST priorities next to each other count as one. -1: errno = ENOMEM. */
enum { RANKS_MOST = 24 };
int engine_rank_candidates(const struct victim *list, size_t n, int *ranks);

/* Drops from victims[0..n) all that are not needed for `charges` to fit, given that those with
 * keep[i] stay victims. Compacts the array, returns its new length. */
size_t engine_drop_needless(struct engine *e, struct workload *w,
			    const struct charge *charges, size_t ncharges,
			    struct victim *victims, const bool *keep, size_t n);

/* ---- look-ups ---- */

void *workload_owner(const struct workload *w);
int workload_queue(const struct workload *w);
/* The workload as it was submitted or last updated. What the desc points to is the engine's. */
void workload_describe(const struct workload *w, struct workload_desc *d);
bool workload_running(const struct workload *w);
bool workload_evicting(const struct workload *w);
bool workload_is_nonpreemptible(const struct workload *w);
bool workload_owns(const struct workload *w);
bool workload_bonded(const struct workload *w);
const struct charge *workload_charges(const struct workload *w, size_t *n);

#endif /* COHORT_ENGINE_H */
