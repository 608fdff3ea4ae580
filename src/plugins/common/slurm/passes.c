/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  passes.c - passes of slurmctld's scheduler, by number
\*****************************************************************************/
#include "slurm/passes.h"

#include "slurm/sentinel.h"
#include "slurm/waker.h"

static struct {
	uint64_t sorted;		/* passes of the scheduler so far */
	uint64_t begun;			/* the same, with those that sort nothing */
} passes = {
	.begun = 1,			/* 0 means: started by no pass */
};

extern uint64_t pass_number(void)
{
	return passes.sorted;
}

extern uint64_t pass_begun(void)
{
	return passes.begun;
}

extern void pass_count_begun(void)
{
	passes.begun++;
}

extern void pass_count_sorted(void)
{
	passes.sorted++;
}

extern void pass_request_another(void)
{
	sentinel_expire();
	waker_schedule();
}
