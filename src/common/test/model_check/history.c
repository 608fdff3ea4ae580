/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - what was used lately, from the ledgers and the records
 *
 * Whenever it gets later, all amounts are read anew: no event has to tell what
 * it has changed.
 */
#include <math.h>

#include "model_check/model.h"
#include "query.h"

bool model_has_history(const struct model *m)
{
	const struct spec *spec = m->spec;
	bool has = spec->fair_sharing && spec->history.half_life;

	for (size_t i = 0; i < spec->nqueues; i++)
		has |= spec->queues[i].by_usage;
	return has;
}

static double moved(double past, double amount, int64_t dt, int64_t half_life)
{
	if (!half_life)
		return past;
	return amount + (past - amount) * pow(0.5, (double) dt / half_life);
}

/* A flavor that no quota names counts nothing: it is in no ledger */
static double borrowed(const struct model *m, size_t node, int resource)
{
	size_t ncohorts = m->spec->ncohorts;
	double sum = 0;

	for (int f = 0; f < MODEL_FLAVORS; f++) {
		struct ledger l;
		int pair = books_pair(m->engine->books, f, resource);

		if (pair == SPEC_NONE || !books_quota(m->engine->books, node, pair)->present)
			continue;
		engine_ledger(m->engine, node < ncohorts,
			      node < ncohorts ? node : node - ncohorts, f, resource, &l);
		sum += l.borrowed;
	}
	return sum;
}

static double used(const struct model *m, size_t queue, int local, int resource)
{
	double sum = 0;

	for (size_t i = 0; i < MODEL_JOBS; i++) {
		const struct model_job *job = &m->jobs[i];

		if (!job->running || job->desc.queue != (int) queue
		    || job->desc.local_queue != local)
			continue;
		for (size_t c = 0; c < job->ncharges; c++) {
			if (job->charges[c].resource == resource
			    && books_pair(m->engine->books, job->charges[c].flavor, resource)
			       != SPEC_NONE)
				sum += job->charges[c].amount;
		}
	}
	return sum;
}

void model_advance(struct model *m, int64_t now)
{
	const struct spec *spec = m->spec;
	int64_t dt = now - m->now;

	for (size_t n = 0; n < spec->ncohorts + spec->nqueues; n++) {
		for (int r = 0; r < MODEL_RESOURCES; r++)
			m->past[n][r] = moved(m->past[n][r], borrowed(m, n, r),
					      dt, spec->history.half_life);
	}
	for (size_t q = 0; q < spec->nqueues; q++) {
		for (int l = 0; l < MODEL_LOCALS; l++) {
			for (int r = 0; r < MODEL_RESOURCES; r++) {
				double *past = &m->local_past[q][l][r];

				*past = moved(*past, used(m, q, l, r), dt,
					      spec->history.local_half_life);
			}
		}
	}
	m->now = now;
	engine_advance(m->engine, now);
}

bool model_pass_time(struct model *m)
{
	bool alone = chance(m, 20), near;
	int64_t next;

	if (alone)
		(void) engine_plan(m->engine, m->now);
	next = engine_next_expiry(m->engine);
	near = next && next <= m->now + 100;
	if (alone)
		next = (near ? next : m->now + 2 + (int64_t) draw(m, 100)) - 1;
	else if (near && chance(m, 15))
		next += (int64_t) draw(m, 3) - 1;
	else
		next = m->now + (int64_t) draw(m, 4);
	if (next > m->now)
		model_advance(m, next);
	return alone;
}

void model_start_count(struct model *m, const struct model_job *job)
{
	const struct spec_history *h = &m->spec->history;
	double part = h->local_half_life ? 1 - pow(0.5, (double) h->sampling / h->local_half_life)
		      : 0;

	for (size_t c = 0; c < job->ncharges; c++) {
		const struct charge *charge = &job->charges[c];

		if (books_pair(m->engine->books, charge->flavor, charge->resource) != SPEC_NONE)
			m->local_past[job->desc.queue][job->desc.local_queue]
				     [charge->resource]
				+= part * charge->amount;
	}
}

static void history_judge(struct model *m, const char *what, size_t i,
			  const struct usage_history *h, int64_t half_life, double expected)
{
	double past = moved(h->past, h->amount, m->now - h->at, half_life);

	if (fabs(past - expected) > 1e-9 * (1 + fabs(expected)))
		model_fail(m, "history of %s %zu: %.12g, not %.12g", what, i, past, expected);
}

static void node_judge(struct model *m, size_t n)
{
	size_t ncohorts = m->spec->ncohorts;
	struct usage_history h;

	for (int r = 0; r < MODEL_RESOURCES; r++) {
		if (engine_history(m->engine, n < ncohorts, n < ncohorts ? n : n - ncohorts, r, &h))
			history_judge(m, "node", n, &h, m->spec->history.half_life, m->past[n][r]);
	}
}

static void local_judge(struct model *m, int q, int l)
{
	struct usage_history h;

	for (int r = 0; r < MODEL_RESOURCES; r++) {
		if (!m->spec->queues[q].by_usage)
			continue;
		if (!engine_local_history(m->engine, q, l, r, &h))
			h = (struct usage_history) { .at = m->now };
		history_judge(m, "a local queue of", q, &h, m->spec->history.local_half_life,
			      m->local_past[q][l][r]);
	}
}

void model_histories_judge(struct model *m)
{
	for (size_t n = 0; n < m->spec->ncohorts + m->spec->nqueues; n++)
		node_judge(m, n);
	for (size_t q = 0; q < m->spec->nqueues; q++) {
		for (int l = 0; l < MODEL_LOCALS; l++)
			local_judge(m, q, l);
	}
}
