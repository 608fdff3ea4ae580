/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  configuration.h - which cohort.yaml is in force
\*****************************************************************************/
#ifndef COHORT_HOOKS_CONFIGURATION_H
#define COHORT_HOOKS_CONFIGURATION_H

#include "state/state.h"

/* The configuration to use from now on, owned by the caller; NULL: keep the one
 * in force. A good file is saved for a start that finds none. */
extern struct conf *configuration_choose(void);

#endif /* COHORT_HOOKS_CONFIGURATION_H */
