/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  eviction.c - what is kept of an eviction: texts in the victim's record, and an
 *  event (cohort.yaml(5) has its form)
 *
 *  The text stays in system_comment past requeue and restart until the job ends, or
 *  is evicted again. Programs read it: slurm-cohort(8) has the form. slurmctld
 *  sends no system_comment to slurmdbd, but, when a run ends, admin_comment: there
 *  the same text is a part in brackets, and what else is there stays.
 *
 *  The event begins when the eviction is decided, with the numbers of that moment,
 *  and is complete when the run has ended. In between it is a part of our record of
 *  the job and of the state file: with a grace time that may take hours. Names of
 *  users are added by the thread that writes it.
\*****************************************************************************/
#include "record/record.h"

#include "state/json.h"
#include "match/match.h"

#define EVENT_VERSION 1
#define ADDRESS_BYTES 255	/* as many as json_short_text() takes */
#define ADMIN_BEGIN "[slurm-cohort: "

/* ---- texts in the record ---- */

static void _time_text(char *text, size_t size, time_t now)
{
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, size, "%Y-%m-%dT%H:%M:%S", &tm);
}

static void _set_comment(job_record_t *job_ptr, const char *text)
{
	xfree(job_ptr->system_comment);
	job_ptr->system_comment = xstrdup(text);
	last_job_update = time(NULL);
}

extern void eviction_note_drained(job_record_t *job_ptr, const char *queue)
{
	char when[32], *text = NULL;

	if (!ctld.conf->comments)
		return;
	_time_text(when, sizeof(when), time(NULL));
	xstrfmtcat(text, "drained at %s, cluster queue %s has stopPolicy HoldAndDrain",
		   when, queue);
	_set_comment(job_ptr, text);
	xfree(text);
}

/* Where our part begins, with the blank before it, and where it ends; NULL: there
 * is none. No name that may stand in it has a bracket. */
static char *_admin_part(char *text, char **end)
{
	char *at = xstrstr(text, ADMIN_BEGIN);

	if (!at || !(*end = strchr(at, ']')))
		return NULL;
	(*end)++;
	return (at > text) && (at[-1] == ' ') ? at - 1 : at;
}

extern void eviction_clear_admin(job_record_t *job_ptr)
{
	char *end, *at = _admin_part(job_ptr->admin_comment, &end);

	if (!at)
		return;
	memmove(at, end, strlen(end) + 1);
	if (!job_ptr->admin_comment[0])
		xfree(job_ptr->admin_comment);
	last_job_update = time(NULL);
}

static void _add_admin(job_record_t *job_ptr, const char *text)
{
	eviction_clear_admin(job_ptr);
	xstrfmtcat(job_ptr->admin_comment, "%s" ADMIN_BEGIN "%s]",
		   job_ptr->admin_comment ? " " : "", text);
}

#define ALL ", preemption "
#define TURNS ", turns "
#define LOST ", counted "

extern void eviction_add_counts(char **text, const struct evictions *evictions, int max)
{
	xstrfmtcat(*text, ALL "%u", evictions->count + evictions->turns);
	if (evictions->turns)
		xstrfmtcat(*text, TURNS "%u", evictions->turns);
	xstrfmtcat(*text, LOST "%u", evictions->lost);
	if (max)
		xstrfmtcat(*text, " of %d", max);
}

/* The number behind these words, but at most so much; otherwise, if it is not there */
static uint32_t _number(const char *text, const char *words, uint32_t most,
			uint32_t otherwise)
{
	const char *at = xstrstr(text, words);

	return at ? MIN(strtoul(at + strlen(words), NULL, 10), most) : otherwise;
}

/* Before there was a number that counts, all evictions did. */
extern struct evictions eviction_counts(const job_record_t *job_ptr)
{
	const char *text = job_ptr->system_comment;
	struct evictions evictions = { 0 };
	uint32_t all;

	if (xstrncmp(text, "preempted at ", 13))
		return evictions;
	all = _number(text, ALL, UINT32_MAX, 0);
	evictions.turns = _number(text, TURNS, all, 0);
	evictions.count = all - evictions.turns;
	evictions.lost = _number(text, LOST, evictions.count, evictions.count);
	return evictions;
}

/* ---- the event ---- */

static void _text(struct json_object *o, const char *key, const char *text)
{
	json_add(o, key, json_short_text(text));
}

