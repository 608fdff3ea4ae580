/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remember.c - usage histories of a simulation that goes on from somewhere
 */
#include "query.h"
#include "sim/sim_state.h"

struct memory {
	struct engine *to;
	const struct engine *from;
	int queue;
	size_t nresources;
	int rc;
};

static int nodes_remember(const struct memory *m, bool is_cohort, size_t n)
{
	struct usage_history h;

	for (size_t i = 0; i < n; i++) {
		for (size_t r = 0; r < m->nresources; r++) {
			if (engine_history(m->from, is_cohort, (int) i, (int) r,
					   &h)
			    && engine_restore_history(m->to, is_cohort, (int) i,
						      (int) r, &h) < 0)
				return -1;
		}
	}
	return 0;
}

static void local_remember(void *arg, int local_queue, double score)
{
	struct memory *m = arg;
	struct usage_history h;

	(void) score;
	if (engine_weigh_local(m->to, m->queue, local_queue,
			       engine_local_weight(m->from, m->queue,
						   local_queue)) < 0)
		m->rc = -1;
	for (size_t r = 0; r < m->nresources; r++) {
		if (engine_local_history(m->from, m->queue, local_queue,
					 (int) r, &h)
		    && engine_restore_local(m->to, m->queue, local_queue,
					    (int) r, &h) < 0)
			m->rc = -1;
	}
}

int sim_remember(struct sim *sim, const struct spec *spec,
		 const struct engine *from)
{
	struct memory m = { .to = sim->engine, .from = from,
			    .nresources = spec->nresources };

	if (nodes_remember(&m, false, spec->nqueues) < 0
	    || nodes_remember(&m, true, spec->ncohorts) < 0)
		return -1;
	for (size_t i = 0; i < spec->nqueues; i++) {
		m.queue = (int) i;
		engine_locals(from, m.queue, local_remember, &m);
	}
	return m.rc;
}

int sim_weigh_local(struct sim *sim, int queue, int local_queue, double weight)
{
	return engine_weigh_local(sim->engine, queue, local_queue, weight);
}
