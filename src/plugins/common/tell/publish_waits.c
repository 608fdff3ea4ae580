/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_waits.c - what the first places in each line wait for
 *
 *  "line" of a cluster queue is a list of places that wait for the same:
 *  {"first": 1, "last": 3, "wait": "quota", "flavor": "a100", "resource":
 *  "gres/gpu", "need": 8, "free": 2}, with the words of squeue's REASON. The
 *  first PLACES_MAX places of each queue are told, "lineRest" counts the others. With
 *  many queues they are fewer where neighbours wait for different things: the file has
 *  about RUNS_MAX such entries at most, so that who reads it needs little memory.
 *  No job is named. Where jobs are private, what one needs is not told either.
 *
 *  Verdicts change with each plan, so nothing is kept: under the lock numbers are
 *  copied, and the document gets them when the lock is free again. It has thousands
 *  of such entries: they become text when it does, and are no JSON objects before.
\*****************************************************************************/
#include "tell/publish_waits.h"

#include "state/job.h"
#include "document/publish_json.h"

#include "lib/digits.h"
#include "query.h"

#define PLACES_MAX 100
#define RUNS_MAX 10000		/* of all queues together, but for QUEUE_RUNS_MIN of each */
#define QUEUE_RUNS_MIN 10
#define NOT_TOLD INT64_MIN

enum number { NEED, FREE, MAX_EVER, CAP, USED, VICTIMS, UNTIL, NUMBERS };

static const char *const number_keys[] = {
	[NEED] = "need", [FREE] = "free", [MAX_EVER] = "max", [CAP] = "cap",
	[USED] = "used", [VICTIMS] = "victims", [UNTIL] = "until",
};

/* Places that wait for the same. Words are literals. */
struct wait_run {
	int64_t first, last;
	const char *word, *protected_by;	/* the latter may be NULL */
	int flavor, resource;			/* -1: none */
	int64_t numbers[NUMBERS];		/* or NOT_TOLD */
};

/* The entries of one queue in the document */
struct line {
	const struct waits *waits;
	size_t begin, end;		/* of its runs */
};

struct waits {
	struct wait_run *runs;		/* of one queue after the other */
	struct line *lines;		/* by queue */
	size_t n, size;
	int64_t *rest;			/* by queue: tasks behind those places */
	size_t nqueues;
	char **flavors, **resources;
	size_t nflavors, nresources;
};

/* ---- under the lock ---- */

static void _pair_is(struct wait_run *run, const struct verdict *v)
{
	run->flavor = v->flavor;
	run->resource = v->resource;
	if (!(slurm_conf.private_data & PRIVATE_DATA_JOBS))
		run->numbers[NEED] = v->need;
}

static void _protected_is(struct wait_run *run, const struct verdict *v)
{
	run->word = "protected";
	if (v->spent)
		run->protected_by = "maxPreemptions";
	else if (v->fixed)
		run->protected_by = "nonpreemptible";
	else if (v->until > 0 && v->until < INT64_MAX)
		run->numbers[UNTIL] = time_of(v->until);
}

/* learned: the last offer was more than the job may have, the next one may be less */
static void _never_is(struct wait_run *run, const struct verdict *v,
		      bool learned)
{
	run->word = learned ? "quota" : "never";
	if (v->flavor < 0)
		return;
	_pair_is(run, v);
	run->numbers[learned ? FREE : MAX_EVER] = v->max;
}

