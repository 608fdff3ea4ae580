/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  control.h - is this slurmctld in control?
\*****************************************************************************/
#ifndef COHORT_SLURM_CONTROL_H
#define COHORT_SLURM_CONTROL_H

#include "compat/slurm_compat.h"

/* forget() drops all records of jobs. It is called under the job lock, whenever
 * this slurmctld takes or has lost control. held() is told for how long a thread
 * of ours has had that lock, at the end and under it. */
extern void control_init(void (*forget)(void), void (*held)(uint64_t usec));
/* slurmctld makes its tables anew; under the job lock. If it is about to take
 * control (start, takeover), a term begins and all records are dropped. */
extern void control_begins(void);
/* The term in which this slurmctld is in control now, or 0. A file or text that
 * was made in one term must not be written in another. */
extern uint32_t control_term(void);
/* Is it still in this term? Never in term 0: control went while something was made. */
extern bool control_is_in(uint32_t term);
/* Threads look again and again whether control has come or gone. True if they
 * may work now: not before the term, not in a shutdown and not as a standby. A
 * slurmctld that has become a standby drops its records. */
extern bool control_follow(void);
/* The locks of slurmctld under which all of this library works, for threads.
 * False, and none is held: no control, or no books. */
extern bool control_lock(void);
extern void control_unlock(void);

#endif /* COHORT_SLURM_CONTROL_H */
