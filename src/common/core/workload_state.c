/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload_state.c - the part of a workload that few of those that wait have
 */
#include <stdlib.h>

#include "core/workload_state.h"

struct rare *rare_get(struct workload *w)
{
	if (!w->rare)
		w->rare = calloc(1, sizeof(*w->rare));
	return w->rare;
}

void rare_drop_empty(struct workload *w)
{
	const struct rare *r = w->rare;

	if (!r || r->bond || r->claim || r->several
	    || r->evictions || r->turns || r->could_evict)
		return;
	free(w->rare);
	w->rare = NULL;
}
