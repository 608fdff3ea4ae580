/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  estimate.h - when waiting jobs will start, for squeue --start
\*****************************************************************************/
#ifndef COHORT_ESTIMATE_ESTIMATE_H
#define COHORT_ESTIMATE_ESTIMATE_H

extern void estimate_start(void);
/* Something has changed: estimate all starts once more. */
extern void estimate_due(void);

#endif /* COHORT_ESTIMATE_ESTIMATE_H */
