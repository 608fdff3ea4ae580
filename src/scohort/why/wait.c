/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.c - why does the job wait, and what will change that?
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/job_text.h"
#include "ledger/places.h"
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
	{ WAIT_PART_NODE_LIMIT, "it asks for more nodes than its partition "
	  "gives" },
	{ WAIT_PART_TIME_LIMIT, "it asks for more time than its partition "
	  "gives" },
	{ WAIT_PART_CONFIG, "its partition does not take it (AllowAccounts, "
	  "AllocNodes and the like)" },
	{ WAIT_PART_DOWN, "its partition is down" },
	{ WAIT_PART_INACTIVE, "its partition is inactive" },
	{ WAIT_RESERVATION, "its reservation has not begun" },
	{ WAIT_NODE_NOT_AVAIL, "a node it needs is not available" },
	{ WAIT_LICENSES, "its licenses are in use" },
	{ WAIT_ARRAY_TASK_LIMIT, "the limit of running tasks of its array is "
	  "reached" },
	{ FAIL_ACCOUNT, "its account is not valid any more" },
	{ FAIL_QOS, "its QOS is not valid any more" },
	{ FAIL_BURST_BUFFER_OP, "its burst buffer has failed" },
	{ FAIL_BAD_CONSTRAINTS, "no nodes can ever satisfy its request" },
};

