/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uses.c - the part of charges that the books know
 */
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/uses.h"

static bool charges_valid(const struct engine *e, const struct charge *charges, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct charge *c = &charges[i];

		if (c->flavor < 0 || (size_t) c->flavor >= e->books->nflavors
		    || c->resource < 0
		    || (size_t) c->resource >= e->books->nresources
		    || c->amount < 0)
			return false;
	}
	return true;
}

int uses_fill(const struct engine *e, const struct charge *charges, size_t n,
	      struct use *uses, size_t *nuses)
{
	*nuses = 0;
	if (!charges_valid(e, charges, n))
		return failed(EINVAL);
	for (size_t i = 0; i < n; i++) {
		int pair = books_pair(e->books, charges[i].flavor, charges[i].resource);

		if (pair != SPEC_NONE)
			uses[(*nuses)++] = (struct use) { pair,
							  charges[i].amount };
	}
	return 0;
}

struct use *uses_create(const struct engine *e, const struct charge *charges,
			size_t n, size_t *nuses)
{
	struct use *uses = malloc((n + 1) * sizeof(*uses));

	if (uses && uses_fill(e, charges, n, uses, nuses) < 0) {
		free(uses);
		errno = EINVAL;
		return NULL;
	}
	return uses;
}

int64_t uses_of_pair(const struct use *uses, size_t n, int pair)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (uses[i].pair == pair)
			sum = sat_add(sum, uses[i].amount);
	}
	return sum;
}

bool uses_are_in(const struct use *uses, size_t n, const struct use *all, size_t nall)
{
	for (size_t i = 0; i < n; i++) {
		if (uses[i].amount > uses_of_pair(all, nall, uses[i].pair))
			return false;
	}
	return true;
}

void uses_tell(const struct engine *e, const struct use *uses, size_t n, struct charge *charges)
{
	for (size_t i = 0; i < n; i++) {
		const struct pair *pair = &e->books->pairs[uses[i].pair];

		charges[i] = (struct charge) { pair->flavor, pair->resource,
					       uses[i].amount };
	}
}

size_t uses_merge(const struct use *uses, size_t n, struct use *merged)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < kept && merged[k].pair != uses[i].pair)
			k++;
		if (k == kept)
			merged[kept++] = uses[i];
		else
			merged[k].amount = sat_add(merged[k].amount, uses[i].amount);
	}
	return kept;
}
