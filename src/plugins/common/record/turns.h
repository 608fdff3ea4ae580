/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  turns.h - whose turn it is to be looked at, if no glance shows a change
 *
 *  After a stamp each record has its turn, within some seconds: in each scan so many as
 *  time has passed since the one before.
\*****************************************************************************/
#ifndef COHORT_RECORD_TURNS_H
#define COHORT_RECORD_TURNS_H

#include "compat/slurm_compat.h"

/* All records were looked at just now. */
extern void turns_forget(void);
/* Something was stamped: all n records are to have their turn. */
extern void turns_owe(size_t n);
extern bool turns_are_owed(void);
/* How many have their turn in this scan? Each of them is asked for once. */
extern size_t turns_due(size_t n);
/* The next one of n: its place */
extern size_t turns_next(size_t n);

#endif /* COHORT_RECORD_TURNS_H */
