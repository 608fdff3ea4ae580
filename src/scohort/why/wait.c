/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.c - why does the job wait, which jobs come first by usage history, and what
 *	    will change that?
 */
#include <stdio.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/job.h"
#include "ledger/places.h"
#include "lib/sat.h"
#include "output/text.h"
#include "slurm/api.h"
#include "why/why.h"

/* Slurm's own reasons: a job that has one of them is not in line. */
static const struct {
	int reason;
	const char *text;
} slurm_reasons[] = {
	{ WAIT_DEPENDENCY, "it depends on other jobs" },
	{ WAIT_TIME, "its begin time is not reached" },
	{ WAIT_HELD, "an administrator holds it" },
	{ WAIT_HELD_USER, "its user holds it" },
	{ WAIT_PART_NODE_LIMIT, "it asks for more nodes than its partition gives" },
	{ WAIT_PART_TIME_LIMIT, "it asks for more time than its partition gives" },
	{ WAIT_PART_CONFIG, "its partition does not take it (AllowAccounts, AllocNodes and the "
	  "like)" },
	{ WAIT_PART_DOWN, "its partition is down" },
	{ WAIT_PART_INACTIVE, "its partition is inactive" },
	{ WAIT_RESERVATION, "its reservation has not begun" },
	{ WAIT_NODE_NOT_AVAIL, "a node it needs is not available" },
	{ WAIT_LICENSES, "its licenses are in use" },
	{ WAIT_ARRAY_TASK_LIMIT, "the limit of running tasks of its array is reached" },
	{ FAIL_ACCOUNT, "its account is not valid any more" },
	{ FAIL_QOS, "its QOS is not valid any more" },
	{ FAIL_BURST_BUFFER_OP, "its burst buffer has failed" },
	{ FAIL_BAD_CONSTRAINTS, "no nodes can ever satisfy its request" },
};

static const char *slurm_reason(int reason)
{
	for (size_t i = 0; i < sizeof(slurm_reasons) / sizeof(*slurm_reasons); i++)
		if (slurm_reasons[i].reason == reason)
			return slurm_reasons[i].text;
	return NULL;
}

/* Any other reason, such as a limit of an association or QOS, holds the job back, unless
 * it is of the run before. */
static bool slurm_lets_start(int reason)
{
	return reason == WAIT_NO_REASON || reason == WAIT_PRIORITY
	       || reason == WAIT_RESOURCES || reason == WAIT_PROLOG
	       || (reason >= FAIL_DEFER && reason <= FAIL_INACTIVE_LIMIT)
	       || reason == FAIL_OOM;
}

/* ---- where it stands ---- */

static const char *local_kind(const struct story *s)
{
	return !strcmp(json_text(s->p->document, "localQueue"), "user") ? "user" : "account";
}

/* Its place among the jobs of its local queue: ", 2nd of 3 of account vision" */
static void local_text(const struct story *s, const struct reason *r, struct places *places,
		       char *buf, size_t size)
{
	int64_t total = 0, local = places && r->place
				   ? places_local(places, r->place, &total) : 0;

	*buf = '\0';
	if (!local)
		return;
	json_add_number(s->facts, "localPlace", local);
	json_add_number(s->facts, "localTotal", total);
	snprintf(buf, size, ", %s of %ld of ", text_ordinal(TEXT_BUF, local), (long) total);
	if (*local_kind(s) == 'u')
		text_append(buf, size, "its user");
	else
		text_append(buf, size, "account %s", s->v->account ? s->v->account : "(none)");
}

static void place_say(struct story *s, const struct reason *r, struct places *places)
{
	char local[256], place[TEXT_SIZE];

	local_text(s, r, places, local, sizeof(local));
	if (r->place)
		snprintf(place, sizeof(place), "position %ld", (long) r->place);
	else
		snprintf(place, sizeof(place), "position beyond %ld", (long) r->known);
	if (r->place && r->total)
		text_append(place, sizeof(place), " of %ld", (long) r->total);
	json_add_number(s->facts, "place", r->place);
	json_add_number(s->facts, "total", r->total);
	say(s, "Job %s waits in cluster queue %s: %s%s.", s->name, s->queue_name, place, local);
}

