/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  saver.h - what is wanted of the thread that writes the state file
\*****************************************************************************/
#ifndef COHORT_SLURM_SAVER_H
#define COHORT_SLURM_SAVER_H

#include <time.h>

/* The state file is to be written. */
extern void saver_save(void);
/* ... at the latest so many seconds from now. */
extern void saver_save_within(time_t seconds);
/* Start the thread. One call is enough, and earlier requests are kept. It calls write() at
 * most once a second, with no lock held, and later again where that does not return 0. */
extern void saver_start(int (*write)(void));

#endif /* COHORT_SLURM_SAVER_H */
