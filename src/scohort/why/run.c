/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.c - what is the job charged, and may it be evicted?
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "story/charges.h"
#include "ledger/lookup.h"
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

	for (size_t i = 0; i < json_object_array_length(charges); i++) {
		struct json_object *c = json_object_array_get_idx(charges, i);
		size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used,
			 "%s%s %s of flavor %s", used ? ", " : "",
			 json_text(c, "amount"), json_text(c, "resource"),
			 json_text(c, "flavor"));
	}
	json_object_object_add(s->facts, "charges", charges);
	if (*text)
		say(s, "It is charged %s.", text);
}

/* ---- may it be evicted? ---- */

/* Does the queue borrow in any pair that the job holds? */
static struct json_object *borrowed_pair(const struct story *s)
{
	struct json_object *charges = NULL;

	json_object_object_get_ex(s->facts, "charges", &charges);
	for (size_t i = 0; i < json_object_array_length(charges); i++) {
		struct json_object *c = json_object_array_get_idx(charges, i);
		struct json_object *quota = published_quota(
			s->queue, json_text(c, "flavor"),
			json_text(c, "resource"));

		if (json_number(quota, "borrowed"))
			return quota;
	}
	return NULL;
}

/* Queues of the same tree that could reclaim quota there */
static void owed_text(const struct story *s, struct json_object *pair,
		      char *buf, size_t size)
{
	const struct published *p = s->p;
	const char *root = published_root(p, s->queue);

	buf[0] = '\0';
	for (size_t i = 0; i < json_items(p->document, "clusterQueues"); i++) {
		struct json_object *queue = json_item(p->document,
						      "clusterQueues", i);
		struct json_object *quota = published_quota(
			queue, json_text(pair, "flavor"),
			json_text(pair, "resource"));
		size_t used = strlen(buf);
		char lent[TEXT_SIZE];

		if (queue == s->queue || !json_number(quota, "lent")
		    || strcmp(published_root(p, queue), root) != 0)
			continue;
		text_amount(lent, sizeof(lent), json_text(pair, "resource"),
			    json_number(quota, "lent"));
		snprintf(buf + used, size - used, "%s%s (%s)",
			 used ? ", " : "", json_text(queue, "name"), lent);
	}
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Of all times, the earliest */
static void evictable_from(struct story *s, int64_t when)
{
	int64_t known = json_number(s->facts, "evictableFrom");

	if (!known || when < known)
		json_add_time(s->facts, "evictableFrom", when);
}

static void reclaim_say(struct story *s, struct json_object *pair)
{
	struct json_object *rules = json_member(s->queue, "preemption");
	int64_t until = later(s->v->preemptable,
			      sat_add(s->v->start, json_number(rules, "reclaimMinRuntime")));
	char owed[LIST_SIZE], of[TEXT_SIZE], when[TEXT_SIZE];

	owed_text(s, pair, owed, sizeof(owed));
	if (*owed)
		evictable_from(s, until);
	text_amount_of(of, sizeof(of), json_text(pair, "resource"),
		       json_number(pair, "borrowed"));
	json_add_time(s->facts, "reclaimableFrom", until);
	if (!*owed)
		say(s, "%s borrows %s of flavor %s from quota that no other "
		    "queue owns, so no queue can reclaim it.",
		    s->queue_name, of, json_text(pair, "flavor"));
	else if (until > s->now)
		say(s, "%s borrows %s of flavor %s from %s. Other queues can "
		    "reclaim it by evicting this job from %s.",
		    s->queue_name, of, json_text(pair, "flavor"), owed,
		    text_time(when, sizeof(when), until, s->now));
	else
		say(s, "%s borrows %s of flavor %s from %s. Other queues can "
		    "reclaim it at any time by evicting jobs of %s, including "
		    "this one.",
		    s->queue_name, of, json_text(pair, "flavor"), owed,
		    s->queue_name);
}

/* Does the queue own any of what the job holds? */
static bool owns_some(const struct story *s)
{
	struct json_object *charges = json_member(s->facts, "charges");

	for (size_t i = 0; i < json_object_array_length(charges); i++) {
		struct json_object *c = json_object_array_get_idx(charges, i);

		if (json_number(published_quota(s->queue,
						json_text(c, "flavor"),
						json_text(c, "resource")),
				"nominal"))
			return true;
	}
	return false;
}

/* Which jobs of its own queue may evict it? A job that would borrow evicts
 * nobody, but for borrowWithinCohort, and with fair sharing
 * reclaimWithinCohort (doc/how-it-decides.md, section 4). */
enum equals { EQUALS_NONE, EQUALS_WITHIN_NOMINAL, EQUALS_ALL };

static enum equals equals_of(const struct story *s)
{
	const struct published *p = s->p;
	struct json_object *rules = json_member(s->queue, "preemption");
	const char *cohort = json_text(s->queue, "cohort");
	bool fair = json_truth(p->document, "fairSharing");
	bool borrows = strcmp(json_text(rules, "borrowWithinCohort"), "Never")
		       != 0;

	if (!*cohort || borrows
	    || (fair && strcmp(json_text(rules, "reclaimWithinCohort"),
			       "Never") != 0))
		return EQUALS_ALL;
	/* what a cohort below the top owns counts as its members' own */
	if (owns_some(s)
	    || *json_text(published_cohort(p, cohort), "parent"))
		return EQUALS_WITHIN_NOMINAL;
	return EQUALS_NONE;
}

static void within_say(struct story *s)
{
	enum equals equals = equals_of(s);
	const char *some = equals == EQUALS_WITHIN_NOMINAL ? ", if that job "
			   "asks for no more than the queue owns" : "";
	struct json_object *rules = json_member(s->queue, "preemption");
	const char *within = json_text(rules, "withinClusterQueue");
	int64_t until = later(s->v->preemptable,
			      sat_add(s->v->start, json_number(rules, "preemptMinRuntime")));
	int64_t turn = json_number(rules, "minAdmitDuration");
	int64_t over = sat_add(sat_add(s->v->start, turn), 1);	/* it lasts longer than that */
	char when[TEXT_SIZE];

	if (!strcmp(within, "Never"))
		return;
	if (equals == EQUALS_NONE) {
		say(s, "No job of its own queue can evict it: %s owns none of "
		    "the resources of this job, and its borrowWithinCohort is "
		    "Never.", s->queue_name);
		return;
	}
	evictable_from(s, until);
	if (until > s->now)
		say(s, "From %s a job of its own queue can evict it "
		    "(withinClusterQueue is %s)%s.",
		    text_time(when, sizeof(when), until, s->now), within, some);
	else
		say(s, "A job of its own queue can evict it "
		    "(withinClusterQueue is %s)%s.", within, some);
	if (turn)
		say(s, "Its turn %s at %s. After its turn a job of the same "
		    "priority can evict it, too.",
		    over > s->now ? "ends" : "ended",
		    text_time(when, sizeof(when), over, s->now));
}

/* Of a job that it lets others evict slurmctld shows from when on. True: said */
static bool mode_say(struct story *s)
{
	if (s->v->preemptable || s->v->preempted
	    || !strcmp(json_text(s->p->document, "enforcement"), "observe"))
		return false;
	say(s, "No job can evict it: the PreemptMode of its QOS or partition is "
	    "neither REQUEUE nor CANCEL.");
	return true;
}

static void since_say(struct story *s)
{
	char since[TEXT_SIZE], ran[TEXT_SIZE];

	say(s, "Job %s %s in cluster queue %s since %s (%s)%s%s.", s->name,
	    s->v->state == VIEW_SUSPENDED ? "is suspended" : "runs",
	    s->queue_name, text_time(since, sizeof(since), s->v->start,
				     s->now),
	    text_duration(ran, sizeof(ran), s->now - s->v->start),
	    s->v->nodes ? " on " : "", s->v->nodes ? s->v->nodes : "");
}

static void end_say(struct story *s)
{
	char when[TEXT_SIZE];

	/* without a limit Slurm sets a year */
	if (s->v->time_limit && s->v->end > s->now
	    && s->v->end - s->v->start < YEAR)
		say(s, "It reaches its time limit at %s.",
		    text_time(when, sizeof(when), s->v->end, s->now));
}

void why_run(struct story *s)
{
	struct json_object *pair;
	bool fixed;

	since_say(s);
	charges_say(s);
	fixed = why_kind(s) || mode_say(s);
	pair = borrowed_pair(s);
	json_object_object_add(s->facts, "borrowing",
			       json_object_new_boolean(pair != NULL));
	if (s->v->state == VIEW_SUSPENDED)
		say(s, "A suspended job is still charged. It is evicted only if "
		    "Slurm can requeue it; Slurm then holds it.");
	if (s->v->preempted) {
		evictable_from(s, s->now);
		say(s, "It is being preempted.");
	} else if (pair && !fixed) {
		reclaim_say(s, pair);
	} else if (!fixed) {
		say(s, "%s is within its own quota for everything this job "
		    "uses, so no other queue can evict it.", s->queue_name);
	}
	if (s->v->state == VIEW_RUNNING && !s->v->preempted && !fixed)
		within_say(s);
	end_say(s);
}