static void request_say(struct story *s)
{
	char request[1024], class[256];

	request_text(s->v, request, sizeof(request));
	class_text(s->p, s->v, class, sizeof(class));
	say(s, "It requests %s%s%s%s%s.", *request ? request : "(nothing known)",
	    s->v->tasks > 1 ? " for each of its tasks" : "", *class ? ", in class " : "", class,
	    s->v->features ? ", with a constraint on nodes" : "");
}

static void order_say(struct story *s, const struct reason *r)
{
	int64_t before = r->place - 1;

	if (before > 0)
		say(s, "%ld waiting job%s or task%s %s before it.", (long) before, text_s(before),
		    text_s(before), before == 1 ? "stands" : "stand");
}

/* ---- which jobs come before it because of usage history ---- */

static void score_text(char *buf, size_t size, struct json_object *usage)
{
	if (json_member(usage, "score"))
		snprintf(buf, size, "%.4g", json_real(usage, "score"));
	else
		snprintf(buf, size, "beyond all others");
}

/* What puts its local queue where it is: the first one in line has the smallest score. */
static void usage_say(struct story *s, struct places *places)
{
	int i = places ? places_local_queue(places, json_number(s->facts, "place")) : -1;
	struct json_object *usage = i < 0 ? NULL : json_item(s->queue, "localUsage", (size_t) i);
	struct json_object *first = json_item(s->queue, "localUsage", 0);
	char own[32], least[32];

	if (!usage)
		return;
	score_text(own, sizeof(own), usage);
	score_text(least, sizeof(least), first);
	json_object_object_add(s->facts, "usageScore",
			       json_object_get(json_member(usage, "score")));
	json_object_object_add(s->facts, "usageWeight",
			       json_object_get(json_member(usage, "weight")));
	if (usage != first)
		say(s, "The usage score of its %s is %s (weight %g), that of the first in line %s "
		    "(weight %g).", local_kind(s), own, json_real(usage, "weight"), least,
		    json_real(first, "weight"));
}

/* In such a queue smaller usage comes before priority: so each job of another
 * local queue that is before this one comes first by it. */
static void locals_say(struct story *s, struct places *places)
{
	const char *what = local_kind(s);
	int64_t others = sat_sub(json_number(s->facts, "place"),
				 json_number(s->facts, "localPlace"));

	if (!*json_text(s->queue, "admissionMode") || !json_number(s->facts, "localPlace"))
		return;
	if (others > 0) {
		json_add_number(s->facts, "firstByUsage", others);
		say(s, "In %s the %s that used less lately comes first, whatever the priority: %ld "
		    "job%s or task%s of other %ss %s before it.", s->queue_name, what,
		    (long) others, text_s(others), text_s(others), what,
		    others == 1 ? "is" : "are");
	}
	usage_say(s, places);
}

/* A share as it is published: null is larger than all others */
static bool is_smaller(struct json_object *a, struct json_object *b, const char *key)
{
	if (!json_member(a, key) || !json_member(b, key))
		return json_member(a, key) != NULL && json_member(b, key) == NULL;
	return json_real(a, key) < json_real(b, key);
}

/* Queues of the same cohort with a smaller share, which without history would
 * not have one. Larger cohorts compare cohorts, and are left out. */
static void queues_say(struct story *s)
{
	const char *cohort = json_text(s->queue, "cohort");
	struct json_object *all = s->p->document;
	struct listing first = { .n = 0 };

	for (size_t i = 0; *cohort && i < json_items(all, "clusterQueues"); i++) {
		struct json_object *o = json_item(all, "clusterQueues", i);

		if (o != s->queue && !strcmp(json_text(o, "cohort"), cohort)
		    && json_number(o, "waiting") && is_smaller(o, s->queue, "share")
		    && !is_smaller(o, s->queue, "shareNow"))
			listing_add(&first, "%s", json_text(o, "name"));
	}
	if (first.n)
		say(s, "%s borrowed more lately, so by usage history these cluster queues come "
		    "first: %s.", s->queue_name, listing_end(&first, ""));
}

/* ---- when it will start ---- */

/* slurmctld looks ahead for a year, and as far as a tenth of a core goes. For
 * jobs that wait for nodes Slurm has estimates, too, and only some of them. */
