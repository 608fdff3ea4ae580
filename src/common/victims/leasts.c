/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leasts.c - fair sharing: by how much a cohort uses less without any of its jobs
 */
#include "quota/share.h"
#include "victims/leasts.h"

static int64_t amount_of(const struct least_kind *kind, int pair)
{
	for (size_t i = 0; i < kind->n; i++) {
		if (kind->uses[i].pair == pair)
			return kind->uses[i].amount;
	}
	return 0;
}

/* a is in b: what takes away b takes away a */
static bool is_within(const struct least_kind *a, const struct least_kind *b)
{
	for (size_t i = 0; i < a->n; i++) {
		if (a->uses[i].amount > amount_of(b, a->uses[i].pair))
			return false;
	}
	return true;
}

/* Makes a what is in both */
static void kind_lower(struct least_kind *a, const struct least_kind *b)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		struct use u = a->uses[i];

		u.amount = min64(u.amount, amount_of(b, u.pair));
		if (u.amount > 0)
			a->uses[n++] = u;
	}
	a->n = n;
}

static bool is_known(const struct leasts *l, const struct least_kind *kind)
{
	for (size_t i = 0; i < l->n; i++) {
		if (is_within(&l->kinds[i], kind))
			return true;
	}
	return false;
}

static void kind_add(struct leasts *l, const struct least_kind *kind)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!is_within(kind, &l->kinds[i]))
			l->kinds[kept++] = l->kinds[i];
	}
	l->n = kept;
	if (l->n < LEASTS) {
		l->kinds[l->n++] = *kind;
		return;
	}
	kind_lower(&l->kinds[LEASTS - 1], kind);
	l->lowered = true;
}

bool leasts_add(struct engine *e, struct leasts *l, const struct use *less,
		size_t n)
{
	struct least_kind kind = { .uses = (struct use *) less, .n = n };

	if (is_known(l, &kind))
		/* the cohorts above do not have those that were lowered */
		return l->lowered;
	/* kind_lower() changes kinds: each cohort has its own */
	kind.uses = arena_alloc(&e->arena, n, sizeof(*less));
	if (!kind.uses) {
		e->no_memory = true;
		return false;
	}
	for (size_t i = 0; i < n; i++)
		kind.uses[i] = less[i];
	kind_add(l, &kind);
	return true;
}

struct leasts *leasts_create(struct engine *e)
{
	struct leasts *l = arena_alloc(&e->arena, 1, sizeof(*l));

	e->no_memory |= !l;
	return l;
}

struct share leasts_share(const struct engine *e, const struct leasts *l,
			  int cohort)
{
	struct share most = *share_of(e->books, cohort);

	for (size_t i = 0; i < l->n; i++) {
		struct share without = share_less(e->books, cohort,
						  l->kinds[i].uses,
						  l->kinds[i].n);

		if (!i || share_compare(&without, &most) > 0)
			most = without;
	}
	return most;
}
