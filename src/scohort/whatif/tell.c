/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tell.c - the result of a submission, in facts and sentences
 *
 * Time, nodes and victims come from sbatch. Queue, charges, rules and what
 * would be borrowed, or what is missing, come from the plugin.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "output/text.h"
#include "slurm/job_views.h"
#include "story/story.h"
#include "whatif/whatif.h"

#define VICTIMS_MAX 20		/* in sentences; the document has all */
#define LATE 3			/* a start within that many seconds counts as now */

struct tale {
	struct story s;
	const struct sbatch_answer *said;
	struct json_object *answer;
	const char *verdict;
};

static void member_copy(struct tale *t, const char *key)
{
	struct json_object *value = json_member(t->answer, key);

	json_object_object_add(t->s.facts, key, value ? json_object_get(value) : NULL);
}

/* ---- where and when ---- */

/* "on n1 (partition gpu, 4 CPUs), after evicting 2 jobs" */
static void place_text(const struct sbatch_answer *said, char *buf, size_t size)
{
	snprintf(buf, size, "on %s (%s%s%s%u CPU%s)", said->nodes,
		 *said->partition ? "partition " : "", said->partition,
		 *said->partition ? ", " : "", said->cpus, text_s(said->cpus));
	if (said->nvictims)
		text_append(buf, size, ", after evicting %zu job%s", said->nvictims,
		       text_s((int64_t) said->nvictims));
}

static void charges_text(const struct tale *t, char *buf, size_t size)
{
	*buf = '\0';
	for (size_t i = 0; i < json_items(t->answer, "charges"); i++) {
		struct json_object *c = json_item(t->answer, "charges", i);

		text_join(buf, size, "%s of flavor %s",
			  text_amount_of(TEXT_BUF, json_text(c, "resource"),
					 json_number(c, "amount")), json_text(c, "flavor"));
	}
}

/* That it can't be preempted, and what that costs */
static void kind_say(struct tale *t)
{
	if (json_truth(t->answer, "nonPreemptible"))
		say(&t->s, "Once it runs it can't be preempted. It would count against the nominal "
		    "quota that limits such jobs.");
}

static void start_say(struct tale *t)
{
	bool late = t->said->start > t->s.now + LATE;
	char where[1400], charges[512];

	place_text(t->said, where, sizeof(where));
	charges_text(t, charges, sizeof(charges));
	say(&t->s, "It would start %s%s %s.", late ? "at " : "",
	    late ? text_time(TEXT_BUF, t->said->start, t->s.now) : "now", where);
	if (*charges)
		say(&t->s, "Cluster queue %s would be charged %s.", t->s.queue_name, charges);
	kind_say(t);
}

/* ---- victims ---- */

static const struct view *view_of(const struct view_list *list, uint32_t id)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->views[i].id == id)
			return &list->views[i];
	return NULL;
}

static void victim_say(struct tale *t, struct json_object *o)
{
	const char *queue = json_text(o, "clusterQueue");
	const char *rule = json_text(o, "rule"), *text = rule_text(rule);
	char ran[TEXT_SIZE] = "";

	if (json_member(o, "ranSeconds"))
		text_duration(ran, sizeof(ran), json_number(o, "ranSeconds"));
	say(&t->s, "%s%s%s%s%s%s%s%s%s.", json_text(o, "jobId"), *queue ? ": cluster queue " : "",
	    queue, *ran ? ", has run " : "", ran, *rule ? ", rule " : "", rule,
	    *text ? ", that is, " : "", text);
}

static void victim_tell(struct tale *t, struct json_object *victims, size_t i,
			const struct view *v, bool agrees)
{
	struct json_object *o = json_append(victims), *known = json_item(t->answer, "victims", i);
	char name[128];

	snprintf(name, sizeof(name), "%u", t->said->victims[i]);
	json_add_text(o, "jobId", v ? view_name(v, name, sizeof(name)) : name);
	if (agrees) {
		json_add_text(o, "clusterQueue", json_text(known, "clusterQueue"));
		json_add_text(o, "rule", json_text(known, "rule"));
	}
	if (v && v->start)
		json_add_number(o, "ranSeconds", t->s.now - v->start);
	if (i < VICTIMS_MAX)
		victim_say(t, o);
}

static void victims_tell(struct tale *t)
{
	struct json_object *victims = json_add_list(t->s.facts, "victims");
	size_t n = t->said->nvictims;
	bool agrees = json_items(t->answer, "victims") == n;
	struct view_list list = { .n = 0 };
	char err[256];

	/* victims that the user may not see are listed without details */
	if (n)
		(void) views_load(&list, n == 1 ? t->said->victims[0] : 0, err, sizeof(err));
	for (size_t i = 0; i < n; i++)
		victim_tell(t, victims, i, view_of(&list, t->said->victims[i]), agrees);
	if (n > VICTIMS_MAX)
		say(&t->s, "And %zu more.", n - VICTIMS_MAX);
	views_free(&list);
}

/* ---- what would be borrowed ---- */

static void after_say(struct tale *t)
{
	for (size_t i = 0; i < json_items(t->answer, "after"); i++) {
		struct json_object *o = json_item(t->answer, "after", i);
		const char *resource = json_text(o, "resource");
		int64_t borrowed = json_number(o, "borrowed");

		say(&t->s, "%s would then use %s of flavor %s, %s of it borrowed.",
		    json_text(o, "clusterQueue"),
		    text_amount_of(TEXT_BUF, resource, json_number(o, "used")),
		    json_text(o, "flavor"),
		    borrowed ? text_amount(TEXT_BUF, resource, borrowed) : "none");
	}
}

/* ---- not now ---- */

