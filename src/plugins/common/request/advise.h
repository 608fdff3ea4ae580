/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  advise.h - what is legal in cohort.yaml, and does not work on this cluster
\*****************************************************************************/
#ifndef COHORT_REQUEST_ADVISE_H
#define COHORT_REQUEST_ADVISE_H

extern void advise_resources(void);

#endif /* COHORT_REQUEST_ADVISE_H */
