/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series.c - what charts over time show: figures of queues, part by part
 */
#include <stdlib.h>
#include <string.h>

#include "simulate/plot.h"

/* Adds `value` from one time to another, each bucket its part. */
static void buckets_add(double *buckets, double value, int64_t from, int64_t to,
			int64_t begin, int64_t span)
{
	double scale = (double) BUCKETS / (double) span;
	double a = (double) (from - begin) * scale;
	double b = (double) (to - begin) * scale;

	for (int i = (int) a; i < BUCKETS && (double) i < b; i++) {
		double low = a > i ? a : i, high = b < i + 1 ? b : i + 1;

		buckets[i] += value * (high - low);
	}
}

static void use_add(struct series *s, const struct replay_use *u, int64_t span)
{
	for (size_t i = 0; i < u->npoints; i++) {
		int64_t from = u->points[i].at, used = u->points[i].used;
		int64_t nominal = u->points[i].nominal;
		int64_t to = i + 1 < u->npoints ? u->points[i + 1].at
						: s->r->end;

		buckets_add(s->used, (double) used, from, to, s->r->begin,
			    span);
		if (used > nominal)
			buckets_add(s->borrowed, (double) (used - nominal),
				    from, to, s->r->begin, span);
	}
}

static bool use_is(const struct drawing *d, const struct replay *r,
		   const struct replay_use *u)
{
	return !strcmp(r->conf->spec->resources[u->resource], d->resource);
}

/* The mean of what adds up from each change to the end */
static void changes_add(struct series *s, const struct replay_queue *q,
			int64_t span)
{
	double scale = (double) BUCKETS / (double) span, sum = 0;
	double steps[BUCKETS + 1] = { 0 };	/* from one to the next */
	int64_t begin = s->r->begin, end = s->r->end, left = 0;

	for (size_t i = 0; i <= q->nchanges; i++) {
		bool last = i == q->nchanges;	/* nothing is known after it */
		int64_t at = last ? end : q->changes[i].at;
		int64_t by = last ? -left : q->changes[i].waiting;
		double place = (double) (at - begin) * scale;
		int b = place < BUCKETS ? (int) place : BUCKETS - 1;

		if (at < begin || at > end)
			continue;
		if (!by && !last)
			s->evicted[b]++;
		left += by;
		s->waiting[b] += (double) by * (b + 1 - place);
		steps[b + 1] += (double) by;
	}
	for (int b = 0; b < BUCKETS; b++) {
		sum += steps[b];
		s->waiting[b] += sum;
	}
}

static void series_fill(const struct drawing *d, struct series *s,
			const struct replay *r, size_t queue)
{
	const struct replay_queue *q = &r->queues[queue];

	s->r = r;
	s->queue = &r->conf->spec->queues[queue];
	changes_add(s, q, d->span);
	for (size_t i = 0; i < q->nuses; i++)
		if (use_is(d, r, &q->uses[i]))
			use_add(s, &q->uses[i], d->span);
}

double series_nominal(const struct drawing *d, const struct replay *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->conf->spec->nqueues; i++)
		for (size_t j = 0; j < r->queues[i].nuses; j++)
			if (use_is(d, r, &r->queues[i].uses[j]))
				sum += (double) r->queues[i].uses[j].nominal;
	return sum;
}

size_t series_queues(const struct drawing *d, size_t i)
{
	return d->replays[i]->conf->spec->nqueues;
}

int series_make(struct drawing *d)
{
	size_t total = 0, k = 0;

	for (size_t i = 0; i < d->n; i++) {
		int64_t span = d->replays[i]->end - d->replays[i]->begin;

		total += series_queues(d, i);
		if (span > d->span)
			d->span = span;
	}
	d->span += !d->span;
	d->series = calloc(total + 1, sizeof(*d->series));
	if (!d->series)
		return -1;
	for (size_t i = 0; i < d->n; i++)
		for (size_t q = 0; q < series_queues(d, i); q++)
			series_fill(d, &d->series[k++], d->replays[i], q);
	return 0;
}
