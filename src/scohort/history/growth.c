/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.c - by how much a counter has grown since the last reading
 */
#include "history/growth.h"

enum epoch epoch_of(int64_t before, int64_t newest, int64_t since)
{
	return since > newest ? EPOCH_NEW
	       : since != before ? EPOCH_OLD : EPOCH_SAME;
}

/* Such a counter has surely begun at zero when the epoch did. */
static bool is_of_epoch(const struct counter *c)
{
	return c->kind == COUNTED_SUM || c->kind == COUNTED_LOAN;
}

int64_t growth_of(const struct counter *c, int64_t value)
{
	bool anew = c->epoch == EPOCH_NEW;

	if (c->epoch == EPOCH_FIRST || c->epoch == EPOCH_OLD)
		return 0;
	if (!c->known || (anew && is_of_epoch(c)))
		return value;
	if (value >= c->before)
		return value - c->before;
	return anew || c->gone ? value : 0;
}
