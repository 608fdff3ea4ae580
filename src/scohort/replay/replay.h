/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.h - a trace played through a configuration
 */
#ifndef SCOHORT_REPLAY_H
#define SCOHORT_REPLAY_H

#include "conf.h"
#include "engine.h"
#include "sim.h"
#include "trace/trace.h"

/* What Slurm alone would do with the same quotas */
enum native { NATIVE_NONE, NATIVE_CAPS, NATIVE_SCAVENGER, NATIVE_KINDS };

/* Something that happens to a job of the trace, at `at` */
struct replay_event {
	enum sim_event_kind kind;
	int64_t at;
	const struct trace_job *job;
	const struct trace_job *by;	/* SIM_EVICT: the preemptor; or NULL */
	const char *queue;		/* its cluster queue */
};

/* "high=100,low=10", "4h,low=10m": a value for each class, perhaps one for all others */
struct by_class {
	struct class_value *list;
	size_t n;
	char *text;		/* of the option; classes point into it */
};

struct replay_options {
	struct by_class classes;	/* priorities of QOS or partitions */
	const char *nodes;	/* "a100:cpu=64,gres/gpu=8;cpu:cpu=128": what
				 * the flavors' nodes have; or NULL: no bound */
	int64_t requeue_time;	/* an evicted job is in line again after */
	int64_t evict_time;	/* from the decision until the victim is gone */
	struct by_class checkpoint;	/* how often jobs save their work, ns, that do not say so */
	struct by_class restart_cost;	/* what a restart costs, ns */
	int64_t warm_up, tail;	/* of the time of submissions, so much at the begin and at the end
				 * does not count for the steady utilisation; -1: a tenth, 0 */
	enum native native;	/* what Slurm alone would do instead */
	int64_t depth;		/* as in sim_options; with nodes only */
	bool changes;		/* keep the changes of each queue */
	int64_t step;		/* decisions are made together for what happens
				 * within such a time, ns; 0: at each event */
	/* Called now and then with how many of the jobs are done, and the
	 * simulated time; false: stop. Or NULL */
	bool (*progress)(void *arg, size_t done, size_t of, int64_t now);
	void *arg;
	/* Called for each event, with `event_arg`; or NULL */
	void (*event)(void *arg, const struct replay_event *event);
	void *event_arg;
};

/* So many more jobs of a queue wait: it comes or has to wait again, or starts
 * (-1); 0: one is evicted. Tasks of arrays count each. */
struct replay_change {
	int64_t at;
	int64_t waiting;
};

/* Usage of one flavor and resource at a time, of a queue */
struct replay_point {
	int64_t at;
	int64_t used;
	int64_t nominal;
};

struct replay_use {
	int flavor, resource;
	const struct spec *spec;
	int queue;
	const struct spec_quota *quota;
	int64_t nominal;		/* its mean over the whole time */
	int64_t used;			/* now */
	int64_t peak;
	double used_time;		/* amount times seconds */
	double borrowed_time;
	double lost_time;		/* of runs that were evicted, without what they had saved */
	double steady_time;		/* used_time between steady_begin and steady_end */
	double waited;			/* amount times seconds of wait */
	double asked;			/* amount of those that have started */
	struct replay_point *points;	/* each change, also of the quota */
	size_t npoints;
};

struct replay_queue {
	size_t jobs, started, ended;	/* arrays: jobs; ended: tasks, too */
	size_t owners;			/* jobs whose first start left the queue within nominal
					 * quota; the others of `started` borrowed */
	double owner_wait, borrower_wait;	/* sums, seconds */
	size_t evictions;
	double lost;			/* seconds of runs, without what they had saved */
	int64_t *waits;			/* of those that started, sorted, ns */
	size_t nwaits;
	struct replay_change *changes;	/* if asked for, in any order */
	size_t nchanges;
	struct replay_use *uses;
	size_t nuses;
};

/* A resource that jobs ask for, though their queues do not cover it */
struct replay_missing {
	char resource[RESOURCE_NAME_MAX + 1];
	size_t jobs;
};

