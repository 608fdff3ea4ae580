/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  charge.c - what a job is charged, and on which flavors
\*****************************************************************************/
#include "request/charge.h"

#include "state/job.h"
#include "match/flavor_nodes.h"
#include "request/allocated.h"

extern size_t charge_list(const int *flavors, const int64_t *amounts, struct charge *charges)
{
	size_t n = 0;

	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		if ((flavors[i] >= 0) && (amounts[i] > 0))
			charges[n++] = (struct charge) { flavors[i], (int) i, amounts[i] };
	}
	return n;
}

/* The first flavor of the group that holds all nodes of the job */
static int _flavor_by_nodes(const struct spec_group *group, bitstr_t *nodes)
{
	for (size_t i = 0; i < group->nflavors; i++) {
		bitstr_t *of_flavor = flavor_nodes(group->flavors[i]);

		if (!of_flavor || !nodes || bit_super_set(nodes, of_flavor))
			return group->flavors[i];
	}
	return group->flavors[0];
}

extern void charge_fill_flavors(int queue, bitstr_t *nodes, int *flavors)
{
	const struct spec_queue *q = &ctld.conf->spec->queues[queue];

	for (size_t i = 0; i < q->ngroups; i++) {
		const struct spec_group *group = &q->groups[i];
		int flavor = -1;

		for (size_t j = 0; (flavor < 0) && (j < group->nresources); j++)
			flavor = flavors[group->resources[j]];
		if (flavor < 0)
			flavor = _flavor_by_nodes(group, nodes);
		for (size_t j = 0; j < group->nresources; j++)
			flavors[group->resources[j]] = flavor;
	}
}

extern void charge_flavors_by_nodes(int queue, bitstr_t *nodes, int *flavors)
{
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++)
		flavors[i] = -1;
	charge_fill_flavors(queue, nodes, flavors);
}

/* For an admin who follows the books: SlurmctldDebug=debug */
static void _log_charges(const struct job *job, const struct charge *charges, size_t n)
{
	const struct spec *spec = ctld.conf->spec;
	char *text = NULL;

	if (get_log_level() < LOG_LEVEL_DEBUG)
		return;
	for (size_t i = 0; i < n; i++)
		xstrfmtcat(text, " %s@%s=%"PRId64, spec->resources[charges[i].resource],
			   spec->flavors[charges[i].flavor], charges[i].amount);
	debug(PREFIX "charge: %pJ (%s):%s", job->job_ptr,
	      spec->queues[workload_queue(job->first.work)].name, text ? text : "");
	xfree(text);
}

/* The record of an array stands for all tasks that wait; when it starts it is the last of
 * them. */
static void _count_one(struct job *job)
{
	struct workload_desc desc;

	workload_describe(job->first.work, &desc);
	if (workload_running(job->first.work) || (desc.tasks == 1))
		return;
	desc.tasks = 1;
	if (engine_update(ctld.engine, job->first.work, &desc))
		error(PREFIX "%pJ: %m", job->job_ptr);
}

extern void charge_set(struct job *job, const struct charge *charges, size_t n)
{
	if (engine_start(ctld.engine, job->first.work, charges, n,
			 ns_of(job->job_ptr->start_time + run_of(job)->paused)))
		error(PREFIX "%pJ: %m", job->job_ptr);
	_log_charges(job, charges, n);
}

extern void charge_job(struct job *job, bool selected)
{
	size_t nresources = ctld.conf->spec->nresources, n;
	job_record_t *job_ptr = job->job_ptr;
	int64_t *amounts = xcalloc(nresources + 1, sizeof(*amounts));
	struct charge *charges = xcalloc(nresources + 1, sizeof(*charges));
	int *flavors = entry_get_flavors(&job->first);

	charge_fill_flavors(workload_queue(job->first.work), job_ptr->node_bitmap, flavors);
	allocated_of(job_ptr, selected && job_ptr->job_resrcs ?
		     job_ptr->job_resrcs->node_bitmap : NULL, amounts);
	n = charge_list(flavors, amounts, charges);
	_count_one(job);
	job->provisional = selected;
	job_get_run(job)->paused = job_ptr->tot_sus_time;
	charge_set(job, charges, n);
	job_keep(job);		/* its nodes may leave the flavor open */
	xfree(amounts);
	xfree(charges);
}
