/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_ledger.h - cohorts and cluster queues with their quota and usage
\*****************************************************************************/
#ifndef COHORT_TELL_PUBLISH_LEDGER_H
#define COHORT_TELL_PUBLISH_LEDGER_H

#include "compat/slurm_compat.h"

extern struct json_object *publish_cohorts(void);
extern struct json_object *publish_queues(int64_t now);

#endif /* COHORT_TELL_PUBLISH_LEDGER_H */
