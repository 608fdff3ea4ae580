/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side.h - the jobs that there are, in an engine under one configuration
 *
 * Rules are not read here: the engine is that of the plugin, and is asked. It has no usage
 * history, and does not know which runs are settled.
 */
#ifndef SCOHORT_DIFF_SIDE_H
#define SCOHORT_DIFF_SIDE_H

#include "conf.h"
#include "ledger/published.h"
#include "query.h"
#include "slurm/classes.h"
#include "slurm/job_views.h"

/* A job on one side */
struct standing {
	int queue;		/* SPEC_NONE: none */
	struct workload *work;	/* in the engine, or NULL */
	struct side *side;
	int64_t place;		/* in line, from 1; 0: it has none */
	bool evictable;
	bool drained;		/* its queue has stopPolicy HoldAndDrain */
	bool unknown;		/* it runs on nodes whose flavor is not known on this side */
};

/* A job that is not over, before and after */
struct job {
	const struct view *v;
	struct standing from, to;
	int by;			/* the last queue that was found to evict it */
};

struct side {
	const struct conf *conf;
	const struct spec *spec;
	const struct published *p;
	const struct classes *classes;
	int64_t now;		/* ns */
	struct engine *engine;
	struct json_object *queues;	/* what each covers, as the published file has it */
};

/* without jobs. The arguments outlive it. side_close() in any case */
void side_open(struct side *s, const struct conf *conf, const struct published *p,
	       const struct classes *classes);
void side_close(struct side *s);

/* The queue of the job; "": none */
const char *side_queue_name(const struct side *s, int queue);

/* Finds its queue, and adds it to the books if it runs. exempt: the PreemptMode of the job
 * forbids that it is evicted. along: another component of the same job on this side, or NULL */
void side_run(struct side *s, struct job *job, struct standing *is, bool exempt,
	      struct workload *along);

/* What the published file says is in use on the side `from`, beyond the jobs that run there:
 * other users' jobs that this user may not see. Added to the queues of that name in `s`. */
void side_add_rest(struct side *s, const struct side *from);

/* Calls f() for each running job that jobs of `queue` could evict now, or when protected times
 * are over, perhaps more than once. It is asked for a job of any size that has the highest
 * priority that there is. */
typedef void (*side_found_f)(void *arg, struct job *job, int queue);
void side_survey(struct side *s, int queue, side_found_f f, void *arg);

/* After all surveys: the job waits in line, if it is of a queue. Then, with all there, places */
void side_wait(struct side *s, struct job *job, struct standing *is);
void standing_place(struct standing *is);

#endif /* SCOHORT_DIFF_SIDE_H */
