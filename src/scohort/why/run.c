/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.c - what is the job charged, and may it be evicted?
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "story/evictors.h"
#include "ledger/lookup.h"
#include "ledger/job.h"
#include "lib/sat.h"
#include "output/text.h"
#include "why/why.h"

#define LIST_SIZE 512
#define YEAR (365 * 86400)

/* ---- the charge ---- */

/* Each resource that the queue covers, once */
static void charges_say(struct story *s)
{
	struct json_object *charges = job_charges(s->p, s->queue, s->v);
	char text[LIST_SIZE] = "";

	json_object_object_add(s->facts, "charges", charges);
	for (size_t i = 0; i < json_items(s->facts, "charges"); i++) {
		struct json_object *c = json_item(s->facts, "charges", i);

		text_join(text, sizeof(text), "%s %s of flavor %s", json_text(c, "amount"),
			  json_text(c, "resource"), json_text(c, "flavor"));
	}
	if (*text)
		say(s, "It is charged %s.", text);
}

/* ---- may it be evicted? ---- */

/* Of all times, the earliest */
static void earliest(struct story *s, const char *key, int64_t when)
{
	int64_t known = json_number(s->facts, key);

	if (!known || when < known)
		json_add_time(s->facts, key, when);
}

/* Of an elastic array tasks go although a min-runtime protects them. */
static bool is_elastic(const struct view *v)
{
	return v->comment && strstr(v->comment, "cohort:min-available=");
}

static int64_t protected_until(const struct story *s, const struct evictee *e,
			       struct json_object *by)
{
	return is_elastic(s->v) ? s->v->preemptable : evictee_protected_until(e, by);
}

static void evictor_add(struct story *s, struct json_object *list, struct json_object *by,
			enum evict_by how, int64_t from)
{
	static const char *const words[] = {
		[EVICT_NOT] = "withinClusterQueue", /* its own queue */
		[EVICT_BY_NOMINAL] = "nominalQuota",	    [EVICT_BY_COHORT] = "cohortQuota",
		[EVICT_BY_PRIORITY] = "borrowWithinCohort", [EVICT_BY_SHARE] = "fairSharing",
		[EVICT_NOT_ALONE] = "onlyWithOthers",
	};
	struct json_object *o = json_append(list);

	json_add_text(o, "clusterQueue", json_text(by, "name"));
	json_add_text(o, "by", words[how]);
	json_add_time(o, "from", from);
	if (how != EVICT_NOT && json_number(json_member(by, "preemption"), "reclaimDelay"))
		json_add_number(o, "reclaimDelay",
				json_number(json_member(by, "preemption"), "reclaimDelay"));
	if (how == EVICT_BY_PRIORITY && strcmp(json_text(s->p->document, "priority"), "job") != 0)
		json_object_object_add(o, "maxPriority",
				       json_object_get(json_member(json_member(by, "preemption"),
								   "maxPriorityThreshold")));
	earliest(s, "evictableFrom", from);
	if (how != EVICT_NOT)
		earliest(s, "reclaimableFrom", from);
}

/* What has to be true of the other job, or of this one, too */
static const char *condition_text(struct json_object *evictor, char *buf, size_t size)
{
	const char *by = json_text(evictor, "by");

	if (json_member(evictor, "maxPriority")) {
		snprintf(buf, size, " by a higher priority if that of this job is at most %ld",
			 (long) json_number(evictor, "maxPriority"));
		return buf;
	}
	return !strcmp(by, "fairSharing") ? " by its share if that stays the smaller one"
	       : !strcmp(by, "borrowWithinCohort") ? " by a higher priority"
	       : !strcmp(by, "onlyWithOthers") ? " only together with other jobs" : "";
}

/* "audio, video by a higher priority from 14:05:11" */
static void evictors_text(const struct story *s, struct json_object *list, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		bool later = json_number(o, "from") > s->now;
		int64_t delay = json_number(o, "reclaimDelay");
		char condition[128];

		text_join(buf, size, "%s%s%s%s%s%s", json_text(o, "clusterQueue"),
			  condition_text(o, condition, sizeof(condition)), later ? " from " : "",
			  later ? text_time(TEXT_BUF, json_number(o, "from"), s->now) : "",
			  delay ? " after a delay of " : "",
			  delay ? text_duration(TEXT_BUF, delay) : "");
	}
}

/* What the queue borrows of that which the job holds: "2 cpu of flavor any" */
static bool borrowed_text(const struct story *s, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; i < json_items(s->facts, "charges"); i++) {
		struct json_object *c = json_item(s->facts, "charges", i);
		struct json_object *quota = published_quota(s->queue, json_text(c, "flavor"),
							    json_text(c, "resource"));
		int64_t borrowed = json_number(quota, "borrowed");

		if (borrowed)
			text_join(buf, size, "%s of flavor %s",
				  text_amount_of(TEXT_BUF, json_text(quota, "resource"), borrowed),
				  json_text(quota, "flavor"));
	}
	return *buf;
}

static void others_say(struct story *s, const struct evictee *e)
{
	struct json_object *list = json_object_new_array(), *all = s->p->document;
	char borrowed[LIST_SIZE], text[LIST_SIZE];
	bool borrows = borrowed_text(s, borrowed, sizeof(borrowed));

	for (size_t i = 0; i < json_items(all, "clusterQueues"); i++) {
		struct json_object *by = json_item(all, "clusterQueues", i);
		enum evict_by how = evictee_goes_for(e, by);

		if (how)
			evictor_add(s, list, by, how, protected_until(s, e, by));
	}
	evictors_text(s, list, text, sizeof(text));
	json_add_truth(s->facts, "borrowing", borrows);
	json_object_object_add(s->facts, "evictors", list);
	if (borrows)
		say(s, "%s borrows %s.", s->queue_name, borrowed);
	if (*text)
		say(s, "Jobs of these other queues can evict it: %s.", text);
	else if (borrows)
		say(s, "But no other queue can evict it: none that reclaims has quota of that left "
		    "for its jobs.");
	else
		say(s, "%s is within its own quota for everything this job uses, so no other queue "
		    "can evict it.", s->queue_name);
}

