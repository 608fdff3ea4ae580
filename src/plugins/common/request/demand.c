/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  demand.c - the resources that quota is about, as Slurm knows them
 *
 *  How much of each a job asks for and gets: request.c and charge.c.
\*****************************************************************************/
#include "request/request.h"

static void _parse_resource(struct resource *r, const char *tres)
{
	static const struct {
		const char *begin;	/* with a slash: a name follows */
		enum resource_kind kind;
	} kinds[] = {
		{ "cpu", RESOURCE_CPU }, { "mem", RESOURCE_MEM }, { "node", RESOURCE_NODE },
		{ "billing", RESOURCE_BILLING }, { "gres/", RESOURCE_GRES },
		{ "license/", RESOURCE_LICENSE },
	};

	*r = (struct resource) { .kind = RESOURCE_OTHER, .tres_pos = -1 };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t n = strlen(kinds[i].begin);
		bool named = kinds[i].begin[n - 1] == '/';

		if (xstrncmp(tres, kinds[i].begin, n) || (!named && tres[n]))
			continue;
		r->kind = kinds[i].kind;
		if (named)
			r->name = xstrdup(tres + n);
	}
	if (r->kind == RESOURCE_OTHER)
		r->tres_pos = compat_tres_pos(tres, false);
	if ((r->kind == RESOURCE_GRES) && (r->type = strchr(r->name, ':'))) {
		*r->type = '\0';
		r->type = xstrdup(r->type + 1);
	}
}

/* ---- what is legal in cohort.yaml, and does not work on this cluster ---- */

static int _allocates_memory(void *x, void *arg UNUSED)
{
	return compat_counts_memory(x);
}

static void _advise_memory(void)
{
	if (!_allocates_memory(NULL, NULL) && !list_find_first(part_list, _allocates_memory, NULL))
		error(PREFIX "quota for mem has no effect: SelectTypeParameters does not allocate memory (CR_Core_Memory, for example, does)");
}

static int64_t _nominal(const struct spec_quota *quotas, size_t n, int resource)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (quotas[i].resource == resource)
			sum += quotas[i].nominal;
	}
	return sum;
}

/* Slurm does not try a job whose licenses are not free, so no job is evicted for them. */
static void _advise_license(const struct resource *r, int resource)
{
	const struct spec *spec = ctld.conf->spec;
	int64_t total = compat_license_total(r->name), sum = 0;
	bool reclaimed = false;

	for (size_t i = 0; i < spec->nqueues; i++) {
		const struct spec_queue *q = &spec->queues[i];
		int64_t nominal = _nominal(q->quotas, q->nquotas, resource);

		sum += nominal;
		reclaimed |= nominal && (q->reclaim != POLICY_NEVER);
	}
	for (size_t i = 0; i < spec->ncohorts; i++)
		sum += _nominal(spec->cohorts[i].quotas, spec->cohorts[i].nquotas, resource);
	if ((total < 2 * sum) && reclaimed)
		error(PREFIX "license/%s: quota is %"PRId64" in all, the cluster has %"PRId64": lent ones can't be reclaimed while fewer are free than a job requests (doc/limits.md)",
		      r->name, sum, total);
}

extern void demand_init(void)
{
	const struct spec *spec = ctld.conf->spec;

	ctld.resources = xcalloc(spec->nresources + 1, sizeof(struct resource));
	for (size_t i = 0; i < spec->nresources; i++) {
		_parse_resource(&ctld.resources[i], spec->resources[i]);
		if (ctld.resources[i].kind == RESOURCE_MEM)
			_advise_memory();
		else if (ctld.resources[i].kind == RESOURCE_LICENSE)
			_advise_license(&ctld.resources[i], i);
	}
}

extern void demand_fini(void)
{
	for (size_t i = 0; ctld.resources && (i < ctld.conf->spec->nresources); i++) {
		xfree(ctld.resources[i].name);
		xfree(ctld.resources[i].type);
	}
	xfree(ctld.resources);
}

/* ---- the same for jobs that wait and jobs that run ---- */

extern int64_t demand_licenses(job_record_t *job_ptr, const struct resource *r, int64_t nodes)
{
	licenses_t *license = NULL;

	if (job_ptr->license_list)
		license = list_find_first(job_ptr->license_list, compat_find_license, r->name);
	if (!license)
		return 0;
	return license->total * (compat_license_is_per_node(license) ? nodes : 1);
}

/* The lock on TRES is held. */
static void _fill_gres(uint64_t *counts, int64_t (*gres_of)(const struct resource *r, void *arg),
		       void *arg)
{
	for (uint32_t i = TRES_ARRAY_TOTAL_CNT; i < g_tres_count; i++) {
		const slurmdb_tres_rec_t *tres = assoc_mgr_tres_array[i];
		struct resource r = { .kind = RESOURCE_GRES };

		if (xstrcmp(tres->type, "gres"))
			continue;
		r.name = xstrdup(tres->name);
		if ((r.type = strchr(r.name, ':')))
			*r.type++ = '\0';
		counts[i] = gres_of(&r, arg);
		xfree(r.name);
	}
}

extern int64_t demand_billing(const job_record_t *job_ptr, int64_t cpus,
			      int64_t mem, int64_t nodes,
			      int64_t (*gres_of)(const struct resource *r, void *arg), void *arg)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	uint64_t *counts;
	double billing;

	if (!job_ptr->tres_req_cnt || !job_ptr->part_ptr || !job_ptr->part_ptr->billing_weights)
		return cpus;	/* as Slurm has it without weights */
	assoc_mgr_lock(&locks);
	counts = xcalloc(g_tres_count, sizeof(*counts));
	memcpy(counts, job_ptr->tres_req_cnt, g_tres_count * sizeof(*counts));
	counts[TRES_ARRAY_CPU] = cpus;
	counts[TRES_ARRAY_MEM] = mem;
	counts[TRES_ARRAY_NODE] = nodes;
	if (gres_of)
		_fill_gres(counts, gres_of, arg);
	billing = assoc_mgr_tres_weighted(counts, job_ptr->part_ptr->billing_weights,
					  slurm_conf.priority_flags, true);
	assoc_mgr_unlock(&locks);
	xfree(counts);
	return (int64_t) billing;
}

extern int64_t demand_tres(const uint64_t *counts, const struct resource *r)
{
	uint64_t n;

	if (!counts || (r->tres_pos < 0))
		return 0;
	n = counts[r->tres_pos];
	return (n == NO_CONSUME_VAL64) || (n >= INFINITE64 - 1) ? 0 : n;
}

/* ---- elastic arrays ---- */

extern int64_t demand_min_available(const job_record_t *job_ptr)
{
	static const char key[] = "cohort:min-available=";
	const char *at = job_ptr->array_job_id ?
		xstrstr(job_ptr->comment, key) : NULL;
	char *end;
	long n;

	if (!at)
		return -1;
	at += sizeof(key) - 1;
	n = strtol(at, &end, 10);
	if ((end == at) || (n < 0) || (*end && !strchr(" ,;", *end)))
		return -1;
	return n;
}
