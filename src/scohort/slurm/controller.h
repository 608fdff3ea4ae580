/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * controller.h - slurmctld: does it live, where does it keep its state, which jobs
 * does it show?
 *
 * libslurm tries for minutes to reach a slurmctld that is down. Here every
 * question has a time limit of some seconds.
 */
#ifndef SCOHORT_CONTROLLER_H
#define SCOHORT_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct reach {
	char *state_dir;	/* StateSaveLocation */
	char *slurm_conf;	/* path on the controller's host */
	char *preempt_type;
	bool private_jobs;	/* PrivateData has jobs */
	int64_t boot_time;
	uint32_t slurm_user;	/* uid of SlurmUser */
};

/* Asks slurmctld for its configuration. Returns STATUS_OK, or STATUS_DOWN with
 * a message in err. */
int reach_open(struct reach *reach, char *err, size_t size);
void reach_close(struct reach *reach);

/* The same, and checks that it runs our plugins: else STATUS_FAILED. Prints
 * what is wrong under the name of the command. */
int reach_open_cohort(struct reach *reach, const char *command);

enum view_state { VIEW_PENDING, VIEW_RUNNING, VIEW_SUSPENDED, VIEW_DONE };

/* A job as slurmctld shows it to this user; texts may be NULL and belong to
 * the list. Times are seconds since the epoch, 0: not known. */
struct view {
	uint32_t id;
	uint32_t array_id, task_id;	/* 0: no array; task: or UINT32_MAX */
	const char *array_tasks;	/* those that wait in this record */
	int64_t tasks;			/* how many that are, at least 1 */
	uint32_t het_id, het_offset;
	enum view_state state;
	const char *state_name;
	bool completing;
	const char *text;		/* what squeue shows as REASON, if any */
	int reason;			/* enum job_state_reason */
	const char *account, *partition, *qos, *user, *name;
	uint32_t uid, priority;
	int64_t submitted, eligible, start, end, preempted, preemptable;
	int64_t time_limit;		/* seconds, 0: none */
	uint32_t nnodes, restarts;
	const char *tres_asked, *tres_given, *tres_per_node, *tres_per_job;
	const char *gres_given;
	const char *nodes, *features, *dependency, *system_comment;
};

struct view_list {
	struct view *views;
	size_t n;
	void *message;		/* libslurm's */
};

/* All jobs (id 0), or those that go by this id: a job, the records of an array,
 * the components of a heterogeneous job. STATUS_OK, also for none at all;
 * STATUS_DOWN or STATUS_FAILED with a message in err. */
int views_load(struct view_list *list, uint32_t id, char *err, size_t size);
void views_free(struct view_list *list);

/* "8123", "8123_4", "8123_[1-3]", "8123+1" */
char *view_name(const struct view *v, char *buf, size_t size);

/* Is every one of `nodes` in `among` (NULL: all nodes there are)? */
bool nodes_are_among(const char *nodes, const char *among);

#endif /* SCOHORT_CONTROLLER_H */
