/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit.c - scohort why --fit: asks slurmctld for each change, and tells which ones help
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fit/fit.h"
#include "input/json_members.h"
#include "ledger/job.h"
#include "ledger/lookup.h"
#include "must.h"
#include "output/text.h"
#include "whatif/whatif.h"

#define LATE 3		/* a start within that many seconds counts as now, */
#define EVICT 300	/* and within that many if jobs are evicted for it at once */
#define COMMAND_MAX (1 << 17)
#define NOT_RUN 127	/* exit status: there is no sbatch */

/* ---- questions ---- */

static void answer_fill(struct fit_answer *a, const struct sbatch_answer *said,
			struct json_object *part)
{
	const char *verdict = json_text(part, "verdict");
	bool waits = !strcmp(verdict, "wait");
	bool goes = !strcmp(verdict, "start") || !strcmp(verdict, "preempt");
	const char *line = strrchr(said->rest, '\n');	/* the last one */
	struct reason r;

	a->stop = !strcmp(verdict, "postponed") || !strcmp(verdict, "unfinished")
		  || (said->starts && !part);
	if (!said->starts && !part)
		snprintf(a->refusal, sizeof(a->refusal), "%.255s", line ? line + 1 : said->rest);
	a->behind = reason_parse(json_text(part, "reason"), &r) && r.kind == REASON_ORDER;
	a->starts = said->starts && said->start && (goes || waits);
	a->now = a->starts && goes
		 && said->start <= time(NULL) + (said->nvictims ? EVICT : LATE);
	a->start = said->start;
	a->victims = said->nvictims;
	snprintf(a->nodes, sizeof(a->nodes), "%.255s", said->nodes);
	snprintf(a->queue, sizeof(a->queue), "%s", json_text(part, "clusterQueue"));
}

static void ask(void *arg, const struct fit_request *r, struct fit_answer *answer)
{
	struct published p = { .document = NULL };
	struct question q = { .alone = true };
	struct json_object *part;
	struct sbatch_answer said;
	char err[256];
	int code;

	q.args = request_args(r, &q.nargs);
	if (whatif_put(&q, arg, &p, &said, &code, &part, err, sizeof(err))) {
		complain("%s", err);
		answer->stop = true;
	} else if (code == NOT_RUN) {
		complain("sbatch: %s", said.rest);
		answer->stop = true;
	} else {
		answer_fill(answer, &said, part);
		sbatch_answer_free(&said);
	}
	published_close(&p);
	for (size_t i = 0; i < q.nargs; i++)
		free(q.args[i]);
	free(q.args);
}

/* ---- what was found ---- */

static void start_text(const struct fit_found *f, int64_t estimate, int64_t now, char *buf,
		       size_t size)
{
	const struct fit_answer *a = &f->answer;

	if (f->by_quota)
		text_append(buf, size, " has quota now. That is by quota alone: nodes were not "
			    "asked, because in its queue a question stands behind this job");
	else if (a->now)
		text_append(buf, size, " starts %s%s on %s", a->start > now + LATE ? "at " : "",
			    a->start > now + LATE ? text_time(TEXT_BUF, a->start, now) : "now",
			    a->nodes);
	else
		text_append(buf, size, " is expected to start at %s, and as it is %s",
			    text_time(TEXT_BUF, a->start, now), estimate
			    ? text_time(TEXT_BUF, estimate, now) : "never");
	if (a->victims)
		text_append(buf, size, ", after evicting %zu job%s", a->victims,
			    text_s((int64_t) a->victims));
}

static void found_tell(struct json_object *o, const struct fit_search *s,
		       const struct fit_found *f, const struct view *v)
{
	const char (*was)[FIT_TEXT] = s->job->asked.value, (*is)[FIT_TEXT] = f->request.value;
	bool place = strcmp(was[FIT_ACCOUNT], is[FIT_ACCOUNT])
		     || strcmp(was[FIT_QOS], is[FIT_QOS])
		     || strcmp(was[FIT_PARTITION], is[FIT_PARTITION]);
	char text[2048], change[512], *command = must(malloc(2 * COMMAND_MAX));
	char *id = command + COMMAND_MAX;

	request_words(s->job, &f->request, change, sizeof(change));
	snprintf(text, sizeof(text), "With %s%s%s%s", change, place ? " (cluster queue " : "",
		 place ? f->answer.queue : "", place ? ")" : "");
	text_append(text, sizeof(text), v->tasks > 1 ? " the first of its tasks" : " it");
	start_text(f, s->estimate, time(NULL), text, sizeof(text));
	text_append(text, sizeof(text), place ? ". Slurm's own limits there were not asked." : ".");
	text_sanitize(text);
	json_add_text(o, "text", text);
	request_id(v, id, COMMAND_MAX);
	json_add_text(o, "command", request_command(s->job, &f->request, id, command,
						    COMMAND_MAX));
	json_add_text(o, "change", change);
	json_add_text(o, "basis", f->by_quota ? "quota" : "slurmctld");
	json_add_truth(o, "now", f->answer.now && !f->by_quota);
	json_add_time(o, "start", f->answer.start);
	json_add_number(o, "victims", (int64_t) f->answer.victims);
	json_add_text(o, "clusterQueue", *f->answer.queue ? f->answer.queue : NULL);
	free(command);
}

