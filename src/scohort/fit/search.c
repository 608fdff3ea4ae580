/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search.c - which change starts the job sooner, by a few questions
 *
 * What changes least for the job's program comes first: its time limit, its constraint, its
 * cluster queue or partition, its size. A size is searched by halves: what is smaller starts
 * no later.
 */
#include <stdio.h>
#include <string.h>

#include "fit/fit.h"
#include "lib/sat.h"
#include "output/text.h"

#define SOONER 60	/* seconds; less than that is not worth a change */
#define GRAIN 8		/* memory is searched in that many steps */

static bool may_ask(const struct fit_search *s)
{
	return s->questions < FIT_QUESTIONS && !s->stopped;
}

/* Of two that start now the later question was about the smaller change. */
static bool is_better(const struct fit_answer *a, const struct fit_answer *b)
{
	if (a->now || !b->starts)
		return true;
	return !b->now && a->start < b->start;
}

/* True: it starts now. best has the best one of its kind. */
static bool try(struct fit_search *s, const struct fit_request *r, struct fit_found *best)
{
	struct fit_answer a = { .starts = false };

	if (!may_ask(s))
		return false;
	s->questions++;
	s->ask(s->arg, r, &a);
	s->stopped |= a.stop;
	if (*a.refusal) {
		s->refused++;
		memcpy(s->refusal, a.refusal, sizeof(s->refusal));
	}
	s->stood_behind = a.behind;
	s->behind |= a.behind;
	if (a.victims && s->evicted)
		a.starts = a.now = false;
	if (a.starts && is_better(&a, &best->answer))
		*best = (struct fit_found) { .request = *r, .answer = a };
	return a.now;
}

static void keep(struct fit_search *s, const struct fit_found *best)
{
	if (best->answer.starts)
		s->found[s->nfound++] = *best;
}

static bool try_alone(struct fit_search *s, const struct fit_request *r)
{
	struct fit_found best = { .by_quota = false };
	char words[256];

	if (!may_ask(s))
		return false;
	listing_add(&s->tried, "%s", request_words(s->job, r, words, sizeof(words)));
	(void) try(s, r, &best);
	keep(s, &best);
	return best.answer.now;
}

static void times_try(struct fit_search *s)
{
	for (int i = 0; i < FIT_TIMES && *s->times[i]; i++) {
		struct fit_request r = s->job->asked;

		request_set(&r, FIT_TIME, s->times[i]);
		if (try_alone(s, &r))
			return;
	}
}

/* ---- size ---- */

/* In this order. "": of a job that waits for something else */
static const struct {
	const char *resource;
	enum fit_field fields[7];	/* up to FIT_TIME */
} sizes[] = {
	{ "cpu", { FIT_NODES, FIT_TASKS, FIT_CPUS } },
	{ "mem", { FIT_MEM, FIT_MEM_CPU, FIT_NODES, FIT_TASKS, FIT_CPUS } },
	{ "node", { FIT_NODES } },
	{ "license/", { FIT_TIME } },
	{ "gres/", { FIT_GPUS, FIT_NODES, FIT_GRES, FIT_TASKS, FIT_GPUS_TASK } },
	{ "", { FIT_GPUS, FIT_NODES, FIT_GRES, FIT_TASKS, FIT_CPUS, FIT_MEM } },
};

/* So much of n has quota now, as far as its need goes with the size; 0: not known */
static int64_t quota_size(const struct reason *r, int64_t n)
{
	int64_t need = r->numbers[REASON_NEED], most = r->numbers[REASON_FREE];

	if (r->kind == REASON_NEVER)
		most = r->numbers[REASON_MAX];
	else if (r->kind != REASON_QUOTA)
		return 0;
	return most > 0 && most < need ? (int64_t) ((double) n * (double) most / (double) need)
				       : 0;
}

/* True: it starts now with that size. */
static bool size_try(struct fit_search *s, enum fit_field field, int64_t n,
		     struct fit_found *best)
{
	struct fit_request r = s->job->asked;
	int64_t tasks = request_number(&r, FIT_TASKS), was = request_number(&r, field);

	request_number_set(&r, field, n);
	if (field == FIT_NODES)
		request_number_set(&r, FIT_TASKS, max64(n, tasks * n / was));
	if (try(s, &r, best))
		return true;
	/* The first of a StrictFIFO queue: the question stood behind it, and its quota is known. */
	if (s->stood_behind && s->wait->kind == REASON_QUOTA && s->wait->place == 1
	    && n == quota_size(s->wait, was))
		*best = (struct fit_found) {
			.request = r, .by_quota = true,
			.answer = { .starts = true, .now = true },
		};
	return best->by_quota;
}

/* True: some size starts now. Each node has a task. */
static bool field_try(struct fit_search *s, enum fit_field field)
{
	int64_t n = request_number(&s->job->asked, field), quota = quota_size(s->wait, n);
	bool memory = field == FIT_MEM || field == FIT_MEM_CPU;
	int64_t grain = memory ? (n + GRAIN - 1) / GRAIN : 1, good = 0, bad = n;
	int64_t least = field == FIT_TASKS
			? max64(1, request_number(&s->job->asked, FIT_NODES)) : grain;
	struct fit_found best = { .by_quota = false };

	/* of a list the number is that of its last item */
	if (n <= least || strchr(s->job->asked.value[field], ',') || !may_ask(s))
		return false;
	listing_add(&s->tried, "a smaller %s", request_option(field));
	if (quota >= least && size_try(s, field, quota, &best)) {
		good = bad = quota;	/* more has no quota */
	} else if (quota != least && size_try(s, field, least, &best)) {
		good = least;
		bad = quota > least ? quota : n;
	}
	while (good && bad - good > grain && may_ask(s)) {
		int64_t middle = good + (bad - good) / 2;

		if (size_try(s, field, middle, &best))
			good = middle;
		else
			bad = middle;
	}
	keep(s, &best);
	return best.answer.now;
}

static void sizes_try(struct fit_search *s)
{
	size_t i = 0;

	while (strncmp(s->wait->resource, sizes[i].resource, strlen(sizes[i].resource)))
		i++;
	for (const enum fit_field *f = sizes[i].fields; *f != FIT_TIME; f++) {
		if (field_try(s, *f))
			return;
	}
}

/* ---- all ---- */

static void found_choose(struct fit_search *s)
{
	struct fit_found soonest = { .by_quota = false };
	size_t n = 0;

	for (size_t i = 0; i < s->nfound; i++) {
		if (is_better(&s->found[i].answer, &soonest.answer))
			soonest = s->found[i];
		if (s->found[i].answer.now)
			s->found[n++] = s->found[i];
	}
	s->nfound = n;
	if (!n && soonest.answer.starts
	    && (reason_is(s->wait, "never")
		|| sat_add(soonest.answer.start, SOONER) <= s->estimate))
		s->found[s->nfound++] = soonest;
}

void fit_search(struct fit_search *s)
{
	int distance = reason_forms[s->wait->kind].distance;
	bool held = s->wait->kind == REASON_HELD;
	struct fit_request r = s->job->asked;

	if (s->wait->kind == REASON_PREEMPTING || s->wait->kind == REASON_PASS)
		return;
	if (distance < reason_forms[REASON_QUOTA].distance)	/* quota is the same at all times */
		times_try(s);
	if (*r.value[FIT_CONSTRAINT] && !held) {
		request_set(&r, FIT_CONSTRAINT, "");
		(void) try_alone(s, &r);
	}
	for (size_t i = 0; i < s->nplaces; i++)
		(void) try_alone(s, &s->places[i]);
	if (!held)
		sizes_try(s);
	found_choose(s);
}