static void _wait_is(struct wait_run *run, const struct entry *entry,
		     const struct verdict *v)
{
	switch (v->reason) {
	case WAIT_IS_QUOTA:
		run->word = "quota";
		_pair_is(run, v);
		run->numbers[FREE] = v->free;
		break;
	case WAIT_IS_PREEMPTING:
		run->word = "preempting";
		run->numbers[VICTIMS] = v->nvictims;
		break;
	case WAIT_IS_PROTECTED:
		_protected_is(run, v);
		break;
	case WAIT_IS_ORDER:
		run->word = "order";
		break;
	case WAIT_IS_HELD:
		run->word = "held";
		break;
	case WAIT_IS_YIELDING:
		run->word = "yields";
		break;
	case WAIT_IS_NEVER:
		_never_is(run, v, entry->lessons.learned && (v->flavor >= 0));
		break;
	case WAIT_IS_NONPREEMPTIBLE:
		run->word = "nonpreemptible";
		_pair_is(run, v);
		run->numbers[CAP] = v->max;
		run->numbers[USED] = v->used;
		break;
	}
}

/* What squeue says of it, as far as this queue goes */
static struct wait_run _run_of(const struct workload *w)
{
	const struct entry *entry =
		entry_of(engine_waits_for(ctld.engine, w));
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);
	struct wait_run run = { .flavor = -1, .resource = -1 };

	for (int i = 0; i < NUMBERS; i++)
		run.numbers[i] = NOT_TOLD;
	if (v->kind == VERDICT_WAIT)
		_wait_is(&run, entry, v);
	else if (v->kind == VERDICT_NONE)
		run.word = "pass";
	else
		run.word = entry->behind ? "order" : "nodes";
	return run;
}

static bool _is_same(const struct wait_run *a, const struct wait_run *b)
{
	return !xstrcmp(a->word, b->word) &&
		!xstrcmp(a->protected_by, b->protected_by) &&
		(a->flavor == b->flavor) && (a->resource == b->resource) &&
		!memcmp(a->numbers, b->numbers, sizeof(a->numbers));
}

struct walk {
	struct waits *waits;
	size_t begin;			/* the first run of the queue */
	int64_t place, places_max;
	size_t runs_max;
};

/* False: the queue has as many as it may have */
static bool _run_add(struct walk *walk, const struct wait_run *run)
{
	struct waits *waits = walk->waits;
	struct wait_run *last = &waits->runs[waits->n];

	if ((waits->n > walk->begin) && _is_same(last - 1, run)) {
		last[-1].last = run->last;
		return true;
	}
	if (waits->n - walk->begin >= walk->runs_max)
		return false;
	if (waits->n == waits->size) {
		waits->size = waits->size ? 2 * waits->size : 64;
		xrecalloc(waits->runs, waits->size, sizeof(*waits->runs));
	}
	waits->runs[waits->n++] = *run;
	return true;
}

static bool _place_add(void *arg, const struct workload *w, int64_t tasks,
		       int local_queue UNUSED)
{
	struct walk *walk = arg;
	struct wait_run run;

	if (!tasks)		/* another entry of the same job counts as its place */
		return true;
	if (walk->place >= walk->places_max)
		return false;
	run = _run_of(w);
	run.first = walk->place + 1;
	run.last = MIN(walk->place + tasks, walk->places_max);
	if (!_run_add(walk, &run))
		return false;
	walk->place = run.last;
	return true;
}

static void _queue_copy(struct waits *waits, int queue)
{
	struct walk walk = {
		.waits = waits, .begin = waits->n,
		.places_max = MIN(PLACES_MAX, ctld.conf->max_position),
		.runs_max = MAX(RUNS_MAX / waits->nqueues, QUEUE_RUNS_MIN),
	};
	int64_t waiting, running;

	engine_counts(ctld.engine, queue, &waiting, &running);
	engine_line(ctld.engine, queue, _place_add, &walk);
	waits->lines[queue] = (struct line) { waits, walk.begin, waits->n };
	waits->rest[queue] = waiting - walk.place;
}

static char **_names_copy(char *const *names, size_t n)
{
	char **copy = xcalloc(n + 1, sizeof(*copy));

	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(names[i]);
	return copy;
}

