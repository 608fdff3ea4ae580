/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_outside.h - what jobs outside all cluster queues have
\*****************************************************************************/
#ifndef COHORT_DOCUMENT_PUBLISH_OUTSIDE_H
#define COHORT_DOCUMENT_PUBLISH_OUTSIDE_H

#include "compat/slurm_compat.h"

struct json_object;

/* A list; a flavor or resource of which they have nothing is not in it. Looks at all
 * records. */
extern struct json_object *publish_outside(void);

#endif /* COHORT_DOCUMENT_PUBLISH_OUTSIDE_H */
