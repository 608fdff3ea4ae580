/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  turn.c - a job whose queue lets nobody pass those before it
 *
 *  StrictFIFO, when the plan was made before the one in front found no nodes.
\*****************************************************************************/
#include "placement/turn.h"

#include "state/job.h"

extern bool turn_hold_behind(struct entry *entry)
{
	struct position pos;

	if (!engine_is_behind(ctld.engine, entry->work))
		return false;
	engine_position(ctld.engine, entry->work, &pos);
	entry->behind = pos.place;	/* its text and the next pass say so */
	return true;
}
