/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  reason.c - the text that squeue shows as REASON
 *
 *  "Cohort:pos=3/41,wait=quota(gres/gpu@a100),need=8,free=2,cq=vision": no
 *  spaces, at most 119 characters, the same as long as nothing changes, and
 *  rewritten at most once per visibility.updateInterval and job, so that many
 *  waiting jobs do not make every squeue fetch everything again.
\*****************************************************************************/
#include "tell/reason.h"

#include "state/job.h"
#include "record/count.h"
#include "record/nearest.h"
#include "record/seats.h"
#include "record/shown.h"
#include "jobs/chance.h"
#include "jobs/jobs.h"
#include "books/books.h"
#include "document/publish_nodes.h"

static const char *_resource_name(int resource)
{
	return resource < 0 ? "any" : ctld.conf->spec->resources[resource];
}

static const char *_flavor_name(int flavor)
{
	return flavor < 0 ? "any" : ctld.conf->spec->flavors[flavor];
}

static void _until_text(int64_t until, char *text, size_t size)
{
	time_t t = until == INT64_MAX ? 0 : time_of(until);
	struct tm tm;

	if (!t || !localtime_r(&t, &tm))
		snprintf(text, size, "unknown");
	else
		strftime(text, size, "%H:%M:%S", &tm);
}

static void _quota_text(const struct verdict *v, int64_t free, char *text,
			size_t size)
{
	snprintf(text, size, "quota(%s@%s),need=%"PRId64",free=%"PRId64,
		 _resource_name(v->resource), _flavor_name(v->flavor), v->need,
		 free);
}

static void _wait_text(const struct entry *entry, const struct verdict *v,
		       char *text, size_t size)
{
	char until[16];

	switch (v->reason) {
	case WAIT_IS_QUOTA:
		_quota_text(v, v->free, text, size);
		break;
	case WAIT_IS_PREEMPTING:
		snprintf(text, size, "preempting(%zu)", v->nvictims);
		break;
	case WAIT_IS_PROTECTED:
		if (v->spent) {
			snprintf(text, size, "protected(maxPreemptions)");
			break;
		}
		if (v->fixed) {
			snprintf(text, size, "protected(nonpreemptible)");
			break;
		}
		_until_text(v->until, until, sizeof(until));
		snprintf(text, size, "protected(until=%s)", until);
		break;
	case WAIT_IS_ORDER:
		snprintf(text, size, "order");
		break;
	case WAIT_IS_HELD:
		snprintf(text, size, "held(cq)");
		break;
	case WAIT_IS_NEVER:
		if (v->flavor < 0) {
			snprintf(text, size, "never(nodes)");
			break;
		}
		/* the last offer was more: the next one may be less */
		if (entry->learned) {
			_quota_text(v, v->max, text, size);
			break;
		}
		snprintf(text, size, "never(max=%"PRId64"),need=%"PRId64" %s@%s",
			 v->max, v->need, _resource_name(v->resource),
			 _flavor_name(v->flavor));
		break;
	case WAIT_IS_NONPREEMPTIBLE:
		snprintf(text, size, "nonpreemptible(%s@%s),cap=%"PRId64
			 ",used=%"PRId64",need=%"PRId64,
			 _resource_name(v->resource), _flavor_name(v->flavor),
			 v->max, v->used, v->need);
		break;
	}
}

/* The job has quota, or would have it once others have gone. */
static void _nodes_text(const struct job *job, char *text, size_t size)
{
	char until[16];

	publish_nodes_asked();
	if (!chance_pauses_evictions(job, time(NULL))) {
		snprintf(text, size, "nodes");
		return;
	}
	_until_text(ns_of(job->chance.evicts_from), until, sizeof(until));
	snprintf(text, size, "nodes,evicts=%s", until);
}

static void _position_text(const struct entry *entry, char *text, size_t size)
{
	int64_t max = ctld.conf->max_position;
	struct position pos;

	engine_position(ctld.engine, entry->work, &pos);
	if (max && (pos.place > max))
		snprintf(text, size, "pos=%"PRId64"+", max);
	else if (max && (pos.total > max))
		snprintf(text, size, "pos=%"PRId64"/%"PRId64"+", pos.place, max);
	else
		snprintf(text, size, "pos=%"PRId64"/%"PRId64, pos.place,
			 pos.total);
}

