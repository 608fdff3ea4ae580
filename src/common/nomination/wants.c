/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wants.c - the resources that pod sets want while they get their flavors
 */
#include <string.h>

#include "core/queue_state.h"
#include "nomination/request.h"
#include "nomination/wants.h"

static void want_add(struct scan *s, int resource, int64_t amount)
{
	struct want *want = want_find(s, resource);

	if (!want) {
		want = &s->wants[s->nwants++];
		memset(want, 0, sizeof(*want));
		want->resource = resource;
		want->group = s->ask->q->group_of[resource];
	}
	want->amount = sat_add(want->amount, amount);
}

void wants_collect(struct scan *s)
{
	s->nwants = 0;
	s->varies = false;
	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = scan_podset(s, s->members[m]);
		int64_t count = scan_count(s, s->members[m]);

		s->varies |= ps->by_flavor != NULL;
		for (size_t i = 0; i < ps->nrequests; i++)
			want_add(s, ps->requests[i].resource,
				 request_least(ps, i, count));
	}
}

int64_t want_amount(const struct scan *s, const struct want *want, int flavor)
{
	int64_t sum = 0;

	if (!s->varies)
		return want->amount;
	for (size_t m = 0; m < s->nmembers; m++) {
		const struct podset_desc *ps = scan_podset(s, s->members[m]);
		int64_t count = scan_count(s, s->members[m]);

		for (size_t i = 0; i < ps->nrequests; i++) {
			if (ps->requests[i].resource == want->resource)
				sum = sat_add(sum, request_in(s->e, ps, i,
							      flavor, count));
		}
	}
	return sum;
}
