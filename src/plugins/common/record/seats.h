/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  seats.h - slurmctld's records, in its order, and which are to be looked at
 *
 *  slurmctld appends new records to its list and never moves one. So a record
 *  that is still in its place shows that none before it has gone.
\*****************************************************************************/
#ifndef COHORT_RECORD_SEATS_H
#define COHORT_RECORD_SEATS_H

#include "state/job.h"

enum seat_look {
	LOOK_ALWAYS,		/* in each scan */
	LOOK_IF_CHANGED,	/* it waits: if a glance at it shows a change, and in turn */
	LOOK_IF_DUE,		/* it is held, or its time has not come, or others come before
				 * it: once none of that is so */
	LOOK_IN_TURN,		/* it runs, is over, or is none of ours; one that runs is
				 * glanced at then (running_is_as_seen()) */
};

struct seat {
	job_record_t *job_ptr;
	uint32_t job_id;
	uint32_t priority;	/* at the last look */
	uint32_t text;		/* where that was then: see record/shown.h */
	enum seat_look look : 8;
	bool waits_outside;	/* in no queue of ours, as of the last look */
	bool may_start;		/* the plan let it go, then */
};

/* There is one for each of slurmctld's records. */
_Static_assert(sizeof(struct seat) <= 24, "a seat has grown");

/* There is a job of ours that may not be in the list as it was read last. */
extern void seats_await(uint32_t job_id);
/* Read slurmctld's list anew. So many records at its beginning are where they were,
 * and all others are to be looked at. Those that were after them, and those that were
 * awaited, may have gone: gone() is called for their ids. */
extern size_t seats_refresh(void (*gone)(uint32_t job_id));
extern size_t seats_count(void);
/* Do jobs outside all queues wait? One that waits again, or no more, is noticed when its
 * record has its turn. */
extern bool seats_wait_outside(void);
extern struct seat *seat_at(size_t i);
/* It was looked at: how soon again? job: ours, or NULL */
extern void seat_settle(size_t i, struct job *job);
/* It need not be looked at in this scan, unless it has its turn: a glance shows nothing new.
 * When its time comes is noted (record/due.h). False of one that is looked at always. */
extern bool seat_is_as_seen(size_t i, time_t now);
/* Does a few words of a waiting record show that slurmctld did nothing with it? */
extern bool seat_is_unchanged(const struct seat *seat);
/* Does the job run, and is there no rule or event by which it has to be looked at in each
 * scan? job->job_ptr is its record. */
extern bool seat_runs_plainly(const struct job *job);
/* Records lie all over the memory: what that takes of one is on its way into the cache
 * while those before it are looked at. */
extern void seat_fetch_ahead(size_t i);
/* Something is known to have happened to the job: the next scan looks at it. */
extern void seat_unsettle(struct job *job);

#endif /* COHORT_RECORD_SEATS_H */
