/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  leaving.h - victims that are still on their way out
\*****************************************************************************/
#ifndef COHORT_JOBS_LEAVING_H
#define COHORT_JOBS_LEAVING_H

/* Note which jobs have victims that are still on their way out; hold_awaits()
 * tells. */
extern void leaving_look(void);

#endif /* COHORT_JOBS_LEAVING_H */
