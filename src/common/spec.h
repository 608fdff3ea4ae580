/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spec.h - what a site has declared, as the engine reads it
 *
 * A spec is plain data: flavors and resources are numbered, cohorts and
 * cluster queues refer to them and to each other by index. Whoever fills it
 * (the reader of cohort.yaml, the reader of test scenarios) has checked it;
 * spec_is_valid() repeats the structural part of that as a last line of defence.
 *
 * Units: amounts are base units of their resource (cpu: count, mem: MB,
 * everything else: count), times are nanoseconds.
 */
#ifndef COHORT_SPEC_H
#define COHORT_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPEC_NONE (-1)			/* no parent, no index */
#define SPEC_UNLIMITED INT64_MAX	/* an amount without bound */
#define SPEC_NO_LIMIT INT64_MIN		/* a limit that was not set */
#define SPEC_NO_TIME INT64_MIN		/* a time that was not set */
#define SPEC_SEC INT64_C(1000000000)

/* Which workloads a workload may evict (KEP-83). POLICY_EMPTY is the "" of a
 * scenario: it evicts nothing, yet it does not count as Never where the only
 * question is whether the policy is Never. */
enum policy {
	POLICY_NEVER,
	POLICY_EMPTY,
	POLICY_LOWER_PRIORITY,
	POLICY_LOWER_OR_NEWER_EQUAL,
	POLICY_ANY,
};

enum strategy { STRATEGY_BEST_EFFORT_FIFO, STRATEGY_STRICT_FIFO };
enum stop_policy { STOP_NONE, STOP_HOLD, STOP_HOLD_AND_DRAIN };
enum fungibility { FUNGIBILITY_MAY_STOP, FUNGIBILITY_TRY_NEXT };
enum preference { PREFER_BORROWING, PREFER_PREEMPTION };
enum fair_strategy { FAIR_NONE, FAIR_LESS_OR_EQUAL_FINAL, FAIR_LESS_INITIAL };
enum resolve_method { RESOLVE_LCA, RESOLVE_QUEUE };

/* Which nominal quota caps what non-preemptible workloads of a queue use */
enum cap_scope { CAP_QUEUE, CAP_COHORT };

/* Quota of one node of the tree in one flavor and resource */
struct spec_quota {
	int flavor;
	int resource;
	int64_t nominal;
	int64_t borrowing_limit;	/* SPEC_NO_LIMIT if not set */
	int64_t lending_limit;		/* SPEC_NO_LIMIT if not set */
};

/* Resources that get their flavors together; flavors in order of preference */
struct spec_group {
	int *resources;
	size_t nresources;
	int *flavors;
	size_t nflavors;
};

struct spec_cohort {
	char *name;
	int parent;			/* index into cohorts, or SPEC_NONE */
	double weight;
	struct spec_quota *quotas;
	size_t nquotas;
	int64_t preempt_min_runtime;	/* SPEC_NO_TIME if not set */
	int64_t reclaim_min_runtime;	/* SPEC_NO_TIME if not set */
};

struct spec_queue {
	char *name;
	int cohort;			/* index into cohorts, or SPEC_NONE */
	enum strategy strategy;
	enum stop_policy stop;
	bool inactive;			/* held for a reason other than stop */
	double weight;
	struct spec_group *groups;
	size_t ngroups;
	struct spec_quota *quotas;
	size_t nquotas;
	enum policy within;		/* withinClusterQueue */
	enum policy reclaim;		/* reclaimWithinCohort */
	bool borrow_set;		/* borrowWithinCohort is there */
	enum policy borrow;		/* never or lower priority */
	bool threshold_set;
	int64_t threshold;		/* maxPriorityThreshold */
	enum fungibility when_can_borrow;
	enum fungibility when_can_preempt;
	enum preference preference;
	int64_t min_admit;		/* minAdmitDuration, or SPEC_NO_TIME */
	int64_t preempt_min_runtime;
	int64_t reclaim_min_runtime;
	int64_t reclaim_delay;		/* a workload that could evict those of other queues
					 * waits so long before it does; 0: not at all */
	bool delay_if_expected;		/* only if enough workloads end by then at the latest */
	/* every eviction is progress (doc/how-it-decides.md, section 6) */
	int max_preemptions;		/* so many runs of a job are lost to others than
					 * owners; 0: no bound */
	int yield_after;		/* a job that was evicted that often evicts only
					 * for what its queue owns; 0: off */
	enum cap_scope cap_scope;	/* of non-preemptible workloads */
	bool by_usage;			/* the local queue that has used less goes first */
};

