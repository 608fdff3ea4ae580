/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_views.c - jobs, as slurmctld shows them to this user
 */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output/exit_status.h"
#include "slurm/api.h"
#include "slurm/controller.h"
#include "slurm/job_views.h"

struct question {
	uint32_t id;		/* 0: all jobs, or those of the user */
	bool by_user;
	uint32_t uid;
	job_info_msg_t *message;
	int error;
};

static void ask(void *arg)
{
	struct question *q = arg;
	int rc;

	if (q->id)
		rc = slurm_load_job(&q->message, q->id, SHOW_ALL | SHOW_DETAIL);
	else if (q->by_user)
		rc = slurm_load_job_user(&q->message, q->uid, SHOW_ALL);
	else
		rc = slurm_load_jobs(0, &q->message, SHOW_ALL);
	q->error = rc ? errno : 0;
}

static enum view_state view_state(uint32_t state)
{
	switch (state & JOB_STATE_BASE) {
	case JOB_PENDING:
		return VIEW_PENDING;
	case JOB_RUNNING:
		return VIEW_RUNNING;
	case JOB_SUSPENDED:
		return VIEW_SUSPENDED;
	default:
		return VIEW_DONE;
	}
}

/* Tasks in "1-3,7,10-20:5%2" */
static int64_t tasks_count(const char *text)
{
	int64_t n = 0;

	while (text && *text && *text != '%') {
		char *end;
		long first = strtol(text, &end, 10), last = first, step = 1;

		if (end == text)
			break;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		if (*end == ':')
			step = strtol(end + 1, &end, 10);
		n += step > 0 && last >= first ? (last - first) / step + 1 : 1;
		text = end + (*end == ',');
	}
	return n ? n : 1;
}

static const char *text_or_null(const char *text)
{
	return text && *text ? text : NULL;
}

static void view_identify(struct view *v, const slurm_job_info_t *job)
{
	v->info = job;
	v->id = job->job_id;
	v->array_id = job->array_job_id;
	v->task_id = job->array_task_id == NO_VAL ? UINT32_MAX : job->array_task_id;
	v->array_tasks = text_or_null(job->array_task_str);
	v->tasks = v->array_tasks && v->task_id == UINT32_MAX ? tasks_count(v->array_tasks) : 1;
	v->het_id = job->het_job_id == NO_VAL ? 0 : job->het_job_id;
	v->het_offset = job->het_job_offset;
	v->account = text_or_null(job->account);
	v->partition = text_or_null(job->partition);
	v->qos = text_or_null(job->qos);
	v->user = text_or_null(job->user_name);
	v->name = text_or_null(job->name);
	v->uid = job->user_id;
}

/* suspend_time is when it was suspended or resumed last, pre_sus_time how long it
 * had run until then. */
static int64_t ran_since(const slurm_job_info_t *job)
{
	if (!job->suspend_time)
		return job->start_time;
	if (view_state(job->job_state) == VIEW_SUSPENDED)
		return time(NULL) - job->pre_sus_time;
	return job->suspend_time - job->pre_sus_time;
}

static void view_fill(struct view *v, const slurm_job_info_t *job)
{
	view_identify(v, job);
	v->state = view_state(job->job_state);
	v->state_name = api_state_name(job->job_state & JOB_STATE_BASE);
	v->completing = job->job_state & JOB_COMPLETING;
	v->text = text_or_null(job->state_desc);
	v->reason = job->state_reason;
	v->priority = job->priority;
	v->submitted = job->submit_time;
	v->eligible = job->eligible_time;
	v->start = job->start_time;
	v->end = job->end_time;
	v->preempted = job->preempt_time;
	v->preemptable = job->preemptable_time;
	v->ran_since = ran_since(job);
	if (job->time_limit != INFINITE && job->time_limit != NO_VAL)
		v->time_limit = (int64_t) job->time_limit * 60;
	v->nnodes = job->num_nodes;
	v->whole_nodes = job->shared == JOB_SHARED_NONE;
	v->restarts = job->restart_cnt;
	v->tres_asked = text_or_null(job->tres_req_str);
	v->tres_given = text_or_null(job->tres_alloc_str);
	v->tres_per_node = text_or_null(job->tres_per_node);
	v->tres_per_job = text_or_null(job->tres_per_job);
	v->gres_given = text_or_null(job->gres_total);
	v->nodes = text_or_null(job->nodes);
	v->features = text_or_null(job->features);
	v->dependency = text_or_null(job->dependency);
	v->comment = text_or_null(job->comment);
	v->system_comment = text_or_null(job->system_comment);
}

