/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  reason.c - the text that squeue shows as REASON
 *
 *  "Cohort:pos=3/41,wait=quota(gres/gpu@a100),need=8,free=2,cq=vision": no
 *  spaces, at most 119 characters, the same as long as nothing changes, and
 *  rewritten at most once per visibility.updateInterval and job, so that many
 *  waiting jobs do not make every squeue fetch everything again.
\*****************************************************************************/
#include "tell/tell.h"

#include "match/match.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "books/books.h"

#include "query.h"
#include "text/reason.h"

static time_t nodes_at;		/* when a text last said that a job waits for nodes */

extern time_t reason_nodes_at(void)
{
	return nodes_at;
}

static time_t _interval(void)
{
	return ctld.conf->update_interval / SPEC_SEC;
}

/* ---- of which entry ---- */

/* How far an entry is from its start, nearest first */
static int _distance(const struct entry *entry)
{
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);

	if (v->kind == VERDICT_PREEMPT)
		return 1;
	return reason_forms[reason_kind_of(v, false, false)].distance;
}

static bool _is_nearer(const struct entry *entry, const struct entry *than)
{
	int closer = _distance(than) - _distance(entry);
	int64_t total;

	return (closer > 0) ||
		(!closer && (engine_place(ctld.engine, entry->work, &total) <
			     engine_place(ctld.engine, than->work, &total)));
}

extern const struct entry *nearest_entry(const struct entry *entry)
{
	const struct job *job = entry->job;
	int n = entry == &job->first ? job_nvias(job) : 0;
	const struct entry *nearest = NULL;

	for (int i = 0; i < n; i++) {
		const struct entry *e = job->vias->all[i].entry;

		if (!e || !e->work || (e == nearest))
			continue;
		if (!nearest || _is_nearer(e, nearest))
			nearest = e;
	}
	/* of components, the one that keeps the job from its start */
	return nearest ? nearest :
		entry_of(engine_waits_for(ctld.engine, entry->work));
}

/* ---- the text ---- */

static void _set_until(struct reason *r, time_t t)
{
	struct tm tm;

	if (localtime_r(&t, &tm))
		strftime(r->until, sizeof(r->until), "%H:%M:%S", &tm);
}

/* A pass may make thousands of these texts: no printf() here. */
static void _copy(char to[REASON_SIZE], const char *text)
{
	size_t n = strnlen(text, REASON_SIZE - 1);

	memcpy(to, text, n);
	to[n] = '\0';
}

static void _set_names(struct reason *r, const struct verdict *v)
{
	const struct spec *spec = ctld.conf->spec;

	_copy(r->resource, v->resource < 0 ? "any" : spec->resources[v->resource]);
	_copy(r->flavor, v->flavor < 0 ? "any" : spec->flavors[v->flavor]);
}

/* The job has quota, or would have it once others have gone. */
static void _look_at_nodes(struct reason *r, const struct job *job)
{
	nodes_at = time(NULL);
	if (!chance_pauses_evictions(job, time(NULL)))
		return;
	r->kind = REASON_NODES_PAUSED;
	_set_until(r, job->offer.evicts_from);
}

/* After an event a job has no verdict until it is planned, before the next pass: the
 * text keeps still until then. */
static enum reason_kind _kind(const struct entry *entry, const struct verdict *v)
{
	enum reason_kind kind = reason_kind_of(v, entry->behind, entry->lessons.learned);

	if (kind == REASON_PASS)
		return entry->behind ? REASON_ORDER : REASON_NODES;
	return kind;
}

static void _set_position(struct reason *r, const struct entry *entry)
{
	int64_t max = ctld.conf->max_position;

	r->place = engine_place(ctld.engine, entry->work, &r->total);
	if (!max || (r->total <= max))
		return;
	r->known = max;
	if (r->place > max)
		r->place = 0;
}

extern void reason_text(const struct entry *entry, char text[REASON_SIZE])
{
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);
	int queue = workload_queue(entry->work);
	struct reason r;

	reason_of_verdict(&r, v, entry->behind, entry->lessons.learned);
	r.kind = _kind(entry, v);
	_set_names(&r, v);
	if (reason_has(r.kind, "until"))
		_set_until(&r, time_of(v->until));
	if (r.kind == REASON_NODES)
		_look_at_nodes(&r, entry->job);
	_set_position(&r, entry);
	_copy(r.queue, ctld.conf->spec->queues[queue].name);
	reason_print(&r, text);
}

/* ---- where squeue finds it ---- */

