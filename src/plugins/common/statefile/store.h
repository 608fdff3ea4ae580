/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  store.h - StateSaveLocation/cohort_state
\*****************************************************************************/
#ifndef COHORT_STATEFILE_STORE_H
#define COHORT_STATEFILE_STORE_H

#define STORE_LAST_GOOD "cohort.yaml.good"

/* Read the state file, when a term of control begins. */
extern void store_load(void);
/* This cohort.yaml is good: keep it for a start that finds none. NULL: none was. */
extern void store_keep(const char *source);
/* Write what there is to write and is not there yet. No lock may be held. -1 if
 * that failed, which has been told. */
extern int store_save(void);

#endif /* COHORT_STATEFILE_STORE_H */