static const char *_queue_name(int queue)
{
	return queue == SPEC_NONE ? NULL : ctld.conf->spec->queues[queue].name;
}

/* Of the victim or the preemptor */
static void _add_job(struct json_object *o, const job_record_t *job_ptr,
		     int queue)
{
	json_add_number(o, "job", job_ptr->job_id);
	if (job_ptr->array_task_id != NO_VAL) {
		json_add_number(o, "arrayJob", job_ptr->array_job_id);
		json_add_number(o, "arrayTask", job_ptr->array_task_id);
	}
	if (job_ptr->het_job_id)
		json_add_number(o, "hetJob", job_ptr->het_job_id);
	json_add_number(o, "uid", job_ptr->user_id);
	_text(o, "account", job_ptr->account);
	_text(o, "queue", _queue_name(queue));
}

static struct json_object *_numbers_json(const struct event_numbers *n)
{
	struct json_object *o;

	if (!n)
		return NULL;
	o = json_object_new_object();
	json_add_pair(o, ctld.conf->spec, n->pair.flavor, n->pair.resource);
	json_add_number(o, "used", n->used);
	json_add_number(o, "nominal", n->nominal);
	json_add_number(o, "byUsed", n->by_used);
	json_add_number(o, "byNominal", n->by_nominal);
	json_add_number(o, "needed", n->pair.amount);
	json_add_number(o, "free", n->free);
	return o;
}

/* A part of an address would be another one. */
static const char *_address(const char *mail_user)
{
	return mail_user && (strlen(mail_user) <= ADDRESS_BYTES) ? mail_user :
		NULL;
}

/* What is true of this job and not of one that goes along with it */
static void _add_victim(struct json_object *o, const struct job *job)
{
	const struct evictions *evictions = &run_of(job)->evictions;
	int queue = workload_queue(job->first.work);

	_add_job(o, job->job_ptr, queue);
	_text(o, "name", job->job_ptr->name);
	_text(o, "mailUser", _address(job->job_ptr->mail_user));
	/* the one that it got: the record's own text may name all that it asked for */
	_text(o, "partition", job->job_ptr->part_ptr ? job->job_ptr->part_ptr->name :
	      job->job_ptr->partition);
	json_add_number(o, "started", job->job_ptr->start_time);
	_text(o, "next", evict_mode(job->job_ptr) == PREEMPT_MODE_REQUEUE ?
	      "requeue" : "cancel");
	json_add_number(o, "preemption", evictions->count + evictions->turns);
	json_add_number(o, "counted", evictions->lost);
	json_add_bool(o, "counts", run_counts_eviction(run_of(job)));
	json_add_number(o, "maxPreemptions",
		ctld.conf->spec->queues[queue].max_preemptions);
}

/* ---- it is decided, goes along with another one, or is not carried out ---- */

static void _forget(struct job *job)
{
	if (!job->run)
		return;
	json_object_put(job->run->evicted);
	job->run->evicted = NULL;
}

static struct json_object *_event_json(const struct job *job, const struct eviction_decided *d,
				       const char *text)
{
	struct json_object *o = json_object_new_object(), *by = json_object_new_object();

	_add_job(by, d->by, d->by_queue);
	json_add_number(o, "version", EVENT_VERSION);
	json_add_number(o, "time", 0);
	json_add_number(o, "decided", d->at);
	_add_victim(o, job);
	_text(o, "rule", victim_reason_name(d->rule));
	json_add(o, "by", by);
	json_add(o, "numbers", _numbers_json(d->numbers));
	json_add_text(o, "text", text);
	return o;
}

/* Without a time of its end no reader takes it for an eviction. */
extern struct json_object *eviction_observed(const struct job *job,
					     const struct eviction_decided *d)
{
	struct json_object *o = _event_json(job, d, d->why);

	json_object_object_del(o, "time");
	json_object_object_del(o, "counts");
	json_add_text(o, "observed", "evict");
	return o;
}

extern struct json_object *wait_observed(const struct job *job, const char *text)
{
	struct json_object *o = json_object_new_object();

	json_add_number(o, "version", EVENT_VERSION);
	json_add_number(o, "decided", time(NULL));
	_add_job(o, job->job_ptr, workload_queue(job->first.work));
	json_add_number(o, "tasks", job_waiting_tasks(job->job_ptr));
	json_add_text(o, "text", text);
	json_add_text(o, "observed", "wait");
	return o;
}