struct replay {
	const struct conf *conf;
	enum native native;
	struct replay_queue *queues;	/* by index of the spec */
	size_t outside;			/* jobs that no queue matches */
	size_t misnamed;		/* jobs that name a queue which is not
					 * there, the first of them here */
	const char *wrong_queue;	/* of the trace */
	size_t wrong_line;
	struct replay_missing *uncovered;
	size_t nuncovered;
	size_t uncharged;		/* jobs of whose requests nothing is covered */
	size_t unnamed;			/* whose class has no priority: 0 */
	size_t unstarted;		/* never started */
	int64_t begin, end;		/* ns; end: of the last event */
	int64_t steady_begin, steady_end;	/* without warm-up and tail */
	bool endless;			/* stopped: they evict each other without end */
	bool stopped;			/* by progress() */
};

static inline double seconds(int64_t ns)
{
	return (double) ns / SPEC_SEC;
}

/* ---- replay.c ---- */

/* NULL after a message: a name in an option is not known. */
struct replay *replay_run(const struct conf *conf, const struct trace *trace,
			  const struct replay_options *options);
void replay_free(struct replay *r);

/* ---- figures.c ---- */

/* From `begin` on nothing is used. */
void replay_use_open(struct replay_use *u, int64_t begin);
/* At `at` the use grows by so much. */
void replay_use_change(struct replay_use *u, int64_t at, int64_t by);

/* Nothing more happens until the end of r: fills the sums, sorts the waits. */
void replay_queue_close(struct replay_queue *q, const struct replay *r);

/* All queues together: as one queue, without changes. The caller frees its waits and uses. */
struct replay_queue replay_total(const struct replay *r);

/* The wait that p percent of the jobs do not exceed, ns; 0 if no job started */
int64_t replay_wait(const struct replay_queue *q, int p);
double replay_wait_mean(const struct replay_queue *q);	/* seconds */

/* ---- native.c ---- */

/* "caps" or "scavenger"; false: neither */
bool native_find(const char *name, enum native *native);
const char *native_name(enum native native);	/* "native caps" */

/* The queues of `spec` have the same indexes. scavenger: queue i + nqueues is
 * where jobs of queue i run that any owner preempts. It shares names, groups,
 * flavors and resources with `spec`, which must last as long. native_free() takes NULL. */
struct spec *native_make(const struct spec *spec, enum native kind);
void native_free(struct spec *native);

/* ---- jobs.c: a trace and the options in the terms of a configuration ---- */

/* "a100:cpu=64,gres/gpu=8;cpu:cpu=128": so much room have the flavors' nodes. False after
 * a message */
bool replay_nodes_tell(struct sim *sim, const struct conf *conf, const char *nodes);

struct replay_ask {
	const struct conf *conf;
	const struct replay_options *options;
	bool sacct;
	struct hash locals;	/* local queues, by queue and name */
	struct sim *sim;	/* gets their weights */
	struct request *requests;
	bool *ineligible;	/* by flavor */
};

void replay_ask_open(struct replay_ask *ask, const struct conf *conf,
		     const struct trace *trace, const struct replay_options *options);
void replay_ask_close(struct replay_ask *ask);

/* SPEC_NONE if none matches */
int replay_queue_of(const struct replay_ask *ask, const struct trace_job *job);
/* Fills desc; podset and its pointers live until the next call. */
void replay_desc(struct replay_ask *ask, const struct trace_job *job, int queue,
		 struct workload_desc *desc, struct podset_desc *podset);
bool replay_covers(const struct spec *spec, int queue, const char *resource);

/* ---- classes.c ---- */

/* The name of its class, or a number; NULL: none */
const char *replay_class_of(const struct replay_ask *ask, const struct trace_job *job);
/* False: its class is a name that has no priority, *priority is 0 */
bool replay_priority_of(const struct replay_ask *ask, const struct trace_job *job,
			int64_t *priority);

/* Of --`option`: times, or else numbers, each of a class; text may be NULL. False after a
 * message; by_class_free() in any case */
bool by_class_read(struct by_class *list, const char *option, const char *text, bool times);
void by_class_free(struct by_class *list);

/* What it has for a class (NULL: none). False: nothing, *value is 0 */
bool by_class_find(const struct by_class *list, const char *class, int64_t *value);

/* "1h"; false: it is no time with a unit */
bool one_time_read(const char *text, int64_t *ns);

/* Is there a job of each class of --`option`? False after a message */
bool by_class_fits(const struct by_class *list, const struct replay_ask *ask,
		   const struct trace *trace, const char *option);

#endif /* SCOHORT_REPLAY_H */
