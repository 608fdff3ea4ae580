/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  advise.c - what is legal in cohort.yaml, and does not work on this cluster
 *
 *  The warnings are logged once when the configuration is taken, so that no
 *  site relies on a setting that has no effect.
\*****************************************************************************/
#include "request/advise.h"

#include "state/state.h"

/* ---- memory ---- */

static int _allocates_memory(void *x, void *arg UNUSED)
{
	return compat_select_param(x) & COMPAT_CR_MEMORY;
}

static void _memory(void)
{
	if (!_allocates_memory(NULL, NULL) &&
	    !list_find_first(part_list, _allocates_memory, NULL))
		error(PREFIX "quota for mem has no effect: SelectTypeParameters does not allocate memory (CR_Core_Memory, for example, does)");
}

/* ---- licenses ---- */

static int64_t _nominal(const struct spec_quota *quotas, size_t n, int resource)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (quotas[i].resource == resource)
			sum += quotas[i].nominal;
	}
	return sum;
}

static bool _is_reclaimed(int resource)
{
	const struct spec *spec = ctld.conf->spec;

	for (size_t i = 0; i < spec->nqueues; i++) {
		const struct spec_queue *q = &spec->queues[i];

		if ((q->reclaim != POLICY_NEVER) &&
		    _nominal(q->quotas, q->nquotas, resource))
			return true;
	}
	return false;
}

/* Slurm does not try a job whose licenses are not free, so no job is evicted
 * for them. */
static void _license(const struct resource *r, int resource)
{
	const struct spec *spec = ctld.conf->spec;
	int64_t total = compat_license_total(r->name), sum = 0;

	for (size_t i = 0; i < spec->nqueues; i++)
		sum += _nominal(spec->queues[i].quotas, spec->queues[i].nquotas,
				resource);
	for (size_t i = 0; i < spec->ncohorts; i++)
		sum += _nominal(spec->cohorts[i].quotas,
				spec->cohorts[i].nquotas, resource);
	if ((total < 2 * sum) && _is_reclaimed(resource))
		error(PREFIX "license/%s: quota is %"PRId64" in all, the cluster has %"PRId64": lent ones can't be reclaimed while fewer are free than a job requests (doc/limits.md)",
		      r->name, sum, total);
}

extern void advise_resources(void)
{
	for (size_t i = 0; i < ctld.conf->spec->nresources; i++) {
		if (ctld.resources[i].kind == RESOURCE_MEM)
			_memory();
		else if (ctld.resources[i].kind == RESOURCE_LICENSE)
			_license(&ctld.resources[i], i);
	}
}