/* Usage history (doc/how-it-decides.md, section 7) */
struct spec_history {
	/* between queues and cohorts; with fair sharing only */
	int64_t half_life;		/* 0: off */
	double k;			/* how much history counts; 0: off */
	double margin;			/* below k */
	/* inside queues that are by_usage */
	int64_t local_half_life;	/* 0: all local queues are equal */
	int64_t sampling;		/* a start counts as if it had been so much earlier */
	double *weights;		/* of resources [nresources]; NULL: all 1 */
};

/* For a time the nominal quota of a queue or cohort is another one
 * (doc/how-it-decides.md, section 2) */
struct spec_period {
	bool is_cohort;
	int node;			/* index into queues, or cohorts */
	int flavor;
	int resource;
	int64_t nominal;
	int64_t from, until;		/* not at `until` itself any more; INT64_MAX: for good */
};

struct spec {
	char **flavors;
	size_t nflavors;
	char **resources;
	size_t nresources;
	struct spec_cohort *cohorts;
	size_t ncohorts;
	struct spec_queue *queues;
	size_t nqueues;
	bool fair_sharing;
	enum fair_strategy strategies[2];
	int64_t preempt_min_runtime;	/* site-wide defaults, 0 if not set */
	int64_t reclaim_min_runtime;
	enum resolve_method resolve;
	bool kueue_rules;		/* where Kueue's rule is a fault, too: see
					 * doc/comparison.md. Else ours */
	bool no_recompute;		/* overlapping heads are skipped at once */
	bool no_partial;		/* ignore min_count */
	struct spec_history history;
	struct spec_period *periods;	/* no two of one quota at a time */
	size_t nperiods;
};

struct spec *spec_create(void);

/* Frees everything the spec points to; NULL is allowed, errno is kept. */
void spec_destroy(struct spec *spec);

/* Index of the named flavor or resource, added when it is new; -1 with errno = ENOMEM. */
int spec_flavor(struct spec *spec, const char *name);
int spec_resource(struct spec *spec, const char *name);

/* Index of a flavor, resource, cohort or queue, or SPEC_NONE */
int spec_find_flavor(const struct spec *spec, const char *name);
int spec_find_resource(const struct spec *spec, const char *name);
int spec_find_cohort(const struct spec *spec, const char *name);
int spec_find_queue(const struct spec *spec, const char *name);

/* Appends a zeroed record with defaults (no limits, weight 1, policies Never,
 * times not set) and returns it; valid until the next append. NULL: ENOMEM. */
struct spec_cohort *spec_add_cohort(struct spec *spec, const char *name);
struct spec_queue *spec_add_queue(struct spec *spec, const char *name);
struct spec_quota *spec_add_quota(struct spec_quota **quotas, size_t *n,
				  int flavor, int resource, int64_t nominal);

/* Adds a copy; -1 with errno = ENOMEM. */
int spec_add_period(struct spec *spec, const struct spec_period *period);

/* Sorts the periods by quota, then time. Look-ups need that; the engine does not. */
void spec_sort_periods(struct spec *spec);

/* The first period of the quota, which has flavor and resource, that is not over
 * at `now`: it is in force, or yet to come. The next one follows it, if it is of
 * the same quota. NULL: there is none. */
const struct spec_period *spec_find_period(const struct spec *spec, bool is_cohort, int node,
					   const struct spec_quota *quota, int64_t now);

/* The nominal quota at that time. *until (or NULL): when it changes; INT64_MAX: never */
int64_t spec_nominal_at(const struct spec *spec, bool is_cohort, int node,
			const struct spec_quota *quota, int64_t now, int64_t *until);

/* Every index is in range, and the cohorts form trees. */
bool spec_is_valid(const struct spec *spec);

#endif /* COHORT_SPEC_H */
