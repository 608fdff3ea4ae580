/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_line.c - the line of a cluster queue: what its places wait for, and
 *  which places belong to one local queue
 *
 *  "line" is a list of places that wait for the same: {"first": 1, "last": 3,
 *  "wait": "quota", "flavor": "a100", "resource": "gres/gpu", "need": 8,
 *  "free": 2}, with the words of squeue's REASON. It has the first PLACES_MAX
 *  places; "lineRest" counts the others. With many queues it has fewer where
 *  neighbours wait for different things: the file has about RUNS_MAX such
 *  entries at most, so that a reader needs little memory. "jobs" has the ids of
 *  the jobs at all places, in order: a client that wants a part of a long line asks
 *  slurmctld for these jobs only. Where jobs are private, "jobs" and the amount that
 *  a job needs are left out.
 *
 *  Users know the place of their job in the cluster queue (squeue shows it). In
 *  "localQueues" they also find its place among the jobs of the same account or
 *  user, without learning who the others are. Where usage counts, "localUsage"
 *  has what these have used. All users can read the file, and anybody may have
 *  written a name behind --account: only names that cohort.yaml has are
 *  published.
\*****************************************************************************/
#include <math.h>

#include "tell/tell.h"

#include "state/json.h"
#include "match/match.h"

#include "query.h"
#include "text/reason.h"

#define PLACES_MAX 100
#define RUNS_MAX 10000		/* of all queues together, but for QUEUE_RUNS_MIN of each */
#define QUEUE_RUNS_MIN 10
#define USAGES_MAX 1000		/* local queues of a queue with their usage */

/* The places of one local queue, as text, and the run that is still open */
struct places {
	int number;		/* of the local queue */
	char *text, *end;
	int64_t first, last;	/* 0: none */
};

struct line {
	/* what places wait for */
	struct json_object *runs, *run;		/* all, and the last one */
	struct reason reason;			/* of the last one */
	const struct verdict *verdict;
	int64_t waits_to;			/* last place that is in a run */
	size_t runs_max;
	/* whose they are */
	struct places *locals;	/* in the order of their first place */
	size_t n, size;
	int *index;		/* by number of the local queue: 1 + index */
	size_t nindex;
	int64_t place;		/* of the last one */
	char *jobs, *jobs_end;
};

/* ---- what places wait for ---- */

static bool _same(const struct line *line, const struct reason *r, const struct verdict *v)
{
	const struct verdict *last = line->verdict;

	return line->run && (line->reason.kind == r->kind) &&
		!memcmp(line->reason.numbers, r->numbers, sizeof(r->numbers)) &&
		(!reason_has(r->kind, "flavor") ||
		 ((last->flavor == v->flavor) && (last->resource == v->resource))) &&
		(!reason_has(r->kind, "until") || (last->until == v->until));
}

static struct json_object *_run_json(const struct reason *r,
				     const struct verdict *v, int64_t first)
{
	const struct reason_form *form = &reason_forms[r->kind];
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = json_object_new_object();

	json_add_number(o, "first", first);
	json_add_text(o, "wait", form->word);
	if (reason_has(r->kind, "flavor") && (v->flavor >= 0))
		json_add_text(o, "flavor", spec->flavors[v->flavor]);
	if (reason_has(r->kind, "resource") && (v->resource >= 0))
		json_add_text(o, "resource", spec->resources[v->resource]);
	if (form->by)
		json_add_text(o, "by", form->by);
	for (int i = 0; i < REASON_NUMBERS; i++) {
		if (r->numbers[i] >= 0)
			json_add_number(o, reason_number_names[i], r->numbers[i]);
	}
	if (reason_has(r->kind, "until"))
		json_add_number(o, "until", time_of(v->until));
	return o;
}

static void _close_wait(struct line *line)
{
	if (line->run)
		json_add_number(line->run, "last", line->waits_to);
}

/* What squeue says of it, as far as this queue goes */
static void _add_wait(struct line *line, const struct workload *w, int64_t last)
{
	const struct entry *entry = entry_of(engine_waits_for(ctld.engine, w));
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);
	struct reason r;

	reason_of_verdict(&r, v, entry->behind, entry->lessons.learned);
	if (slurm_conf.private_data & PRIVATE_DATA_JOBS)
		r.numbers[REASON_NEED] = -1;
	if (!_same(line, &r, v)) {
		if (json_object_array_length(line->runs) >= line->runs_max) {
			line->runs_max = 0;
			return;
		}
		_close_wait(line);
		line->run = _run_json(&r, v, line->waits_to + 1);
		line->reason = r;
		line->verdict = v;
		json_object_array_add(line->runs, line->run);
	}
	line->waits_to = MIN(last, PLACES_MAX);
}

/* ---- whose places they are ---- */

