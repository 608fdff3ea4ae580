/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget.c - how much time something may take of all the time there is
 */
#include "lib/budget.h"

bool budget_has(struct budget *b, int64_t now)
{
	int64_t earned = (now - b->at) / b->parts;

	if (earned >= b->most - b->left) {
		b->left = b->most;
		b->at = now;
	} else if (earned > 0) {
		b->left += earned;
		b->at += earned * b->parts;	/* the rest counts next time */
	}
	return b->left > 0;
}

void budget_spend(struct budget *b, int64_t ns)
{
	b->left -= ns;
}