/* Slurm's own verdict, which is not the queue's */
static bool unfit_say(struct tale *t)
{
	struct json_object *fits = json_member(t->answer, "fitsNodes");

	if (!fits || json_object_get_boolean(fits))
		return false;
	t->verdict = "never";
	say(&t->s, "No node that is up can ever hold it, in any flavor of cluster queue %s. Slurm "
	    "may refuse it.", t->s.queue_name);
	return true;
}

static void estimate_say(struct tale *t, bool nodes)
{
	size_t n = t->said->nvictims;
	char where[1400];

	if (!t->said->starts) {
		if (!unfit_say(t))
			say(&t->s, "There is no estimate of its start.");
		return;
	}
	place_text(t->said, where, sizeof(where));
	say(&t->s, "Expected start: %s %s%s, or earlier if jobs end before their time limits.",
	    text_time(TEXT_BUF, t->said->start, t->s.now), where,
	    nodes && !n ? story_nodes_when(&t->s, t->said->start) : "");
	if (n)
		say(&t->s, "From what runs and waits now, it would evict:");
	victims_tell(t);
	if (!n && json_number(t->answer, "victimsUnknown"))
		say(&t->s, "It may evict jobs by then. Which ones is not known yet, because that "
		    "depends on the nodes that jobs get until then.");
}

static void want_fill(struct tale *t)
{
	struct json_object *wants = json_member(t->answer, "wants");
	const char *partition = json_text(t->answer, "partition");

	if (!wants)
		return;
	room_want_make(&t->s.want, json_number(wants, "nodes"), json_truth(wants, "wholeNodes"),
		       json_text(wants, "tres"), json_text(wants, "tresPerJob"),
		       json_text(wants, "tresPerNode"));
	t->s.want.user = getuid();
	t->s.partition = *partition ? partition : NULL;
}

static void wait_say(struct tale *t)
{
	struct reason r;

	if (!reason_parse(json_text(t->answer, "reason"), &r)) {
		estimate_say(t, false);
		return;
	}
	if (reason_is(&r, "never"))
		t->verdict = "never";
	if (r.place)
		say(&t->s, "It would wait in cluster queue %s, at position %ld of %ld.",
		    t->s.queue_name, (long) r.place, (long) (r.total ? r.total : r.place));
	else
		say(&t->s, "It would wait in cluster queue %s.", t->s.queue_name);
	want_fill(t);
	story_say_wait(&t->s, &r);
	if (r.kind != REASON_NONPREEMPTIBLE)
		kind_say(t);
	if (!reason_is(&r, "never"))
		estimate_say(t, reason_is(&r, "nodes"));
}

/* ---- quota does not decide ---- */

static void apart_say(struct tale *t)
{
	static const struct {
		const char *verdict, *text;
	} apart[] = {
		{ "outside", "It would be outside all cluster queues: no rule matches its "
		  "partition, QOS and account. Quota does not apply to it." },
		{ "postponed", "No estimate now: slurmctld has had too many such questions. "
		  "Ask again in a few seconds." },
		{ "unfinished", "No estimate now: plans of its cohort tree use up planBudget. "
		  "Ask again in a few seconds." },
		{ "observe", "Quota is only observed, not enforced: this is what Slurm itself "
		  "would do." },
		{ "", "The published file says nothing about this request: its cluster queue, "
		  "charges and rules are unknown." },
	};
	size_t i = 0;

	while (*apart[i].verdict && strcmp(t->verdict, apart[i].verdict))
		i++;
	if (!strcmp(t->verdict, "held"))
		say(&t->s, "It would have no position in cluster queue %s, because it is held. "
		    "The time below is for nodes only, not for quota.", t->s.queue_name);
	else
		say(&t->s, "%s", apart[i].text);
	if (t->said->starts)
		start_say(t);
}

static const char *verdict_of(const struct tale *t)
{
	const char *verdict = json_text(t->answer, "verdict");

	if (*verdict)
		return verdict;
	return !strcmp(json_text(t->s.p->document, "enforcement"), "observe")
	       ? "observe" : "unknown";
}

static void body_tell(struct tale *t)
{
	if (!strcmp(t->verdict, "start") || !strcmp(t->verdict, "preempt")) {
		start_say(t);
		victims_tell(t);
		after_say(t);
	} else if (!strcmp(t->verdict, "wait")) {
		wait_say(t);
	} else if (!strcmp(t->verdict, "later")) {
		say(&t->s, "From what runs and waits now, in cluster queue %s:", t->s.queue_name);
		estimate_say(t, false);
	} else {
		apart_say(t);
		victims_tell(t);
	}
}

struct json_object *whatif_tell(const struct published *p, const struct sbatch_answer *said,
				struct json_object *answer, int64_t now)
{
	struct tale t = {
		.s = { .p = p, .now = now }, .said = said, .answer = answer,
	};

	t.s.facts = json_object_new_object();
	t.s.sentences = json_object_new_array();
	t.s.queue_name = json_text(answer, "clusterQueue");
	t.s.queue = published_queue(p, t.s.queue_name);
	t.verdict = verdict_of(&t);
	json_add_time(t.s.facts, "start", said->start);
	json_add_text(t.s.facts, "nodes", said->starts ? said->nodes : NULL);
	json_add_text(t.s.facts, "partition", said->starts ? said->partition : NULL);
	member_copy(&t, "clusterQueue");
	member_copy(&t, "charges");
	member_copy(&t, "after");
	member_copy(&t, "reason");
	member_copy(&t, "nonPreemptible");
	body_tell(&t);
	json_add_text(t.s.facts, "verdict", t.verdict);
	json_object_object_add(t.s.facts, "sentences", t.s.sentences);
	return t.s.facts;
}
