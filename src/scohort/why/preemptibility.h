/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preemptibility.h - can a job be preempted, as far as that can be told?
 *
 * The rules are published, but no names of people and no priorities of QOS and
 * partitions.
 */
#ifndef SCOHORT_PREEMPTIBILITY_H
#define SCOHORT_PREEMPTIBILITY_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger/published.h"
#include "slurm/job_views.h"

enum preemptibility {
	JOB_IS_PREEMPTIBLE, JOB_IS_NONPREEMPTIBLE, JOB_MAY_BE_NONPREEMPTIBLE,
};

/* What the job's comment says of it: the word behind cohort:preemptibility=,
 * and whether that is one that is known. False: nothing. */
bool preemptibility_word(const struct view *v, char *word, size_t size,
			 bool *known);

/* By the rules of the queue, and by the word where users may choose */
enum preemptibility preemptibility_of(const struct published *p,
				      struct json_object *queue,
				      const struct view *v);

/* The queue lets users choose. */
bool preemptibility_by_user(struct json_object *queue);

#endif /* SCOHORT_PREEMPTIBILITY_H */
