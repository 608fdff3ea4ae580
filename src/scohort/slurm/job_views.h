/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_views.h - jobs, as slurmctld shows them to this user
 */
#ifndef SCOHORT_JOB_VIEWS_H
#define SCOHORT_JOB_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum view_state { VIEW_PENDING, VIEW_RUNNING, VIEW_SUSPENDED, VIEW_DONE };

struct job_info;

/* A job as slurmctld shows it to this user; texts may be NULL and belong to
 * the list. Times are seconds since the epoch, 0: not known. */
struct view {
	const struct job_info *info;	/* all that libslurm has; belongs to the list */
	uint32_t id;
	uint32_t array_id, task_id;	/* 0: no array; task: or UINT32_MAX */
	const char *array_tasks;	/* those that wait in this record */
	int64_t tasks;			/* how many that are, at least 1 */
	uint32_t het_id, het_offset;
	bool component_ended;		/* of the same job: Slurm never starts this
					 * one; not told in a list of all jobs */
	enum view_state state;
	const char *state_name;
	bool completing;
	const char *text;		/* what squeue shows as REASON, if any */
	int reason;			/* enum job_state_reason */
	const char *account, *partition, *qos, *user, *name;
	uint32_t uid, priority;
	int64_t submitted, eligible, start, end, preempted, preemptable;
	int64_t ran_since;		/* the start of the run, later by the time
					 * in which it was suspended */
	int64_t time_limit;		/* seconds, 0: none */
	uint32_t nnodes, restarts;
	bool whole_nodes;		/* --exclusive */
	const char *tres_asked, *tres_given, *tres_per_node, *tres_per_job;
	const char *gres_given;
	const char *nodes, *features, *dependency, *comment, *system_comment;
};

struct view_list {
	struct view *views;
	size_t n;
	void *message;		/* libslurm's */
};

/* All jobs (id 0), or those that have this id: a job, the records of an array,
 * the components of a heterogeneous job. STATUS_OK, also for none at all;
 * STATUS_DOWN or STATUS_FAILED with a message in err. */
int views_load(struct view_list *list, uint32_t id, char *err, size_t size);
/* The same of all jobs of one user */
int views_load_user(struct view_list *list, uint32_t uid, char *err, size_t size);
/* A list that could not be loaded may be freed, too. */
void views_free(struct view_list *list);

/* Gives the job of that number another comment, which its owner may do: of an array only that
 * task. STATUS_OK, or STATUS_FAILED with a message in err */
int job_set_comment(uint32_t id, const char *comment, char *err, size_t size);

/* The name of its user, which slurmctld does not always tell, or the uid: valid until the
 * next call */
const char *view_user(const struct view *v);

/* The id as squeue has it: "8123", "8123_4", "8123_[1-3]", "8123+1". Returns buf. */
char *view_name(const struct view *v, char *buf, size_t size);

#endif /* SCOHORT_JOB_VIEWS_H */