static int views_ask(struct view_list *list, const struct question *question, char *err,
		     size_t size)
{
	/* a question that took too long may still be answered later */
	static struct question q;

	memset(list, 0, sizeof(*list));
	q = *question;
	if (!timed_question(ask, &q, &q.error, err, size))
		return q.error == ESLURM_INVALID_JOB_ID ? STATUS_OK : STATUS_DOWN;
	list->message = q.message;
	list->views = calloc(q.message->record_count + 1, sizeof(*list->views));
	if (!list->views) {
		snprintf(err, size, "out of memory");
		return STATUS_FAILED;
	}
	for (uint32_t i = 0; i < q.message->record_count; i++) {
		const slurm_job_info_t *job = &q.message->job_array[i];

		if (job->job_id)
			view_fill(&list->views[list->n++], job);
	}
	return STATUS_OK;
}

static bool component_ended(const struct view_list *list, const struct view *v)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct view *other = &list->views[i];

		if (other->het_id == v->het_id && other->state == VIEW_DONE && !other->completing)
			return true;
	}
	return false;
}

static void components_compare(struct view_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct view *v = &list->views[i];

		v->component_ended = v->het_id && v->state == VIEW_PENDING
				     && component_ended(list, v);
	}
}

int views_load(struct view_list *list, uint32_t id, char *err, size_t size)
{
	int status = views_ask(list, &(struct question) { .id = id }, err, size);

	if (id)
		components_compare(list);
	return status;
}

int views_load_user(struct view_list *list, uint32_t uid, char *err, size_t size)
{
	int status = views_ask(list, &(struct question) { .by_user = true, .uid = uid }, err, size);

	components_compare(list);
	return status;
}

void views_free(struct view_list *list)
{
	free(list->views);
	if (list->message)
		slurm_free_job_info_msg(list->message);
	memset(list, 0, sizeof(*list));
}

struct change {
	uint32_t id;
	char *comment;
	int error;
};

static void change(void *arg)
{
	struct change *c = arg;
	job_desc_msg_t desc;

	slurm_init_job_desc_msg(&desc);
	api_describes(&desc, c->id);
	desc.comment = c->comment;
	c->error = slurm_update_job(&desc) ? errno : 0;
}

int job_set_comment(uint32_t id, const char *comment, char *err, size_t size)
{
	/* a request that took too long may still be answered later */
	static struct change c;

	c = (struct change) { .id = id, .comment = strdup(comment) };
	if (!c.comment) {
		snprintf(err, size, "out of memory");
		return STATUS_FAILED;
	}
	if (!timed_question(change, &c, &c.error, err, size))
		return STATUS_FAILED;
	free(c.comment);
	return STATUS_OK;
}

const char *view_user(const struct view *v)
{
	static uint32_t last_uid = UINT32_MAX;
	static char last[64];
	const struct passwd *pw;

	if (v->user || v->uid == last_uid)
		return v->user ? v->user : last;
	pw = getpwuid(v->uid);
	last_uid = v->uid;
	snprintf(last, sizeof(last), pw ? "%s" : "%.0s%u", pw ? pw->pw_name : "", v->uid);
	return last;
}

char *view_name(const struct view *v, char *buf, size_t size)
{
	if (v->array_id && v->task_id != UINT32_MAX)
		snprintf(buf, size, "%u_%u", v->array_id, v->task_id);
	else if (v->array_id && v->array_tasks)
		snprintf(buf, size, "%u_[%s]", v->array_id, v->array_tasks);
	else if (v->het_id)
		snprintf(buf, size, "%u+%u", v->het_id, v->het_offset);
	else
		snprintf(buf, size, "%u", v->id);
	return buf;
}
