/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  event.c - an eviction as an event: cohort.yaml(5) has its form
 *
 *  It begins when the eviction is decided, with the numbers of that moment, and
 *  is complete when the run has ended. In between it is a part of our record of
 *  the job and of the state file: with a grace time that may take hours.
 *
 *  What enforcement would do has "observed" and no "time": no reader takes it for an eviction.
 *
 *  Names of users are added by the thread that writes it.
\*****************************************************************************/
#include "record/event.h"

#include "state/json.h"
#include "match/evict_terms.h"
#include "match/job_standing.h"

#define EVENT_VERSION 1
#define ADDRESS_BYTES 255	/* as many as json_short_text() takes */

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

extern void event_decided(struct job *job, const struct eviction_decided *d)
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
	json_add_text(o, "text", d->text);
	event_forget(job);
	job_get_run(job)->evicted = o;
}

extern struct json_object *event_observed(const struct job *job, const char *what,
					  const struct eviction_decided *d)
{
	struct json_object *o = json_object_new_object(), *by;

	json_add_number(o, "version", EVENT_VERSION);
	json_add_text(o, "observed", what);
	json_add_number(o, "decided", d->at);
	_add_job(o, job->job_ptr, workload_queue(job->first.work));
	if (d->by) {
		by = json_object_new_object();
		_add_job(by, d->by, d->by_queue);
		json_add_number(o, "started", job->job_ptr->start_time);
		_text(o, "rule", victim_reason_name(d->rule));
		json_add(o, "by", by);
		json_add(o, "numbers", _numbers_json(d->numbers));
	} else {
		json_add_number(o, "tasks", job_waiting_tasks(job->job_ptr));
	}
	json_add_text(o, "text", d->text);
	return o;
}

extern void event_follow(struct job *job, const struct job *leader)
{
	struct run *run = job_get_run(job);
	struct json_object *of_leader;

	event_forget(job);
	of_leader = run_of(leader)->evicted;
	if (!of_leader || !job->first.work ||
	    json_object_deep_copy(of_leader, &run->evicted, NULL))
		return;
	json_object_object_del(run->evicted, "arrayJob");
	json_object_object_del(run->evicted, "arrayTask");
	_add_victim(run->evicted, job);
}

extern const char *event_text(const struct job *job)
{
	struct json_object *evicted = run_of(job)->evicted;

	return evicted ? json_text_of(evicted, "text") : "";
}

extern void event_forget(struct job *job)
{
	if (!job->run)
		return;
	json_object_put(job->run->evicted);
	job->run->evicted = NULL;
}

static struct json_object *_lost_json(const struct job *job, time_t ran)
{
	struct json_object *o = json_object_new_object();
	const struct charge *charges;
	char pair[PAIR_KEY_BYTES];
	size_t n;

	charges = workload_charges(job->first.work, &n);
	for (size_t i = 0; job_runs(job) && (i < n); i++) {
		pair_key_print(pair, ctld.conf->spec, charges[i].flavor, charges[i].resource);
		json_object_object_add(o, pair, json_object_new_int64(
					sat_mul(charges[i].amount, MAX(ran, 0))));
	}
	return o;
}

extern struct json_object *event_ended(struct job *job, time_t ran)
{
	struct json_object *o = run_of(job)->evicted;

	if (!o)
		return NULL;
	job->run->evicted = NULL;
	json_add_number(o, "time", time(NULL));
	json_add_number(o, "ran", MAX(ran, 0));
	json_add(o, "lost", _lost_json(job, ran));
	return o;
}

/* ---- the state file ---- */

extern struct json_object *event_dump(const struct job *job)
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

extern void event_load(struct job *job, struct json_object *evicted)
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
