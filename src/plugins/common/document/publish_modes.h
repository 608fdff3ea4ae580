/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_modes.h - whether PreemptMode lets jobs be evicted
\*****************************************************************************/
#ifndef COHORT_DOCUMENT_PUBLISH_MODES_H
#define COHORT_DOCUMENT_PUBLISH_MODES_H

#include "compat/slurm_compat.h"

struct json_object;

/* Of the cluster, and of the partitions and QOS that set one */
extern struct json_object *publish_modes(void);

#endif /* COHORT_DOCUMENT_PUBLISH_MODES_H */