static void _show(struct job *job, const char *text)
{
	job_record_t *job_ptr = job->job_ptr;

	if (!xstrcmp(job_ptr->state_desc, text))
		return;
	xfree(job_ptr->state_desc);
	job_ptr->state_desc = xstrdup(text);
	count_work(WORK_TEXT);
	/* The next pass would clear the text with a reason that is out of date:
	 * a restart brings such a reason back. */
	if ((job_ptr->state_reason == WAIT_NO_REASON) || (job_ptr->state_reason == WAIT_TIME) ||
	    (job_ptr->state_reason == WAIT_DEPENDENCY))
		job_ptr->state_reason = WAIT_RESOURCES;
	last_job_update = time(NULL);
}

/* Who was just started may not be evicted for a moment, and all that wait for
 * quota wait for that. It is no news where it is over before the text may be
 * written anew. */
static bool _passes_soon(const struct job *job, const struct verdict *v, time_t interval)
{
	return (job->reason_what == REASON_QUOTA) && (v->kind == VERDICT_WAIT) &&
		(v->reason == WAIT_IS_PROTECTED) && !v->spent && (v->until < INT64_MAX) &&
		(time_of(v->until) <= job->reason_at + interval);
}

/* A job that waits for quota is in turn from the end of another one to the start of the
 * next: that is told only if it lasts. */
static bool _is_in_turn_for_a_moment(struct job *job, const struct verdict *v, time_t now)
{
	if ((job->reason_what != REASON_QUOTA) || (v->kind != VERDICT_WAIT) ||
	    (v->reason != WAIT_IS_ORDER)) {
		job->in_turn_at = 0;
		return false;
	}
	if (!job->in_turn_at || (job->in_turn_at > now))
		job->in_turn_at = (uint32_t) now;
	return now - job->in_turn_at < _interval();
}

/* Numbers may be out of date until the interval is over; a text that contradicts the
 * plan is put right at once.
 * A text that is old is made anew only if it may be another one: verdicts and
 * positions are those of the plan. Only a pause of evictions ends by the clock:
 * the text of a job that waits for nodes tells of it. */
static bool _is_outdated(struct job *job, const struct verdict *v, uint8_t what, time_t now)
{
	time_t interval = _interval();

	if (!job->reason_at || (now < job->reason_at))
		return true;
	if (_is_in_turn_for_a_moment(job, v, now))
		return false;
	if ((what != job->reason_what) && !_passes_soon(job, v, interval))
		return true;
	return (now - job->reason_at >= interval) &&
		((what == REASON_NODES) || (job->reason_of != ctld.plans));
}

static void _write(struct job *job, const struct entry *entry, uint8_t what, time_t now)
{
	char text[REASON_SIZE];

	reason_text(entry, text);
	_show(job, text);
	job->reason_what = what;
	job->in_turn_at = 0;
	job->reason_of = ctld.plans;
	job->reason_at = (uint32_t) now;
}

extern void reason_set(struct job *job, time_t now)
{
	const struct entry *entry = nearest_entry(&job->first);
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);
	enum reason_kind kind = _kind(entry, v);

	if (!shown_is_there(job) || _is_outdated(job, v, kind, now))
		_write(job, entry, kind, now);
}

/* Slurm's reasons for jobs that may start and find no nodes, or are not even
 * tried because another job found none. Its other reasons are more precise than
 * ours. */
extern bool reason_is_nodes(const struct job *job)
{
	for_each_entry(e, job) {
		if (e->standing == STANDS_NO_NODES)
			return true;
	}
	return (job->job_ptr->state_reason == WAIT_RESOURCES) ||
		(job->job_ptr->state_reason == WAIT_PRIORITY);
}

/* A job may have got a dependency or a later begin time since the last walk, and
 * Slurm's reason says so. After a restart it may say so of one that is in line. */
static bool _may_have_left(job_record_t *job_ptr, time_t now)
{
	return ((job_ptr->state_reason == WAIT_DEPENDENCY) ||
		(job_ptr->state_reason == WAIT_TIME)) && !job_is_in_line(job_ptr, now, false);
}

static void _restore(struct job *job, void *arg)
{
	time_t now = *(time_t *) arg;
	job_record_t *job_ptr;

	if (!job_waits(job))
		return;
	job_ptr = jobs_record(job);
	if (!job_ptr || !IS_JOB_PENDING(job_ptr) || !job_ptr->priority ||
	    _may_have_left(job_ptr, now))
		return;
	shown_update_start(job);
	if (!job->marked && !reason_is_nodes(job))
		return;
	reason_set(job, now);
}

extern void reason_restore(void)
{
	time_t now = time(NULL);

	if (ctld_enforces())
		jobs_each(_restore, &now);
}
