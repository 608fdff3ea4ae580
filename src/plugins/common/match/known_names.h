/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  known_names.h - names in cohort.yaml that only Slurm knows
\*****************************************************************************/
#ifndef COHORT_MATCH_KNOWN_NAMES_H
#define COHORT_MATCH_KNOWN_NAMES_H

#include "state/state.h"

extern const struct conf_names known_names;

#endif /* COHORT_MATCH_KNOWN_NAMES_H */
