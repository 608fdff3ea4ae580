/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asker.c - does a scheduler ask for nodes, or a user?
\*****************************************************************************/
#include "slurm/asker.h"

/* Has this thread sorted the queue? Then it is a scheduler's thread. */
static __thread bool sorts;

extern void asker_sorted(void)
{
	sorts = true;
}

extern bool asker_is_scheduler(void)
{
	return sorts || compat_in_backfill();
}

extern bool asker_is_user(uint16_t mode)
{
	return (mode == SELECT_MODE_WILL_RUN) && !asker_is_scheduler();
}
