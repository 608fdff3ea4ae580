/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * borrow.c - worlds in which the engine has the most to do: who evicts may borrow, and
 * only from lower priorities
 */
#include "worst/worlds.h"

void borrow_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY,
	});
}

void borrow_lend_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY,
		.lends_most = FLAT_NOMINAL / 2, .exempt_for = SPEC_SEC,
		.mixed = true,
	});
}

/* Beside the others n / 2 jobs wait, each in five queues. */
void borrow_either_build(struct site *s, size_t n)
{
	const struct bonds bonds = { BOND_EITHER, 5, 7, SITE_PRIORITY - 1 };

	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_ANY, .borrow = POLICY_LOWER_PRIORITY,
	});
	bonds_wait(s, n / 2, &bonds);
}

void fair_lower_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_LOWER_PRIORITY, .fair = true,
	});
}

void fair_lower_mixed_build(struct site *s, size_t n)
{
	flat_open(s, n, (struct tree_plan) {
		.reclaim = POLICY_LOWER_PRIORITY, .fair = true,
		.exempt_for = SPEC_SEC, .mixed = true,
	});
}
