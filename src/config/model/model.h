/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * model.h - what cohort.yaml says, and what follows from it alone
 *
 * Nothing here reads YAML or knows the place of a value in the file, except for
 * the lines that later messages need. Times are ns; amounts are those of
 * spec.h.
 */
#ifndef COHORT_MODEL_H
#define COHORT_MODEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "spec.h"

/* ---- wall.c: times as clocks on the wall show them ----
 *
 * The time zone is that of the process. Where its clocks are set forward, a time
 * that they skip is the moment of the change. Where they are set back, a time
 * that they show twice is the first of the two. */

#define WALL_DAY INT64_C(86400)
#define WALL_WEEK (7 * WALL_DAY)

struct wall {
	bool weekly;
	int64_t seconds;	/* since 1970 if clocks were never set; weekly:
				 * since Monday, 00:00 */
};

/* What clocks show at that time */
int64_t wall_seconds(time_t at);

/* When clocks show that (not weekly) */
time_t wall_time(int64_t seconds);

/* Monday, 00:00, of the week of that time, as clocks show it */
int64_t wall_monday(int64_t seconds);

/* ---- what the file says ---- */

/* Trees of cohorts have no more levels: neither those of cohort.yaml, nor what
 * the plugins publish of them. */
#define COHORT_LEVELS_MAX 32

enum conf_priority { CONF_PRIORITY_DEFAULT, CONF_PRIORITY_QOS,
		     CONF_PRIORITY_PARTITION, CONF_PRIORITY_JOB };
enum conf_unmanaged { CONF_UNMANAGED_NONE, CONF_UNMANAGED_QOS, CONF_UNMANAGED_PARTITION_PRIO };
enum conf_local_queue { CONF_LOCAL_ACCOUNT, CONF_LOCAL_USER };

/* A flavor's nodes: all that satisfy every key that is set. Same index as in spec->flavors. */
struct conf_flavor {
	char *features;		/* "a100&nvlink" or NULL */
	char *nodes;		/* hostlist or NULL */
	char *partitions;	/* comma separated or NULL */
	int line;
};

/* A rule of a queue's match list; all keys that are set must hold. Each is a
 * shell pattern (fnmatch). */
struct conf_match {
	char *partition;
	char *qos;
	char *account;
	char *user;
	int line;
};

/* Rules of which one has to hold */
struct conf_rules {
	struct conf_match *list;
	size_t n;
};

/* Which jobs of a queue can't be preempted: those that a rule matches, and those
 * from a priority on. Users may choose for their own jobs if `by_user` is set,
 * and only then. */
struct conf_nonpreemptible {
	struct conf_rules rules;
	bool priority_set;
	int64_t priority;
	bool by_user;
	enum cap_scope scope;
};

/* What a user says of a job */
enum conf_preemptibility {
	CONF_PREEMPTIBILITY_OPEN,	/* nothing */
	CONF_PREEMPTIBLE,
	CONF_NONPREEMPTIBLE,
};

/* A local queue that the file names: an account or a user of a cluster queue */
struct conf_local {
	char *name;
	double weight;
};

struct conf_queue {		/* same index as spec->queues */
	struct conf_rules match;
	struct conf_local *locals;
	size_t nlocals;
	struct conf_nonpreemptible nonpreemptible;
	int line;
};

/* What rules ask of a job; NULL: it has no such thing */
struct conf_job {
	const char *partition;
	const char *qos;
	const char *account;
	const char *user;
};

/* For a time, or at some hours of each week, a nominal quota is another one */
struct conf_temporary {
	bool is_cohort;
	int node;		/* index into the spec's cohorts, or queues */
	int flavor, resource;
	int64_t nominal;
	bool has_begin, has_end;	/* weekly: both */
	struct wall begin, end;	/* both weekly, or none */
	int line;
};

/* Where evictions are recorded */
struct conf_events {
	bool enable;
	char *file;		/* NULL: beside the state file */
	int64_t max_megabytes;	/* of one file */
	int64_t keep;		/* how many older files */
};

/* A program that is run for each eviction */
struct conf_notify {
	char *program;		/* absolute path, or NULL */
	int64_t time_limit;	/* ns */
	int64_t at_once;
};

struct conf {
	atomic_uint shares;		/* users beside the first one */
	struct spec *spec;
	bool observe;			/* enforcement: observe */
	enum conf_priority priority;
	enum conf_unmanaged unmanaged;
	enum conf_local_queue local_queue;
	bool slurm_usage;		/* admissionFairSharing.usageFrom: slurm */
	int64_t update_interval;	/* visibility.updateInterval, ns */
	int64_t max_position;		/* visibility.maxPosition */
	bool comments;			/* visibility.comments */
	bool admin_comments;		/* visibility.adminComments */
	char *publish;			/* visibility.publish; NULL: beside the state file */
	struct conf_events events;
	struct conf_notify notify;
	bool pack_borrowers;		/* jobs that borrow share nodes among themselves */
	int64_t lent_node_weight;	/* how often a loss counts on a node where nobody is
					 * within quota */
	double *loss_weights;		/* by resource of the spec: what a victim loses of it in a
					 * second; NULL: 1 for each CPU */
	int64_t plan_budget;		/* engine_set_plan_budget() */
	int64_t planned_jobs;		/* how many waiting jobs of each cohort tree backfill plans */
	int64_t own_timeout;		/* preemptorTimeout: how long freed quota waits for its
					 * preemptor, ns */
	struct conf_flavor *flavors;
	struct conf_queue *queues;
	struct conf_temporary *temporaries;
	size_t ntemporaries;
	char *source;			/* the text it was read from */
	char *file;
	size_t warnings;
};

/* A conf without settings, with an empty spec. It keeps copies of the file's
 * name and of its text. NULL with errno = ENOMEM. */
struct conf *conf_create(const char *file, const char *text, size_t len);

/* Another user of it, which has to call conf_destroy(), too. Any thread may be one. */
struct conf *conf_share(struct conf *conf);

/* Frees it when its last user has called this. NULL is allowed, errno is kept. */
void conf_destroy(struct conf *conf);

/* Fills spec->periods. Those of each week are worked out from a week before `now`
 * to two years after it; where they meet one with a date, that one holds.
 * Reading a conf does this for the present time. -1 with errno = ENOMEM */
int conf_lay_out_periods(struct conf *conf, time_t now);

/* Of one with dates, in seconds since 1970; INT64_MIN and INT64_MAX where it has
 * none. The engine's nanoseconds don't reach as far. */
void temporary_times(const struct conf_temporary *t, int64_t *from, int64_t *until);

/* Do both hold at some time, and neither comes before the other, as a date does
 * before a day of the week? */
bool temporary_overlap(const struct conf_temporary *a, const struct conf_temporary *b);

/* The first queue in the file that matches; SPEC_NONE if none does. A NULL
 * value matches only rules without that key. */
int conf_match_queue(const struct conf *conf, const char *partition,
		     const char *qos, const char *account, const char *user);

/* The weight of a local queue: 1 if the file does not name it. NULL: no name */
double conf_local_weight(const struct conf *conf, int queue, const char *name);

/* Can the job not be preempted? word: what its user says, which counts only
 * where the queue allows that. */
bool conf_is_nonpreemptible(const struct conf *conf, int queue,
			    const struct conf_job *job, int64_t priority,
			    enum conf_preemptibility word);

#endif /* COHORT_MODEL_H */