static void nothing_text(struct fit_search *s, bool accounts, char *buf, size_t size)
{
	if (s->wait->kind == REASON_PREEMPTING)
		snprintf(buf, size, "No change is needed: it starts when the evicted jobs have "
			 "left their nodes.");
	else if (s->wait->kind == REASON_PASS)
		snprintf(buf, size, "No change was tried, because the scheduler has not decided "
			 "about it yet. Ask again in a few seconds.");
	else if (!s->tried.n)
		snprintf(buf, size, "It asks for nothing that could be less, and no other cluster "
			 "queue is known that could take it.");
	else
		snprintf(buf, size, "%s starts it sooner: %s.", s->stopped
			 ? "Not all changes could be tried, and none that was" : "No change that "
			 "was tried", listing_end(&s->tried, ""));
	if (s->refused)
		text_append(buf, size, " Slurm refused %zu of the questions, the last one with "
			    "\"%s\".", s->refused, s->refusal);
	if (s->behind)
		text_append(buf, size, " Questions stood behind other jobs, perhaps behind this "
			    "one: a change may still help.");
	if (s->tried.n && !accounts)
		text_append(buf, size, " Other accounts and QOS were not tried, because slurmctld "
			    "has no associations of its user.");
}

/* why: no question was asked; or NULL */
static void search_tell(struct json_object *fit, struct fit_search *s, const struct view *v,
			const char *why, bool accounts)
{
	struct json_object *answers = json_add_list(fit, "answers");
	char text[4096];

	for (size_t i = 0; i < s->nfound; i++)
		found_tell(json_append(answers), s, &s->found[i], v);
	if (why || s->nfound)
		snprintf(text, sizeof(text), "%s", why ? why : "What starts it sooner:");
	else
		nothing_text(s, accounts, text, sizeof(text));
	if (s->questions)
		text_append(text, sizeof(text), " (%zu question%s to slurmctld, as for one more "
			    "job like it%s)", s->questions, text_s((int64_t) s->questions),
			    s->stopped ? "; it answers no more now, so ask again in a few seconds"
			    : "");
	text_sanitize(text);
	json_add_text(fit, "text", text);
	json_add_number(fit, "questions", (int64_t) s->questions);
	json_add_truth(fit, "complete", !s->stopped);
}

/* ---- the job ---- */

/* Why slurmctld is not asked about it; NULL: it may be asked */
static const char *apart(const struct published *p, const struct view *v, struct reason *r)
{
	if (v->state != VIEW_PENDING)
		return v->state == VIEW_DONE ? "No change helps: it has ended."
					     : "No change was tried: it has started.";
	if (getuid() && v->uid != getuid())
		return "No change was tried: only its user and root can ask for it.";
	if (v->het_id)
		return "No change was tried: its components start together, and changes of them "
		       "can't be asked.";
	if (!v->priority)
		return "No change helps while it is held (scontrol release).";
	if (!p->document)
		return "No change was tried, because the published file can't be read.";
	if (!strcmp(json_text(p->document, "enforcement"), "observe"))
		return "No change was tried: quota is only observed, not enforced.";
	return reason_parse(v->text, r) ? NULL
	       : "No change was tried: it is not in line.";
}

void fit_tell(struct json_object *facts, const struct published *p, const struct view *v,
	      const struct controller *controller)
{
	struct json_object *fit = json_object_new_object();
	struct story story = { .p = p, .v = v, .now = time(NULL) };
	static struct fit_job job;
	static struct fit_search s;
	struct provenance before;
	struct reason wait;
	const char *why = apart(p, v, &wait);
	bool accounts = false;

	s = (struct fit_search) {
		.job = &job, .wait = &wait, .estimate = v->start > story.now ? v->start : 0,
		.evicted = provenance_parse(v->system_comment, &before), .ask = ask,
		.arg = (void *) controller,
	};
	if (!why) {
		story.queue = published_queue(p, wait.queue);
		fit_job_make(&job, v);
		accounts = fit_find(&s, &story);
		fit_search(&s);
	}
	json_object_object_add(facts, "fit", fit);
	search_tell(fit, &s, v, why, accounts);
}

void fit_print(const struct output *out, struct json_object *facts)
{
	struct json_object *fit = json_member(facts, "fit");

	if (!fit)
		return;
	output_wrap(out, 2, 4, json_text(fit, "text"));
	for (size_t i = 0; i < json_items(fit, "answers"); i++) {
		struct json_object *o = json_item(fit, "answers", i);

		output_wrap(out, 4, 6, json_text(o, "text"));
		output_line(out->file, "      %s", json_text(o, "command"));
	}
}
