/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  turns.c - whose turn it is to be looked at, if no glance shows a change
\*****************************************************************************/
#include "record/turns.h"

#include "slurm/clock.h"

/* Each record has its turn within so many seconds of a change that no glance shows */
#define TURN_USEC (6 * UINT64_C(1000000))

static struct {
	size_t cursor;			/* whose turn is next */
	size_t owed;			/* so many have to have their turn yet */
	uint64_t turned;		/* usec, by the clock: the last turns */
} turns;

extern void turns_forget(void)
{
	turns.owed = 0;
	turns.turned = clock_usec();
}

extern void turns_owe(size_t n)
{
	turns.owed = n;
}

extern bool turns_are_owed(void)
{
	return turns.owed;
}

extern size_t turns_due(size_t n)
{
	uint64_t now = clock_usec();
	uint64_t since = MIN(now - turns.turned, TURN_USEC);

	turns.turned = now;
	return MIN(MIN(n, n * since / TURN_USEC + 1), turns.owed);
}

extern size_t turns_next(size_t n)
{
	if (turns.cursor >= n)
		turns.cursor = 0;
	turns.owed--;
	return turns.cursor++;
}
