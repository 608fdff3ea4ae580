/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  setup.h - start, configuration, reconfigure
\*****************************************************************************/
#ifndef COHORT_HOOKS_SETUP_H
#define COHORT_HOOKS_SETUP_H

/* Forget configuration, books and counters; under the job lock. */
extern void ctld_drop(void);

#endif /* COHORT_HOOKS_SETUP_H */
