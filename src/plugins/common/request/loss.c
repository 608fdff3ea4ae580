/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  loss.c - what is lost when a running job goes
\*****************************************************************************/
#include "request/loss.h"

#include "request/allocated.h"

/* What each second of it is worth by lossWeights */
static double _worth(job_record_t *job_ptr, const double *weights)
{
	size_t n = ctld.conf->spec->nresources;
	int64_t *amounts;
	double sum = 0;

	amounts = xcalloc(n + 1, sizeof(*amounts));
	allocated_of(job_ptr, NULL, amounts);
	for (size_t i = 0; i < n; i++)
		sum += weights[i] * (double) MAX(amounts[i], 0);
	xfree(amounts);
	return sum;
}

extern struct clearing_item loss_of(job_record_t *job_ptr, time_t now)
{
	const double *weights = ctld.conf->loss_weights;
	double seconds = 1 + MAX(difftime(now, job_ptr->start_time), 0);
	double cpu_time = seconds * job_ptr->total_cpus;

	if (!weights)
		return (struct clearing_item) { .loss = cpu_time };
	return (struct clearing_item) {
		.loss = seconds * _worth(job_ptr, weights), .tie = cpu_time };
}