extern void reason_text(const struct entry *entry, char *text, size_t size)
{
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);
	int queue = workload_queue(entry->work);
	char pos[48], wait[96];

	_position_text(entry, pos, sizeof(pos));
	if (v->kind == VERDICT_WAIT)
		_wait_text(entry, v, wait, sizeof(wait));
	else if (entry->chance.behind)
		snprintf(wait, sizeof(wait), "order");
	else
		_nodes_text(entry->job, wait, sizeof(wait));
	snprintf(text, size, SHOWN_REASON "%s,wait=%s,cq=%s", pos, wait,
		 ctld.conf->spec->queues[queue].name);
	for (char *c = text; *c; c++) {
		if (*c == ' ')
			*c = '_';
	}
}

static void _show(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;

	if (!xstrcmp(job_ptr->state_desc, job->reason))
		return;
	if (!job_ptr->state_desc)	/* an update? it is to be looked at */
		seat_unsettle(job);
	xfree(job_ptr->state_desc);
	job_ptr->state_desc = xstrdup(job->reason);
	/* The next pass would clear the text with a reason that is out of date:
	 * a restart brings such a reason back. */
	if ((job_ptr->state_reason == WAIT_NO_REASON) ||
	    (job_ptr->state_reason == WAIT_TIME) ||
	    (job_ptr->state_reason == WAIT_DEPENDENCY))
		job_ptr->state_reason = WAIT_RESOURCES;
	last_job_update = time(NULL);
}

/* Numbers may be out of date until the interval is over; a text that
 * contradicts the plan is put right at once. */
static int _what(const struct entry *entry)
{
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);

	if (v->kind == VERDICT_WAIT)
		return 1 + (int) v->reason;
	return entry->chance.behind ? 1 + WAIT_IS_ORDER : 0;
}

/* Who was just started may not be evicted for a moment, and all that wait for
 * quota wait for that. It is no news where it is over before the text may be
 * written anew. */
static bool _passes_soon(const struct job *job, const struct verdict *v,
			 time_t interval)
{
	return (job->reason_what == 1 + WAIT_IS_QUOTA) &&
		(v->kind == VERDICT_WAIT) &&
		(v->reason == WAIT_IS_PROTECTED) && !v->spent &&
		(v->until < INT64_MAX) &&
		(time_of(v->until) <= job->reason_at + interval);
}

/* A text that is old is made anew only if it may be another one: verdicts and
 * positions are those of the plan. Only a pause of evictions ends by the clock:
 * the text of a job that waits for nodes tells of it. */
static bool _is_outdated(const struct job *job, const struct entry *entry,
			 int what, time_t now)
{
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);
	time_t interval = ctld.conf->update_interval / SPEC_SEC;

	if (!job->reason[0] || (now < job->reason_at))
		return true;
	if (what != job->reason_what)
		return !_passes_soon(job, v, interval);
	return (now - job->reason_at >= interval) &&
		(!what || (job->reason_of != books_plans()));
}

extern void reason_set(struct job *job, time_t now)
{
	const struct entry *entry = nearest_entry(&job->first);
	int what = _what(entry);

	if (_is_outdated(job, entry, what, now)) {
		reason_text(entry, job->reason, sizeof(job->reason));
		count_work(WORK_TEXT);
		job->reason_what = what;
		job->reason_of = books_plans();
		job->reason_at = now;
	}
	_show(job);
}

/* Slurm's reasons for jobs that may start and find no nodes, or are not even
 * tried because another job found none. Its other reasons are more precise than
 * ours. */
extern bool reason_is_nodes(const struct job *job)
{
	for_each_entry(e, job) {
		if (e->chance.no_nodes)
			return true;
	}
	return (job->job_ptr->state_reason == WAIT_RESOURCES) ||
		(job->job_ptr->state_reason == WAIT_PRIORITY);
}

static void _restore(struct job *job, void *arg)
{
	time_t now = *(time_t *) arg;
	job_record_t *job_ptr;

	if (!job_waits(job))
		return;
	/* job_ptr is as of the last scan: make sure that the record still
	 * exists */
	job_ptr = find_job_record(job->job_id);
	if (!job_ptr || (job_ptr != job->job_ptr) || !IS_JOB_PENDING(job_ptr) ||
	    !job_ptr->priority)
		return;
	shown_update_start(job);
	if (job->marked || reason_is_nodes(job))
		reason_set(job, now);
}

extern void reason_restore(void)
{
	time_t now = time(NULL);

	if (ctld_enforces())
		jobs_each(_restore, &now);
}
