/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rare.c - a part of a workload that most of those that wait do without
 */
#include <stdlib.h>

#include "core/rare.h"
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
	    || r->evictions || r->turns)
		return;
	free(w->rare);
	w->rare = NULL;
}
