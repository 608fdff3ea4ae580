/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  next_task.c - can the next task of an array ever run?
 *
 *  When a task has started, slurmctld's main loop tries the next one of its array at
 *  once. Where the plan has no quota for that one, it is refused. If all errors block a
 *  partition (compat_refusal_blocks()), slurmctld then asks whether the task could run
 *  on an empty cluster, and cons_tres looks at all nodes for that: longer than for the
 *  start. But the task before it, with the same demand, has just started on some of these
 *  nodes. All that happens in one hold of the job lock, so nothing can have changed.
\*****************************************************************************/
#include "job_test/next_task.h"

#include "slurm/asker.h"
#include "slurm/passes.h"

static struct {
	uint32_t array;			/* its id; 0: no task has started */
	uint64_t pass;			/* in this pass */
	bool refused;			/* the task after it, just now */
	bitstr_t *nodes;
} last;

extern void next_task_note_start(const struct place *p)
{
	const job_record_t *job_ptr = p->job_ptr;

	last.array = 0;
	if ((p->mode != SELECT_MODE_RUN_NOW) || !job_ptr->array_recs ||
	    p->partial || !compat_refusal_blocks() || compat_in_backfill())
		return;
	FREE_NULL_BITMAP(last.nodes);
	last.nodes = bit_copy(p->node_bitmap);
	last.array = job_ptr->job_id;
	last.pass = pass_begun();
}

extern void next_task_note_refusal(const struct place *p)
{
	last.refused = last.array && (last.array == p->job_ptr->job_id) &&
		(last.pass == pass_begun()) && parts_of(p->entry)->started &&
		asker_is_scheduler();
}

extern void next_task_forget_refusal(void)
{
	last.refused = false;
}

extern bool next_task_could_run(const job_record_t *job_ptr, bitstr_t *nodes)
{
	if (!last.refused || (last.array != job_ptr->job_id) ||
	    (bit_size(last.nodes) != bit_size(nodes)) ||
	    !bit_super_set(last.nodes, nodes))
		return false;
	bit_copybits(nodes, last.nodes);
	return true;
}
