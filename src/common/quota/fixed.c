/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixed.c - what non-preemptible workloads use, and how much they may
 */
#include "quota/calendar.h"
#include "quota/fixed.h"

static void fixed_move(struct books *b, int node, int pair, __int128 by)
{
	for (; node != SPEC_NONE && by; node = b->nodes[node].parent) {
		const struct quota *q = books_quota(b, node, pair);
		struct cell *c = books_cell(b, node, pair);
		__int128 before = quota_uncovered(q, c->fixed);

		books_write(b, &c->fixed, c->fixed + by);
		by = quota_uncovered(q, c->fixed) - before;
	}
}

void fixed_change(struct books *b, int node, const struct use *uses, size_t n, int sign)
{
	for (size_t i = 0; i < n; i++)
		fixed_move(b, node, uses[i].pair, (__int128) sign * uses[i].amount);
}

int64_t fixed_usage(const struct books *b, int node, int pair)
{
	__int128 fixed = books_cell(b, node, pair)->fixed;

	return fixed < INT64_MAX ? (int64_t) fixed : INT64_MAX;
}

bool fixed_is_over_nominal(const struct books *b, int queue, int pair)
{
	return quota_uncovered(books_quota(b, queue, pair), books_cell(b, queue, pair)->fixed) > 0;
}

/* What the node's own quota still covers, and what may go on to its parent.
 * empty: as if there was no fixed usage, and with the largest quotas of now and later */
static int64_t room_at(const struct books *b, int node, int pair, enum cap_scope scope, bool empty)
{
	const struct quota *q = empty ? calendar_largest(b, node, pair)
				      : books_quota(b, node, pair);
	int parent = b->nodes[node].parent;
	int64_t used = empty ? 0 : fixed_usage(b, node, pair), nominal = q->nominal;
	int64_t own = nominal == SPEC_UNLIMITED
		? SPEC_UNLIMITED : max64(0, sat_sub(nominal, used));
	int64_t above = 0;

	if (scope == CAP_QUEUE || parent == SPEC_NONE || own == SPEC_UNLIMITED)
		return own;
	above = room_at(b, parent, pair, scope, empty);
	if (q->borrowing_limit != SPEC_NO_LIMIT)
		above = min64(above,
			      max64(0, sat_sub(q->borrowing_limit,
					       max64(0, sat_sub(used, nominal)))));
	return sat_add(own, above);
}

int64_t fixed_room(const struct books *b, int queue, int pair, enum cap_scope scope)
{
	return room_at(b, queue, pair, scope, false);
}

int64_t fixed_most(const struct books *b, int queue, int pair, enum cap_scope scope)
{
	return room_at(b, queue, pair, scope, true);
}

int64_t fixed_cap(const struct books *b, int queue, int pair, enum cap_scope scope)
{
	int64_t nominal = books_quota(b, queue, pair)->nominal;

	if (scope == CAP_QUEUE || nominal == SPEC_UNLIMITED)
		return nominal;
	return sat_add(fixed_usage(b, queue, pair), fixed_room(b, queue, pair, scope));
}
