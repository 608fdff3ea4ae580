/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_line.c - which places in line belong to one local queue
 *
 *  Users know the place of their job in the cluster queue (squeue shows it).
 *  Here they find its place among the jobs of the same account or user, without
 *  learning who the others are. Where usage counts, they also find what it has
 *  used. All users can read this, and anybody may have written a name behind
 *  --account: only names that cohort.yaml has are told. The jobs are listed by
 *  their ids unless PrivateData=jobs hides them: a client that wants a part of a
 *  long line then asks slurmctld for these jobs only.
\*****************************************************************************/
#include <json-c/json.h>
#include <math.h>

#include "tell/publish_line.h"

#include "state/job.h"
#include "match/queue_of_job.h"
#include "document/publish_json.h"

#include "query.h"

/* More local queues of a queue are not told with their usage. */
#define USAGES_MAX 1000

/* The places of one local queue, as text, and the run that is still open */
struct places {
	int number;		/* of the local queue */
	char *text;
	size_t used, size;
	int64_t first, last;	/* 0: none */
};

struct line {
	struct places *locals;	/* in the order of their first place */
	size_t n, size;
	int *index;		/* by number of the local queue: 1 + index */
	size_t nindex;
	int64_t place;		/* of the last one */
	char *jobs, *jobs_end;
};

static void _close_run(struct places *p)
{
	if (!p->first)
		return;
	if (p->used + 48 > p->size) {
		p->size = p->size ? 2 * p->size : 64;
		xrealloc(p->text, p->size);
	}
	p->used += snprintf(p->text + p->used, p->size - p->used,
			    p->first == p->last ? "%s%"PRId64 :
			    "%s%"PRId64"-%"PRId64, p->used ? "," : "",
			    p->first, p->last);
}

static void _add_run(struct places *p, int64_t first, int64_t last)
{
	if (p->first && (p->last + 1 == first)) {
		p->last = last;
		return;
	}
	_close_run(p);
	p->first = first;
	p->last = last;
}

static struct places *_places_of(struct line *line, int number)
{
	if ((size_t) number >= line->nindex) {
		line->nindex = MAX(2 * line->nindex, (size_t) number + 1);
		xrecalloc(line->index, line->nindex, sizeof(int));
	}
	if (!line->index[number]) {
		if (line->n == line->size) {
			line->size = line->size ? 2 * line->size : 8;
			xrecalloc(line->locals, line->size,
				  sizeof(struct places));
		}
		line->locals[line->n].number = number;
		line->index[number] = ++line->n;
	}
	return &line->locals[line->index[number] - 1];
}

static bool _add(void *arg, const struct workload *w, int64_t tasks,
		 int local_queue)
{
	struct line *line = arg;
	int64_t first = line->place + 1;

	if (!tasks)		/* another entry of the same job counts as its place */
		return true;
	if (first > ctld.conf->max_position)
		return false;
	line->place += tasks;
	_add_run(_places_of(line, local_queue), first, line->place);
	xstrfmtcatat(line->jobs, &line->jobs_end, "%s%u",
		     line->jobs ? "," : "", job_of(w)->job_id);
	return true;
}

/* A line as it was told, and of which version of it */
struct told {
	struct json_object *list, *jobs;
	int *numbers;		/* of the local queues, in their order */
	size_t n;
	uint64_t version;
};

static struct json_object *_line_json(int queue, struct told *told)
{
	struct json_object *list = json_object_new_array();
	struct line line = { 0 };

	engine_line(ctld.engine, queue, _add, &line);
	xfree(told->numbers);
	told->numbers = xcalloc(line.n + 1, sizeof(*told->numbers));
	told->n = line.n;
	for (size_t i = 0; i < line.n; i++) {
		struct places *p = &line.locals[i];

		told->numbers[i] = p->number;
		_close_run(p);
		json_object_array_add(list, json_object_new_string_len(
					      p->text, p->used));
		xfree(p->text);
	}
	told->jobs = json_object_new_string(line.jobs ? line.jobs : "");
	xfree(line.jobs);
	xfree(line.locals);
	xfree(line.index);
	return list;
}