/* A turn is twice as long for each one before it. */
static int64_t turn_end(const struct story *s, int64_t turn, const struct provenance *past)
{
	for (int64_t i = 0; i < past->turns && turn < INT64_MAX / 2; i++)
		turn *= 2;
	return sat_add(sat_add(s->v->ran_since, turn), 1); /* it lasts longer than that */
}

static void within_say(struct story *s, const struct evictee *e, const struct provenance *past)
{
	struct json_object *rules = json_member(s->queue, "preemption");
	const char *within = json_text(rules, "withinClusterQueue");
	int64_t until = protected_until(s, e, s->queue);
	int64_t turn = json_number(rules, "minAdmitDuration");
	int64_t over = turn_end(s, turn, past);

	if (!strcmp(within, "Never"))
		return;
	if (e->owners_only) {
		say(s, "No job of its own queue can evict it: it was evicted as often as "
		    "maxPreemptions allows.");
		return;
	}
	evictor_add(s, json_member(s->facts, "evictors"), s->queue, EVICT_NOT, until);
	if (until > s->now)
		say(s, "From %s a job of its own queue can evict it (withinClusterQueue is %s).",
		    text_time(TEXT_BUF, until, s->now), within);
	else
		say(s, "A job of its own queue can evict it (withinClusterQueue is %s).", within);
	if (turn)
		say(s, "Its turn %s at %s. After its turn a job of the same priority can evict it, "
		    "too.", over > s->now ? "ends" : "ended", text_time(TEXT_BUF, over, s->now));
}

/* What only slurmctld knows of it */
static void unless_say(struct story *s, const struct provenance *past)
{
	struct json_object *rules = json_member(s->queue, "preemption");
	int64_t yields = json_number(rules, "yieldAfterEvictions");

	if (yields && past->count - past->turns >= yields)
		say(s, "It was evicted before: if %s was within its nominal quota when this run "
		    "started, other queues leave this run alone.", s->queue_name);
	if (is_elastic(s->v))
		say(s, "While a minimum run time protects its array, only tasks beyond "
		    "cohort:min-available can be evicted.");
	if (s->v->het_id)
		say(s, "The components of its job are evicted together: what is true of one of "
		    "them is true of all.");
}

static bool is_observed(const struct story *s)
{
	return !strcmp(json_text(s->p->document, "enforcement"), "observe");
}

/* Of a job that it lets others evict slurmctld shows from when on. True: said */
static bool mode_say(struct story *s)
{
	if (s->v->preemptable || s->v->preempted || is_observed(s))
		return false;
	say(s, "No job can evict it: the PreemptMode of its QOS or partition is neither REQUEUE "
	    "nor CANCEL.");
	return true;
}

static bool nobody_evicts(struct story *s)
{
	const char *stop = json_text(s->queue, "stopPolicy");

	if (is_observed(s))
		say(s, "No job is evicted: quota is only observed, not enforced.");
	else if (!strcmp(stop, "Hold"))
		say(s, "Its queue is stopped (stopPolicy Hold): its own jobs can't evict it, and "
		    "no other queue can evict it.");
	else if (!strcmp(stop, "HoldAndDrain"))
		say(s, "Its queue is stopped, and its jobs are sent away (stopPolicy "
		    "HoldAndDrain).");
	else
		return false;
	return true;
}

/* The books may be older than the job. */
static void evictors_say(struct story *s)
{
	struct evictee e = {
		.p = s->p, .queue = s->queue, .v = s->v,
		.charges = json_member(s->facts, "charges"),
	};
	int64_t most = json_number(json_member(s->queue, "preemption"), "maxPreemptions");
	int64_t made = json_number(s->p->document, "time");
	struct provenance past;

	(void) provenance_parse(s->v->system_comment, &past);
	e.owners_only = most && past.counted >= most;
	evictee_charge(&e, 1);
	others_say(s, &e);
	within_say(s, &e, &past);
	evictee_charge(&e, -1);
	unless_say(s, &past);
	why_loss(s);
	say(s, "That is what the rules allow by the quota in use at %s (%s ago), with this job.",
	    text_time(TEXT_BUF, made, s->now),
	    text_duration(TEXT_BUF, max64(0, sat_sub(s->now, made))));
}

void why_run(struct story *s)
{
	const struct view *v = s->v;
	bool suspended = v->state == VIEW_SUSPENDED, fixed;

	say(s, "Job %s %s in cluster queue %s since %s (%s)%s%s.", s->name,
	    suspended ? "is suspended" : "runs", s->queue_name,
	    text_time(TEXT_BUF, v->start, s->now), text_duration(TEXT_BUF, s->now - v->start),
	    v->nodes ? " on " : "", v->nodes ? v->nodes : "");
	charges_say(s);
	why_checkpoint_words(s);
	fixed = why_kind(s) || mode_say(s);
	if (suspended)
		say(s, "A suspended job is still charged. It is evicted only if Slurm can requeue "
		    "it; Slurm then holds it.");
	if (v->preempted) {
		earliest(s, "evictableFrom", s->now);
		say(s, "It is being preempted.");
	} else if (!fixed && s->queue && !nobody_evicts(s)) {
		evictors_say(s);
	}
	/* without a limit Slurm sets a year */
	if (v->time_limit && v->end > s->now && v->end - v->start < YEAR)
		say(s, "It reaches its time limit at %s.", text_time(TEXT_BUF, v->end, s->now));
}
