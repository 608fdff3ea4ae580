/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  saver.h - what is wanted of the thread that writes the state file
\*****************************************************************************/
#ifndef COHORT_SLURM_SAVER_H
#define COHORT_SLURM_SAVER_H

#include <stdint.h>

/* The state file is to be written: soon, or so many seconds from now at the latest. */
extern void saver_save(void);
extern void saver_save_within(int64_t seconds);
/* Start the thread. One call is enough, and earlier requests are kept. round() writes, at most
 * once a second. It has no lock held, and returns after how many ns it is to be called again. */
extern void saver_start(int64_t (*round)(void));

#endif /* COHORT_SLURM_SAVER_H */