extern struct waits *waits_copy(void)
{
	const struct spec *spec = ctld.conf->spec;
	struct waits *waits = xmalloc(sizeof(*waits));

	waits->nqueues = spec->nqueues;
	waits->nflavors = spec->nflavors;
	waits->nresources = spec->nresources;
	waits->flavors = _names_copy(spec->flavors, spec->nflavors);
	waits->resources = _names_copy(spec->resources, spec->nresources);
	waits->lines = xcalloc(spec->nqueues + 1, sizeof(*waits->lines));
	waits->rest = xcalloc(spec->nqueues + 1, sizeof(*waits->rest));
	for (size_t i = 0; i < spec->nqueues; i++)
		_queue_copy(waits, i);
	return waits;
}

/* ---- without it ---- */

struct print {
	struct printbuf *to;
	int rc;				/* negative: memory is out */
};

static void _print(struct print *print, const char *text)
{
	if (print->rc >= 0)
		print->rc = printbuf_memappend(print->to, text, strlen(text));
}

static void _print_key(struct print *print, const char *key)
{
	_print(print, ",\"");
	_print(print, key);
	_print(print, "\":");
}

static void _print_number(struct print *print, const char *key, int64_t number)
{
	char room[DIGITS_SIZE];

	_print_key(print, key);
	_print(print, digits_of(number, room));
}

static void _print_word(struct print *print, const char *key, const char *word)
{
	_print_key(print, key);
	_print(print, "\"");
	_print(print, word);
	_print(print, "\"");
}

/* The name has quotation marks already. */
static void _print_name(struct print *print, const char *key, const char *name)
{
	_print_key(print, key);
	_print(print, name);
}

static void _print_run(struct print *print, const struct waits *waits,
		       const struct wait_run *run)
{
	char room[DIGITS_SIZE];

	_print(print, "{\"first\":");
	_print(print, digits_of(run->first, room));
	_print_number(print, "last", run->last);
	_print_word(print, "wait", run->word);
	if (run->flavor >= 0)
		_print_name(print, "flavor", waits->flavors[run->flavor]);
	if (run->resource >= 0)
		_print_name(print, "resource", waits->resources[run->resource]);
	if (run->protected_by)
		_print_word(print, "by", run->protected_by);
	for (int i = 0; i < NUMBERS; i++) {
		if (run->numbers[i] != NOT_TOLD)
			_print_number(print, number_keys[i], run->numbers[i]);
	}
	_print(print, "}");
}

static int _print_line(struct json_object *o, struct printbuf *to,
		       int level UNUSED, int flags UNUSED)
{
	const struct line *line = json_object_get_userdata(o);
	struct print print = { to, 0 };

	_print(&print, "[");
	for (size_t i = line->begin; i < line->end; i++) {
		if (i > line->begin)
			_print(&print, ",");
		_print_run(&print, line->waits, &line->waits->runs[i]);
	}
	_print(&print, "]");
	return print.rc;
}

/* Names as the document has them: in quotation marks, and valid UTF-8 */
static void _names_quote(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct json_object *name = publish_string(names[i]);

		xfree(names[i]);
		names[i] = xstrdup(json_object_to_json_string_ext(
			name, JSON_C_TO_STRING_PLAIN |
			JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(name);
	}
}

static void _names_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		xfree(names[i]);
	xfree(names);
}

extern void waits_free(struct waits *waits)
{
	_names_free(waits->flavors, waits->nflavors);
	_names_free(waits->resources, waits->nresources);
	xfree(waits->runs);
	xfree(waits->lines);
	xfree(waits->rest);
	xfree(waits);
}

extern void waits_tell(struct waits *waits, struct json_object *queues)
{
	_names_quote(waits->flavors, waits->nflavors);
	_names_quote(waits->resources, waits->nresources);
	for (size_t i = 0; i < waits->nqueues; i++) {
		struct json_object *queue = json_object_array_get_idx(queues, i);
		struct json_object *line = json_object_new_boolean(false);

		json_object_set_serializer(line, _print_line, &waits->lines[i],
					   NULL);
		publish_add(queue, "line", line);
		publish_number(queue, "lineRest", waits->rest[i]);
	}
}
