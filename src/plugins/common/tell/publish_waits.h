/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish_waits.h - what the first places in each line wait for
\*****************************************************************************/
#ifndef COHORT_TELL_PUBLISH_WAITS_H
#define COHORT_TELL_PUBLISH_WAITS_H

#include "compat/slurm_compat.h"

struct json_object;
struct waits;

/* A copy of what is to be told, as numbers: a fixed time for each place that is
 * told. The caller's, for waits_free(). Under the job lock */
extern struct waits *waits_copy(void);
/* Add it to the cluster queues of a document, which are those of the copy. It becomes text
 * when the document does, and must be there as long as that one. Without locks */
extern void waits_tell(struct waits *waits, struct json_object *queues);
extern void waits_free(struct waits *waits);

#endif /* COHORT_TELL_PUBLISH_WAITS_H */
