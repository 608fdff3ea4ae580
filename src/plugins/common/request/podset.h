/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  podset.h - the request of a waiting job, in the engine's words
\*****************************************************************************/
#ifndef COHORT_REQUEST_PODSET_H
#define COHORT_REQUEST_PODSET_H

#include "state/job.h"

struct podset {
	struct podset_desc desc;
	struct request *requests;
	int64_t *by_flavor;	/* by request (before: resource) and flavor */
	bool *ineligible;
};

/* What the waiting job asks of the queue. The caller frees it. */
extern void podset_of(struct podset *p, struct entry *entry, int queue);
extern void podset_free(struct podset *p);

#endif /* COHORT_REQUEST_PODSET_H */
