/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  load.h - the contents of the state file, into the books
\*****************************************************************************/
#ifndef COHORT_STATEFILE_LOAD_H
#define COHORT_STATEFILE_LOAD_H

/* Reads the file, under slurmctld's locks. Returns what is wrong with the file
 * as a whole, or NULL */
extern const char *load_state(int fd);

#endif /* COHORT_STATEFILE_LOAD_H */