static void _close_run(struct places *p)
{
	if (!p->first)
		return;
	xstrfmtcatat(p->text, &p->end, "%s%"PRId64, p->text ? "," : "", p->first);
	if (p->last > p->first)
		xstrfmtcatat(p->text, &p->end, "-%"PRId64, p->last);
}

static struct places *_places_of(struct line *line, int number)
{
	if ((size_t) number >= line->nindex) {
		line->nindex = MAX(2 * line->nindex, (size_t) number + 1);
		xrecalloc(line->index, line->nindex, sizeof(int));
	}
	if (!line->index[number]) {
		grow_list(line->locals, line->n, line->size);
		line->locals[line->n].number = number;
		line->index[number] = ++line->n;
	}
	return &line->locals[line->index[number] - 1];
}

static void _add_place(struct places *p, int64_t first, int64_t last)
{
	if (p->first && (p->last + 1 == first)) {
		p->last = last;
		return;
	}
	_close_run(p);
	p->first = first;
	p->last = last;
}

static bool _add(void *arg, const struct workload *w, int64_t tasks, int local_queue)
{
	struct line *line = arg;
	int64_t first = line->place + 1, max = ctld.conf->max_position;

	if (tasks && (first > max))
		return false;
	xstrfmtcatat(line->jobs, &line->jobs_end, "%s%u",
		     line->jobs ? "," : "", job_of(w)->job_id);
	if (!tasks)	/* a component of a heterogeneous job has the first one's place */
		return true;
	line->place += tasks;
	if ((first <= PLACES_MAX) && line->runs_max)
		_add_wait(line, w, MIN(line->place, max));
	_add_place(_places_of(line, local_queue), first, line->place);
	return true;
}

static struct json_object *_locals_json(struct line *line)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < line->n; i++) {
		struct places *p = &line->locals[i];

		_close_run(p);
		json_object_array_add(list, json_object_new_string(p->text));
		xfree(p->text);
	}
	return list;
}

/* ---- what local queues have used ---- */

struct usages {
	const struct line *line;
	struct json_object *list;
	int queue;
	size_t next;		/* place of the next one that has none in the line */
};

/* Never that of a user; NULL: it is not published */
static const char *_public_name(int queue, int number)
{
	const struct conf_queue *q = &ctld.conf->queues[queue];
	const char *name = local_queue_name(number);

	if (ctld.conf->local_queue == CONF_LOCAL_USER)
		return NULL;
	for (size_t i = 0; i < q->nlocals; i++) {
		if (!xstrcmp(q->locals[i].name, name))
			return name;
	}
	return NULL;
}

static struct json_object *_usage_json(int queue, int number, double score)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = json_object_new_object();
	struct json_object *history = json_object_new_object();
	struct usage_history h;

	json_add_text(o, "name", _public_name(queue, number));
	json_add(o, "weight", json_object_new_double(
		engine_local_weight(ctld.engine, queue, number)));
	json_add_finite(o, "score", score);
	for (size_t r = 0; r < spec->nresources; r++) {
		if (engine_local_history(ctld.engine, queue, number, r, &h) && h.past)
			json_object_object_add(history, spec->resources[r],
					       json_object_new_double(h.past));
	}
	json_add(o, "history", history);
	return o;
}

static void _add_usage(void *arg, int number, double score)
{
	struct usages *all = arg;
	const struct line *line = all->line;
	int index = (size_t) number < line->nindex ? line->index[number] : 0;
	size_t at = index ? (size_t) index - 1 : all->next++;

	if (at < USAGES_MAX)
		json_object_array_put_idx(all->list, at, _usage_json(all->queue, number, score));
}

static struct json_object *_usages_json(const struct line *line, int queue)
{
	struct usages all = {
		.line = line, .list = json_object_new_array(), .queue = queue, .next = line->n,
	};

	engine_locals(ctld.engine, queue, _add_usage, &all);
	return all.list;
}

extern void publish_line(struct json_object *o, int queue)
{
	const struct spec *spec = ctld.conf->spec;
	struct line line = {
		.runs = json_object_new_array(),
		.runs_max = MAX(RUNS_MAX / spec->nqueues, QUEUE_RUNS_MIN),
	};
	int64_t waiting, running;

	engine_line(ctld.engine, queue, _add, &line);
	_close_wait(&line);
	engine_counts(ctld.engine, queue, &waiting, &running);
	json_add_number(o, "running", running);
	json_add_number(o, "waiting", waiting);
	json_add(o, "localQueues", _locals_json(&line));
	if (!(slurm_conf.private_data & PRIVATE_DATA_JOBS))
		json_add_text(o, "jobs", line.jobs ? line.jobs : "");
	if (spec->queues[queue].by_usage)
		json_add(o, "localUsage", _usages_json(&line, queue));
	json_add(o, "line", line.runs);
	json_add_number(o, "lineRest", waiting - line.waits_to);
	xfree(line.jobs);
	xfree(line.locals);
	xfree(line.index);
}
