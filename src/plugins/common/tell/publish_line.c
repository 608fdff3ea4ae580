/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_line.c - which places in line belong to one local queue
 *
 *  Users know the place of their job in the cluster queue (squeue shows it).
 *  Here they find its place among the jobs of the same account or user, without
 *  learning who the others are.
\*****************************************************************************/
#include <json-c/json.h>

#include "tell/publish_line.h"

#include "state/state.h"

#include "query.h"
/* The places of one local queue, as text, and the run that is still open */
struct places {
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
		line->index[number] = ++line->n;
	}
	return &line->locals[line->index[number] - 1];
}

static bool _add(void *arg, const struct workload *w UNUSED, int64_t tasks,
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
	return true;
}

static struct json_object *_line_json(int queue)
{
	struct json_object *list = json_object_new_array();
	struct line line = { 0 };

	engine_line(ctld.engine, queue, _add, &line);
	for (size_t i = 0; i < line.n; i++) {
		struct places *p = &line.locals[i];

		_close_run(p);
		json_object_array_add(list, json_object_new_string_len(
					      p->text, p->used));
		xfree(p->text);
	}
	xfree(line.locals);
	xfree(line.index);
	return list;
}

/* Most lines have not changed: walking along all of them, with 100,000 jobs,
 * took longer than all the rest. Only the thread that publishes calls this. */
static struct {
	struct json_object **lists;
	uint64_t *versions;
	size_t n;
	bool stale;		/* there is a new engine */
} kept;

extern void publish_forget(void)
{
	kept.stale = true;
}

static void _forget(void)
{
	for (size_t i = 0; i < kept.n; i++)
		json_object_put(kept.lists[i]);
	xfree(kept.lists);
	xfree(kept.versions);
	kept.n = ctld.conf->spec->nqueues;
	kept.lists = xcalloc(kept.n + 1, sizeof(*kept.lists));
	kept.versions = xcalloc(kept.n + 1, sizeof(*kept.versions));
	kept.stale = false;
}

extern struct json_object *publish_line(int queue)
{
	uint64_t version = engine_line_version(ctld.engine, queue);

	if (kept.stale || !kept.lists)
		_forget();
	if (!kept.lists[queue] || (kept.versions[queue] != version)) {
		json_object_put(kept.lists[queue]);
		kept.lists[queue] = _line_json(queue);
		kept.versions[queue] = version;
	}
	return json_object_get(kept.lists[queue]);
}