extern void eviction_note(struct job *job, const struct eviction_decided *d)
{
	char when[32], *text = NULL;

	_time_text(when, sizeof(when), d->at);
	xstrfmtcat(text, "preempted at %s by job %u (cluster queue %s), %s",
		   when, d->by->job_id, _queue_name(d->by_queue), d->why);
	_forget(job);
	job_get_run(job)->evicted = _event_json(job, d, text);
	if (ctld.conf->comments)
		_set_comment(job->job_ptr, text);
	if (ctld.conf->admin_comments)
		_add_admin(job->job_ptr, text);
	xfree(text);
}

static void _copy_event(struct job *job, struct json_object *of_leader)
{
	struct run *run = job_get_run(job);

	_forget(job);
	if (!of_leader || !job->first.work ||
	    json_object_deep_copy(of_leader, &run->evicted, NULL))
		return;
	json_object_object_del(run->evicted, "arrayJob");
	json_object_object_del(run->evicted, "arrayTask");
	_add_victim(run->evicted, job);
}

extern void eviction_note_along(struct job *job, const struct job *leader)
{
	struct json_object *of_leader = run_of(leader)->evicted;

	_copy_event(job, of_leader);
	if (ctld.conf->comments)
		_set_comment(job->job_ptr, leader->job_ptr->system_comment);
	if (ctld.conf->admin_comments && of_leader)
		_add_admin(job->job_ptr, json_text_of(of_leader, "text"));
}

extern void eviction_revoke(struct job *job)
{
	_forget(job);
	if (ctld.conf->comments)
		xfree(job->job_ptr->system_comment);
	eviction_clear_admin(job->job_ptr);
}

/* ---- the run has ended ---- */

extern struct json_object *eviction_ended(struct job *job, time_t ran, time_t lost)
{
	struct json_object *o = run_of(job)->evicted;
	const struct charge *charges;
	size_t n;

	if (!o)
		return NULL;
	charges = workload_charges(job->first.work, &n);
	job->run->evicted = NULL;
	json_add_number(o, "time", time(NULL));
	json_add_number(o, "ran", MAX(ran, 0));
	json_add(o, "lost", json_pairs(ctld.conf->spec, charges, job_runs(job) ? n : 0,
				       MAX(lost, 0)));
	return o;
}

/* ---- the state file ---- */

extern struct json_object *eviction_dump(const struct job *job)
{
	const struct run *run = run_of(job);
	struct json_object *copy = NULL;

	/* it is printed when the job may be gone */
	if (run->noted && json_object_deep_copy(run->evicted, &copy, NULL))
		return NULL;
	return copy;
}

static bool _rule_of(struct json_object *evicted, enum victim_reason *rule)
{
	const char *name = json_text_of(evicted, "rule");

	for (*rule = 0; *rule <= VICTIM_FAIR_SHARING; (*rule)++) {
		if (!xstrcmp(victim_reason_name(*rule), name))
			return true;
	}
	return false;
}

static bool _is(struct json_object *o, const char *key, enum json_type type)
{
	return json_object_is_type(json_object_object_get(o, key), type);
}

/* What is read from it later has its type: json-c aborts otherwise. */
static bool _is_well_formed(struct json_object *evicted)
{
	return json_object_is_type(evicted, json_type_object) &&
		_is(evicted, "by", json_type_object) &&
		_is(evicted, "rule", json_type_string) &&
		_is(evicted, "text", json_type_string);
}

extern void eviction_load(struct job *job, struct json_object *evicted)
{
	const job_record_t *job_ptr = job->job_ptr;
	enum victim_reason rule;
	struct json_object *by;
	struct run *run;

	if (!_is_well_formed(evicted) ||
	    !job_ptr->preempt_time || run_of(job)->noted ||
	    (json_number(evicted, "job") != job->job_id) ||
	    (json_number(evicted, "started") != job_ptr->start_time) ||
	    !_rule_of(evicted, &rule) ||
	    !json_object_object_get_ex(evicted, "by", &by))
		return;
	run = job_get_run(job);
	run->noted = true;
	run->noted_by = json_number(by, "job");
	run->noted_for = rule;
	run->noted_pure = !json_object_get_boolean(
		json_object_object_get(evicted, "counts"));
	run->evicted = json_object_get(evicted);
}