static void no_estimate_say(struct story *s, const struct reason *r)
{
	struct json_object *work = json_member(s->p->document, "work");
	int64_t n = json_number(json_member(work, "estimates"), "tooFar");

	if (n > 0)
		say(s, "There is no estimate of its start: it is further ahead than slurmctld "
		    "looks (%ld such job%s).", (long) n, text_s(n));
	else
		say(s, "There is no estimate of its start%s.", reason_is(r, "nodes")
		    ? ": Slurm's backfill has not planned it so far" : "");
}

static void estimate_say(struct story *s, const struct reason *r)
{
	if (s->v->start > s->now)
		say(s, "Expected start: %s%s, or earlier if jobs end before their time limits.",
		    text_time(TEXT_BUF, s->v->start, s->now),
		    reason_is(r, "protected") || reason_is(r, "delayed") ? ", after these evictions"
		    : reason_is(r, "nodes") ? story_nodes_when(s, s->v->start) : "");
	else if (reason_is(r, "quota") || reason_is(r, "protected") || reason_is(r, "yields")
		 || reason_is(r, "delayed")
		 || reason_is(r, "order") || reason_is(r, "nodes"))
		no_estimate_say(s, r);
}

/* ---- not in line ---- */

/* As record/shown.h of the plugins has it */
static const char untried[] = "Cohort:untried";

/* What is said of it behind its name and queue */
static void out_of_line_text(const struct story *s, char *buf, size_t size)
{
	const char *why = slurm_reason(s->v->reason);

	if (s->v->component_ended)
		why = "another component of it has ended, and Slurm never starts one without the "
		      "others. Cancel it, and submit it again";
	else if (s->v->text && !strcmp(s->v->text, untried))
		why = "it could start, but Slurm does not try it. Its quota is free for others "
		      "until Slurm does";
	else if (!why && !s->v->priority)
		why = "it is held";
	if (s->v->eligible > s->now && !s->v->component_ended)
		snprintf(buf, size, "has no position yet: it can start from %s, and gets its "
			 "position then", text_time(TEXT_BUF, s->v->eligible, s->now));
	else if (why)
		snprintf(buf, size, "has no position: %s", why);
	else if (!strcmp(json_text(s->p->document, "enforcement"), "observe"))
		snprintf(buf, size, "waits for Slurm's own reasons: quota is only observed, not "
			 "enforced");
	else if (!slurm_lets_start(s->v->reason))
		snprintf(buf, size, "has no position: Slurm holds it back (%s)",
			 api_reason_name(s->v->reason));
	else
		snprintf(buf, size, "has quota and is about to start. The scheduler has not "
			 "reached it yet");
}

void why_wait(struct story *s)
{
	const struct view *v = s->v;
	struct places *places;
	struct reason r;
	char text[512];

	if (!reason_parse(v->text, &r)) {
		out_of_line_text(s, text, sizeof(text));
		say(s, "Job %s of cluster queue %s %s.", s->name, s->queue_name, text);
		request_say(s);
		return;
	}
	json_add_text(s->facts, "verdict", r.shown);
	if (*r.resource) {
		json_add_text(s->facts, "resource", r.resource);
		json_add_text(s->facts, "flavor", r.flavor);
	}
	for (int i = 0; i < REASON_NUMBERS; i++)
		if (i != REASON_MAX && i != REASON_VICTIMS && r.numbers[i] >= 0)
			json_add_number(s->facts, reason_number_names[i], r.numbers[i]);
	places = places_create(s->queue);
	place_say(s, &r, places);
	request_say(s);
	why_checkpoint_words(s);
	(void) why_kind(s);
	room_want_make(&s->want, v->nnodes, v->whole_nodes, v->tres_asked, v->tres_per_job,
		       v->tres_per_node);
	s->want.user = v->uid;
	s->partition = v->partition && !strchr(v->partition, ',') ? v->partition : NULL;
	story_say_wait(s, &r);
	order_say(s, &r);
	if (s->queue)
		locals_say(s, places);
	if (json_member(s->queue, "history"))
		queues_say(s);
	places_destroy(places);
	estimate_say(s, &r);
}
