/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_outside.h - what jobs outside all cluster queues have, and which have
 *  just started
\*****************************************************************************/
#ifndef COHORT_DOCUMENT_PUBLISH_OUTSIDE_H
#define COHORT_DOCUMENT_PUBLISH_OUTSIDE_H

#include "compat/slurm_compat.h"

struct json_object;

/* Adds "outside", a list of flavors and resources of which they have something, and
 * "justStarted", of queues of which jobs have started in the second of now. Looks at all
 * records. */
extern void publish_outside(struct json_object *document, time_t now);

#endif /* COHORT_DOCUMENT_PUBLISH_OUTSIDE_H */
