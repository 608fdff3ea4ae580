/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * charges.h - what a running job is charged in its cluster queue
 */
#ifndef SCOHORT_CHARGES_H
#define SCOHORT_CHARGES_H

#include "ledger/published.h"
#include "slurm/job_views.h"

/* A list of the caller's, of objects with resource, amount (a text as Slurm has
 * it) and flavor: each resource that the published queue covers and the job
 * holds, once. */
struct json_object *job_charges(const struct published *p,
				struct json_object *queue,
				const struct view *v);

/* The amount of one of them, as the published books count it */
int64_t charge_amount(struct json_object *charge);

#endif /* SCOHORT_CHARGES_H */