/* Most lines have not changed: walking along all of them, with 100,000 jobs,
 * took longer than all the rest. Only the thread that publishes calls this. */
static struct {
	struct told *lines;
	size_t n;
	bool stale;		/* there is a new engine */
} kept;

extern void publish_forget(void)
{
	kept.stale = true;
}

static void _forget(void)
{
	for (size_t i = 0; i < kept.n; i++) {
		json_object_put(kept.lines[i].list);
		json_object_put(kept.lines[i].jobs);
		xfree(kept.lines[i].numbers);
	}
	xfree(kept.lines);
	kept.n = ctld.conf->spec->nqueues;
	kept.lines = xcalloc(kept.n + 1, sizeof(*kept.lines));
	kept.stale = false;
}

static struct told *_told(int queue)
{
	uint64_t version = engine_line_version(ctld.engine, queue);
	struct told *told;

	if (kept.stale || !kept.lines)
		_forget();
	told = &kept.lines[queue];
	if (!told->list || (told->version != version)) {
		json_object_put(told->list);
		json_object_put(told->jobs);
		told->list = _line_json(queue, told);
		told->version = version;
	}
	return told;
}

extern struct json_object *publish_line(int queue)
{
	return json_object_get(_told(queue)->list);
}

extern struct json_object *publish_line_jobs(int queue)
{
	if (slurm_conf.private_data & PRIVATE_DATA_JOBS)
		return NULL;
	return json_object_get(_told(queue)->jobs);
}

/* ---- what local queues have used ---- */

struct usages {
	struct json_object *list;
	int queue;
	const struct told *told;
	double *scores;		/* by place in the line */
	int *index;		/* by number: 1 + place in the line */
	int most;		/* the highest number in the line */
};

/* Never that of a user; NULL: it is not told */
static const char *_told_name(int queue, int number)
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

static void _add_usage(const struct usages *all, int number, double score)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *o = json_object_new_object();
	struct json_object *history = json_object_new_object();
	struct usage_history h;

	publish_text(o, "name", _told_name(all->queue, number));
	publish_add(o, "weight", json_object_new_double(
		engine_local_weight(ctld.engine, all->queue, number)));
	publish_add(o, "score", isfinite(score) ?
		    json_object_new_double(score) : NULL);
	for (size_t r = 0; r < spec->nresources; r++) {
		if (engine_local_history(ctld.engine, all->queue, number, r, &h)
		    && h.past)
			publish_add(history, spec->resources[r],
				    json_object_new_double(h.past));
	}
	publish_add(o, "history", history);
	json_object_array_add(all->list, o);
}

static int _place(const struct usages *all, int number)
{
	return number <= all->most ? all->index[number] : 0;
}

static void _note_score(void *arg, int number, double score)
{
	const struct usages *all = arg;
	int place = _place(all, number);

	if (place)
		all->scores[place - 1] = score;
}

static void _add_idle(void *arg, int number, double score)
{
	const struct usages *all = arg;

	if (!_place(all, number) &&
	    (json_object_array_length(all->list) < USAGES_MAX))
		_add_usage(all, number, score);
}

extern struct json_object *publish_usages(int queue)
{
	struct usages all = {
		.list = json_object_new_array(), .queue = queue,
		.told = _told(queue),
	};
	size_t n = all.told->n;

	for (size_t i = 0; i < n; i++)
		all.most = MAX(all.most, all.told->numbers[i]);
	all.scores = xcalloc(n + 1, sizeof(*all.scores));
	all.index = xcalloc(all.most + 1, sizeof(*all.index));
	for (size_t i = 0; i < n; i++)
		all.index[all.told->numbers[i]] = i + 1;
	engine_locals(ctld.engine, queue, _note_score, &all);
	for (size_t i = 0; (i < n) && (i < USAGES_MAX); i++)
		_add_usage(&all, all.told->numbers[i], all.scores[i]);
	engine_locals(ctld.engine, queue, _add_idle, &all);
	xfree(all.scores);
	xfree(all.index);
	return all.list;
}
