/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.c - what the database of scohort record knows of a range, for a page
 */
#include <string.h>
#include <time.h>

#include "input/json_members.h"
#include "past/past.h"
#include "slurm/conf_path.h"

#define BUSY_MS 500		/* a writer never holds readers up, but a copy might */
#define COSTLIEST 20

struct asking {
	struct past *p;
	const struct past_query *q;
	struct ask *ask;
	struct range range;
	char of[4096];			/* the chosen resource; its flavor follows */
	struct choice choice;
	time_t until;			/* by the monotonic clock */
	bool late;
	char error[DB_ERROR_SIZE];
};

/* ---- what is wrong ---- */

static void error_add(struct past *p, enum past_status status, const char *text)
{
	p->status = status;
	json_add_text(p->document, "error", text);
}

/* Of an answer that failed in the middle, what is chosen stays, for the form. */
static void results_drop(struct past *p)
{
	static const char *const kept[] = {
		"error", "choices", "resource", "flavor", "clusterQueue",
	};
	struct json_object *rest = json_object_new_object(), *value;

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (json_object_object_get_ex(p->document, kept[i], &value))
			json_object_object_add(rest, kept[i], json_object_get(value));
	json_object_put(p->document);
	p->document = rest;
}

static int is_late(void *arg)
{
	struct asking *a = arg;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	a->late = now.tv_sec > a->until;
	return a->late;
}

/* ---- what is asked ---- */

static const char *item_text(struct json_object *list, size_t i)
{
	return json_object_get_string(json_object_array_get_idx(list, i));
}

/* The item of that name; without one the first GRES, else the first. NULL: none */
static const char *of_find(struct json_object *of, const char *wanted)
{
	size_t n = json_object_array_length(of);

	for (size_t i = 0; i < n; i++)
		if (is_given(wanted) ? !strcmp(item_text(of, i), wanted)
				     : !strncmp(item_text(of, i), "gres/", 5))
			return item_text(of, i);
	return is_given(wanted) || !n ? NULL : item_text(of, 0);
}

/* RESOURCE@FLAVOR, and RESOURCE for those that have several */
static int of_choose(struct asking *a)
{
	struct json_object *choices = json_object_new_object(), *list;
	const char *of;
	char *at;

	json_object_object_add(a->p->document, "choices", choices);
	list = json_add_list(choices, "of");
	if (ask_texts(a->ask, "SELECT resource || '@' || flavor, resource"
		      " FROM pair UNION SELECT resource, resource FROM pair"
		      " ORDER BY 2, 1", list) < 0)
		return -1;
	of = of_find(list, a->q->of);
	if (!of) {
		error_add(a->p, PAST_MISSING, is_given(a->q->of)
			  ? "The database knows no quota for such a resource."
			  : "The database has no quota yet.");
		return -1;
	}
	snprintf(a->of, sizeof(a->of), "%s", of);
	a->choice.resource = a->of;
	if ((at = strrchr(a->of, '@'))) {
		*at = '\0';
		a->choice.flavor = at + 1;
	}
	return 0;
}

/* Is something kept at that level from `start` on, as far as the database goes back? */
static int is_kept(const struct ask *ask, enum span_by level, int64_t start)
{
	int64_t oldest;

	if (db_numbers(&ask->db, &oldest, 1, "SELECT min(slot) FROM usage"
		       " WHERE level = ?1", "i", (int64_t) level) < 0)
		return -1;
	return oldest && (oldest <= start || oldest <= span_next(level, ask->last.begun));
}

/* Minutes and hours are kept for a while only: what is older has longer steps. */
static int range_make_kept(struct asking *a)
{
	int kept = 0;

	while (!kept && a->range.by <= SPAN_HOUR) {
		kept = is_kept(a->ask, a->range.by, a->range.start);
		if (!kept)
			range_coarsen(&a->range);
	}
	return kept < 0 ? -1 : 0;
}

/* Where jobs are private, use by hour and minute stays as it was asked for, without
 * evictions. */
static int range_ask(struct asking *a, int64_t now)
{
	char unread[CONF_PATH_MAX];
	const char *wrong = range_read(&a->range, &a->p->when, a->q->range,
				       a->q->from, a->q->to, now);

	a->ask->range = a->range;	/* for the form, whatever fails */
	if (wrong) {
		error_add(a->p, PAST_WRONG, wrong);
		return -1;
	}
	a->ask->private = conf_jobs_are_private(unread);
	if (a->ask->private && (a->p->kind == PAST_EVICTIONS || !ask_hides(a->ask)))
		range_to_days(&a->range);
	return 0;
}

static void document_begin(struct asking *a)
{
	struct json_object *o = a->p->document;

	json_add_number(o, "start", a->range.start);
	json_add_number(o, "end", a->range.end);
	json_add_text(o, "zone", a->ask->last.zone);
	json_add_text(o, "by", span_by_text(a->range.by));
	json_add_text(o, "resource", a->choice.resource);
	json_add_text(o, "flavor", a->choice.flavor);
}

/* ---- answers ---- */