static const char *slurm_reason(int reason)
{
	for (size_t i = 0; i < sizeof(slurm_reasons) / sizeof(*slurm_reasons); i++) {
		if (slurm_reasons[i].reason == reason)
			return slurm_reasons[i].text;
	}
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

static void local_text(const struct story *s, const struct reason *r, char *buf, size_t size)
{
	struct places *places = places_create(s->queue);
	bool by_user = !strcmp(json_text(s->p->document, "localQueue"), "user");
	int64_t total = 0, local = places && r->place
				   ? places_local(places, r->place, &total) : 0;
	char nth[TEXT_SIZE];

	buf[0] = '\0';
	places_destroy(places);
	if (!local)
		return;
	json_add_number(s->facts, "localPlace", local);
	json_add_number(s->facts, "localTotal", total);
	snprintf(buf, size, ", %s of %ld of %s %s",
		 text_ordinal(nth, sizeof(nth), local), (long) total,
		 by_user ? "its" : "account", by_user ? "user"
		 : s->v->account ? s->v->account : "(none)");
}

static void place_say(struct story *s, const struct reason *r)
{
	char local[256], place[TEXT_SIZE];

	local_text(s, r, local, sizeof(local));
	if (!r->place)
		snprintf(place, sizeof(place), "position beyond %ld", (long) r->known);
	else if (r->total)
		snprintf(place, sizeof(place), "position %ld of %ld",
			 (long) r->place, (long) r->total);
	else
		snprintf(place, sizeof(place), "position %ld", (long) r->place);
	json_add_number(s->facts, "place", r->place);
	json_add_number(s->facts, "total", r->total);
	say(s, "Job %s waits in cluster queue %s: %s%s.", s->name, s->queue_name, place, local);
}

static void request_say(struct story *s)
{
	char request[1024], class[256];

	request_text(s->v, request, sizeof(request));
	class_text(s->p, s->v, class, sizeof(class));
	say(s, "It requests %s%s%s%s%s.", *request ? request : "(nothing "
	    "known)", s->v->tasks > 1 ? " for each of its tasks" : "",
	    *class ? ", in class " : "", class,
	    s->v->features ? ", with a constraint on nodes" : "");
}

/* ---- when it will start ---- */

static void order_say(struct story *s, const struct reason *r)
{
	int64_t before = r->place - 1;

	if (before > 0)
		say(s, "%ld waiting job%s or task%s %s before it.",
		    (long) before, text_s(before), text_s(before),
		    before == 1 ? "stands" : "stand");
}

/* slurmctld looks ahead for a year, and as far as a tenth of a core goes. For
 * jobs that wait for nodes Slurm has estimates, too, and only some of them. */
static void no_estimate_say(struct story *s, const struct reason *r)
{
	struct json_object *work = json_member(s->p->document, "work");
	int64_t n = json_number(json_member(work, "estimates"), "tooFar");

	if (n > 0)
		say(s, "There is no estimate of its start: it is further "
		    "ahead than slurmctld looks (%ld such job%s).", (long) n,
		    text_s(n));
	else if (!reason_is(r, "nodes"))
		say(s, "There is no estimate of its start.");
	else
		say(s, "There is no estimate of its start: Slurm's backfill has "
		    "not planned it so far.");
}

static void estimate_say(struct story *s, const struct reason *r)
{
	char when[TEXT_SIZE];

	if (s->v->start > s->now)
		say(s, "Expected start: %s%s, or earlier if jobs end before "
		    "their time limits.",
		    text_time(when, sizeof(when), s->v->start, s->now),
		    reason_is(r, "protected") ? ", after these evictions"
		    : reason_is(r, "nodes")
		    ? story_nodes_when(s, s->v->start) : "");
	else if (reason_is(r, "quota") || reason_is(r, "protected") || reason_is(r, "yields")
		 || reason_is(r, "order") || reason_is(r, "nodes"))
		no_estimate_say(s, r);
}

/* ---- not in line ---- */

/* As record/shown.h of the plugins has it */
static const char untried[] = "Cohort:untried";

static void out_of_line_say(struct story *s)
{
	const char *why = slurm_reason(s->v->reason);
	char when[TEXT_SIZE];

	if (s->v->component_ended)
		say(s, "Job %s of cluster queue %s has no position: another "
		    "component of it has ended, and Slurm never starts one "
		    "without the others. Cancel it, and submit it again.",
		    s->name, s->queue_name);
	else if (s->v->eligible > s->now)
		say(s, "Job %s of cluster queue %s has no position yet: it can "
		    "start from %s, and gets its position then.", s->name,
		    s->queue_name, text_time(when, sizeof(when), s->v->eligible, s->now));
	else if (s->v->text && !strcmp(s->v->text, untried))
		say(s, "Job %s of cluster queue %s has no position: it could "
		    "start, but Slurm does not try it. Its quota is free for "
		    "others until Slurm does.", s->name, s->queue_name);
	else if (why)
		say(s, "Job %s of cluster queue %s has no position: %s.",
		    s->name, s->queue_name, why);
	else if (!s->v->priority)
		say(s, "Job %s of cluster queue %s has no position: it is held.",
		    s->name, s->queue_name);
	else if (!strcmp(json_text(s->p->document, "enforcement"), "observe"))
		say(s, "Job %s of cluster queue %s waits for Slurm's own "
		    "reasons: quota is only observed, not enforced.", s->name,
		    s->queue_name);
	else if (!slurm_lets_start(s->v->reason))
		say(s, "Job %s of cluster queue %s has no position: Slurm holds "
		    "it back (%s).", s->name,
		    s->queue_name, api_reason_name(s->v->reason));
	else
		say(s, "Job %s of cluster queue %s has quota and is about to "
		    "start. The scheduler has not reached it yet.", s->name,
		    s->queue_name);
}

static void want_fill(struct story *s)
{
	const struct view *v = s->v;

	room_want_make(&s->want, v->nnodes, v->whole_nodes, v->tres_asked,
		       v->tres_per_job, v->tres_per_node);
	s->want.user = v->uid;
	s->partition = v->partition && !strchr(v->partition, ',')
		       ? v->partition : NULL;
}

void why_wait(struct story *s)
{
	struct reason r;

	if (!reason_parse(s->v->text, &r)) {
		out_of_line_say(s);
		request_say(s);
		return;
	}
	json_add_text(s->facts, "verdict", r.shown);
	if (*r.resource) {
		json_add_text(s->facts, "resource", r.resource);
		json_add_text(s->facts, "flavor", r.flavor);
	}
	for (int i = 0; i < REASON_NUMBERS; i++) {
		if (i != REASON_MAX && i != REASON_VICTIMS && r.numbers[i] >= 0)
			json_add_number(s->facts, reason_number_names[i], r.numbers[i]);
	}
	place_say(s, &r);
	request_say(s);
	(void) why_kind(s);
	want_fill(s);
	story_say_wait(s, &r);
	order_say(s, &r);
	why_history(s);
	estimate_say(s, &r);
}
