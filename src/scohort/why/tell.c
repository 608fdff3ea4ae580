/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tell.c - all facts about one job
 */
#include "input/json_members.h"
#include "ledger/job_text.h"
#include "ledger/lookup.h"
#include "ledger/match.h"
#include "slurm/job_views.h"
#include "why/why.h"

static void facts_begin(struct story *s)
{
	const struct view *v = s->v;
	char text[1024];

	json_add_text(s->facts, "jobId", s->name);
	json_add_text(s->facts, "state", v->state_name);
	json_add_text(s->facts, "clusterQueue", *s->queue_name ? s->queue_name : NULL);
	json_add_text(s->facts, "account", v->account);
	json_add_text(s->facts, "partition", v->partition);
	json_add_text(s->facts, "qos", v->qos);
	json_add_text(s->facts, "class", class_text(s->p, v, text, sizeof(text)));
	json_add_text(s->facts, "request", request_text(v, text, sizeof(text)));
	json_add_time(s->facts, "submitted", v->submitted);
	json_add_time(s->facts, "eligible", v->eligible);
	json_add_time(s->facts, "start", v->start);
	json_add_time(s->facts, "end", v->end);
}

/* By the job's own text (it waits), or else by the rules */
static bool queue_set(struct story *s, struct reason *r)
{
	bool sure = true;

	s->queue_name = "";
	if (reason_parse(s->v->text, r)) {
		s->queue_name = r->queue;
		s->queue = published_queue(s->p, r->queue);
	} else {
		s->queue = published_match(s->p, s->v, &sure);
		if (!sure)
			s->queue = published_match_by_conf(s->p, s->v, &sure);
	}
	if (s->queue)
		s->queue_name = json_text(s->queue, "name");
	return sure;
}

static void outside_say(struct story *s, bool sure)
{
	if (!s->p->document)
		say(s, "Job %s is %s. Its cluster queue is unknown, because "
		    "the published file is missing.",
		    s->name, s->v->state_name);
	else if (!sure)
		say(s, "Job %s is %s. Its cluster queue depends on its user. "
		    "See cohort.yaml.", s->name,
		    s->v->state_name);
	else
		say(s, "Job %s is %s and outside all cluster queues: no rule "
		    "matches its partition, QOS and account. Quota does not "
		    "apply to it.", s->name, s->v->state_name);
}

static void body_tell(struct story *s, bool sure)
{
	if (s->v->state == VIEW_DONE)
		why_ended(s);
	else if (!s->queue && !*s->queue_name)
		outside_say(s, sure);
	else if (s->v->state == VIEW_PENDING)
		why_wait(s);
	else
		why_run(s);
}

struct json_object *why_tell(const struct published *p, const struct view *v, int64_t now)
{
	struct story s = { .p = p, .v = v, .now = now };
	struct reason reason;
	bool sure;

	s.facts = json_object_new_object();
	s.sentences = json_object_new_array();
	view_name(v, s.name, sizeof(s.name));
	sure = queue_set(&s, &reason);
	facts_begin(&s);
	body_tell(&s, sure);
	if (v->system_comment)
		why_preempted(&s);
	json_object_object_add(s.facts, "sentences", s.sentences);
	return s.facts;
}