/* Is a part of the range without account? Only use has gaps. */
static bool has_unknown(struct json_object *document)
{
	for (size_t i = 0; i < json_items(document, "gaps"); i++) {
		struct json_object *gap = json_item(document, "gaps", i);

		if (!strcmp(json_text(gap, "kind"), "unknown") && json_number(gap, "seconds"))
			return true;
	}
	return false;
}

static void notes_add(struct asking *a)
{
	struct json_object *o = a->p->document, *notes = json_add_list(o, "notes");

	if (a->ask->private)
		json_object_array_add(notes, json_object_new_string(ask_hides(a->ask)
			? "Jobs are private, or it is not known whether they are: evictions and "
			  "reclaim delays are told by whole days, as of a month."
			: "Jobs are private, or it is not known whether they are: these are "
			  "evictions of whole days."));
	ask_notes(a->ask, o, notes);
	if (has_unknown(o))
		json_object_array_add(notes, json_object_new_string(
			"A step with such a time in it is a mean over all of the step, and too "
			"low."));
}

static int usage_add(struct asking *a, struct json_object *queues)
{
	struct json_object *o = a->p->document;
	struct json_object *steps = json_object_new_object();
	const char *queue = NULL;

	json_object_object_add(o, "steps", steps);
	for (size_t i = 0; i < json_object_array_length(queues); i++)
		if (is_given(a->q->queue) && !strcmp(item_text(queues, i), a->q->queue))
			queue = item_text(queues, i);
	if (is_given(a->q->queue) && !queue) {
		error_add(a->p, PAST_MISSING, "The database knows no such cluster queue.");
		return -1;
	}
	json_add_text(o, "clusterQueue", queue);
	return ask_range(a->ask, &a->range) < 0
	       || ask_use(a->ask, false, json_add_list(o, "rows"), json_add_list(o, "totals")) < 0
	       || ask_steps(a->ask, queue, NULL, steps) < 0 || ask_gaps(a->ask, o) < 0 ? -1 : 0;
}

/* A run that was lost is a fact of a job: nobody learns which, and nothing of it where
 * jobs are private. */
static int evictions_add(struct asking *a)
{
	struct json_object *o = a->p->document, *rows = json_add_list(o, "rows");
	bool private = a->ask->private;
	struct range whole = { a->range.start, a->range.end, SPAN_WHOLE };
	size_t n;

	if (ask_range(a->ask, &whole) < 0
	    || ask_evictions(a->ask, NULL, rows, json_add_list(o, "totals")) < 0
	    || (!private && ask_costliest(a->ask, a->choice.flavor, COSTLIEST, false,
					  json_add_list(o, "costliest")) < 0)
	    || ask_evictions_from(a->ask, o) < 0)
		return -1;
	/* when the oldest one ended is a fact of a job, too */
	if (private) {
		json_object_object_add(o, "costliest", NULL);
		json_object_object_add(o, "evictionsFrom", NULL);
	}
	json_add_truth(o, "wholeDays", private);
	n = json_object_array_length(rows);
	if (n > PAST_ROWS_MAX)
		json_object_array_del_idx(rows, PAST_ROWS_MAX, n - PAST_ROWS_MAX);
	json_add_number(o, "rowsLeftOut", n > PAST_ROWS_MAX ? (int64_t) (n - PAST_ROWS_MAX) : 0);
	return 0;
}

/* -1 after a message or an error in the document */
static int database_ask(struct asking *a, const char *path, int64_t now)
{
	struct json_object *queues;
	int rc;

	if (ask_open(a->ask, path, BUSY_MS, is_late, a) < 0 || range_ask(a, now) < 0
	    || of_choose(a) < 0 || range_make_kept(a) < 0)
		return -1;
	document_begin(a);
	queues = json_add_list(json_member(a->p->document, "choices"), "queues");
	if (ask_choose(a->ask, &a->choice) < 0 || ask_texts(a->ask, ASK_QUEUES, queues) < 0)
		return -1;
	rc = a->p->kind == PAST_EVICTIONS ? evictions_add(a) : usage_add(a, queues);
	a->ask->range = a->range;
	if (!rc)
		notes_add(a);
	return rc;
}

void past_open(struct past *p, const char *db, enum past_kind kind,
	       const struct past_query *q, int64_t now)
{
	struct asking a = { .p = p, .q = q, .ask = &p->ask };
	struct timespec begin;
	int rc;

	*p = (struct past) { .kind = kind, .when = RANGE_DAY, .ask.db.error = a.error };
	p->document = json_object_new_object();
	clock_gettime(CLOCK_MONOTONIC, &begin);
	a.until = begin.tv_sec + PAST_SECONDS;
	rc = database_ask(&a, db, now);
	if (rc < 0 && p->status == PAST_OK)
		error_add(p, PAST_FAILED, a.late ? "This takes too long: a shorter time would do."
			  : *a.error ? a.error : "out of memory");
	if (p->status != PAST_OK)
		results_drop(p);
	p->ask.db.error = NULL;
}

void past_close(struct past *p)
{
	ask_close(&p->ask);
	json_object_put(p->document);
	p->document = NULL;
}
