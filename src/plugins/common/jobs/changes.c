/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  changes.c - do the jobs that waited by the plan still wait?
\*****************************************************************************/
#include "jobs/changes.h"

static uint64_t changes;

extern void changes_note(void)
{
	changes++;
}

extern uint64_t changes_count(void)
{
	return changes;
}
