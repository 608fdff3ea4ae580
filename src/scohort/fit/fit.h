/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit.h - scohort why --fit: the smallest change with which a waiting job starts sooner
 *
 * slurmctld is asked for each change as scohort whatif asks: by sbatch --test-only, as for one
 * more job of the same user. That one stands behind the job itself, so the answer is no better
 * than what the change brings.
 */
#ifndef SCOHORT_FIT_H
#define SCOHORT_FIT_H

#include "output/text.h"
#include "story/story.h"

#define FIT_QUESTIONS 8		/* at most, in one call */
#define FIT_TIMES 2		/* time limits that are tried */
#define FIT_PLACES 3		/* other cluster queues, or partitions, that are tried */
#define FIT_TEXT 1024

/* ---- request.c: what a job asks for ---- */

enum fit_field {
	FIT_TIME, FIT_CONSTRAINT, FIT_PARTITION, FIT_ACCOUNT, FIT_QOS, FIT_NODES, FIT_TASKS,
	FIT_CPUS, FIT_GPUS, FIT_GRES, FIT_MEM, FIT_MEM_CPU, FIT_NICE, FIT_THREADS,
	FIT_TASKS_NODE, FIT_GPUS_TASK, FIT_GPUS_SOCKET, FIT_CPUS_GPU, FIT_MEM_GPU,
	FIT_EXCLUSIVE, FIT_RESERVATION, FIT_LICENSES, FIT_TMP, FIT_NODELIST, FIT_EXCLUDE,
	FIT_COMMENT, FIT_USER, FIT_FIELDS
};

struct fit_request {
	char value[FIT_FIELDS][FIT_TEXT];	/* of sbatch's options; "": not given */
};

struct fit_job {
	struct fit_request asked;
	const char *gres;		/* begins a GRES for scontrol: "gres:" or "gres/" */
	int64_t node_cpus;		/* MinCPUsNode */
	bool anew;			/* more hangs on its sizes: no update, a new submission */
};

void fit_job_make(struct fit_job *job, const struct view *v);

/* Sets a text, or the number that it ends in. 0: it has none */
void request_set(struct fit_request *r, enum fit_field field, const char *text);
int64_t request_number(const struct fit_request *r, enum fit_field field);
void request_number_set(struct fit_request *r, enum fit_field field, int64_t n);

/* n options of sbatch, and NULL; list and texts are the caller's */
char **request_args(const struct fit_request *r, size_t *n);

const char *request_option(enum fit_field field);	/* "--gpus" */
/* "--gpus=2 instead of 4" */
char *request_words(const struct fit_job *job, const struct fit_request *r, char *buf,
		    size_t size);
/* As scontrol takes it: of an array all tasks that wait */
char *request_id(const struct view *v, char *buf, size_t size);
/* The command that makes the change. id: of request_id(). Returns buf. */
char *request_command(const struct fit_job *job, const struct fit_request *r, const char *id,
		      char *buf, size_t size);

/* ---- search.c ---- */

struct fit_answer {
	bool starts, now;		/* at some time; at once */
	bool behind;			/* other jobs come first, perhaps the job itself */
	bool stop;			/* no more answers now */
	int64_t start;			/* seconds since the epoch */
	size_t victims;
	char nodes[256], queue[128];
	char refusal[256];		/* of sbatch or slurmctld; "": they took the question */
};

struct fit_found {
	struct fit_request request;
	struct fit_answer answer;
	bool by_quota;			/* not asked: its quota is free */
};

struct fit_search {
	const struct fit_job *job;
	const struct reason *wait;
	int64_t estimate;		/* of its start, as it is; 0: there is none */
	bool evicted;			/* before: it may not evict as a new job may */
	char times[FIT_TIMES][TEXT_SIZE];	/* to try, the longest first; "": no more */
	struct fit_request places[FIT_PLACES];
	size_t nplaces;
	void (*ask)(void *arg, const struct fit_request *r, struct fit_answer *answer);
	void *arg;
	/* results */
	size_t questions, refused, nfound;
	bool behind, stood_behind, stopped;	/* some question; the last one; it said "stop" */
	char refusal[256];		/* the last one */
	struct listing tried;
	struct fit_found found[FIT_QUESTIONS];
};

/* Finds those that start now, smaller changes first; or else the one that starts soonest, if
 * that is sooner than the job as it is. */
void fit_search(struct fit_search *s);

/* ---- places.c: what there is to try ---- */

/* s->times and s->places. False: slurmctld told no accounts of the user, and only partitions
 * were looked at */
bool fit_find(struct fit_search *s, const struct story *story);

/* ---- fit.c ---- */

/* Adds the member "fit" to what why_tell() made of a job. */
void fit_tell(struct json_object *facts, const struct published *p, const struct view *v,
	      const struct controller *controller);
void fit_print(const struct output *out, struct json_object *facts);

#endif /* SCOHORT_FIT_H */
