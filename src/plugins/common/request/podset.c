/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  podset.c - the request of a waiting job, in the engine's words
 *
 *  Amounts and eligibility by flavor: whole nodes of another kind are another
 *  amount.
\*****************************************************************************/
#include "request/request.h"

#include "match/match.h"

/* The least and the most of a resource in the flavors of its group that may be used; of all
 * its flavors if none may */
static void _range(const struct podset *p, const struct spec_group *group, int resource,
		   int64_t *least, int64_t *most)
{
	bool usable = false;

	for (size_t i = 0; i < group->nflavors; i++)
		usable |= !p->ineligible[group->flavors[i]];
	*least = INT64_MAX;
	*most = 0;
	for (size_t i = 0; i < group->nflavors; i++) {
		int flavor = group->flavors[i];
		int64_t n = p->by_flavor[resource * ctld.conf->spec->nflavors + flavor];

		if (usable && p->ineligible[flavor])
			continue;
		*least = MIN(*least, n);
		*most = MAX(*most, n);
	}
}

/* The queue does not limit a resource that none of its groups covers: such a resource is left
 * out, and the rows of amounts move up. Requests are in the order of resources. */
static void _fill(struct podset *p, const struct spec_queue *q)
{
	const struct spec *spec = ctld.conf->spec;
	const struct spec_group **groups = xcalloc(spec->nresources + 1, sizeof(*groups));
	bool same = true;
	size_t n = 0;

	for (size_t i = 0; i < q->ngroups; i++) {
		for (size_t j = 0; j < q->groups[i].nresources; j++)
			groups[q->groups[i].resources[j]] = &q->groups[i];
	}
	for (size_t i = 0; i < spec->nresources; i++) {
		int64_t least, most = 0;

		if (groups[i])
			_range(p, groups[i], i, &least, &most);
		if (!most)
			continue;
		memmove(&p->by_flavor[n * spec->nflavors], &p->by_flavor[i * spec->nflavors],
			spec->nflavors * sizeof(*p->by_flavor));
		p->requests[n++] = (struct request) { i, least };
		same = same && (least == most);
	}
	p->desc.nrequests = n;
	p->desc.by_flavor = same ? NULL : p->by_flavor;
	xfree(groups);
}

/* ---- in each partition ---- */

struct asked {
	part_record_t *part_ptr;	/* before, as all that follows */
	compat_details_t details;
	char *tres_per_task;
};

/* slurmctld leaves in the record what the job asks for in the partition that it checked
 * last: DefMemPerCPU, MaxMemPerCPU. Have it do so for this one. */
static struct asked _ask_in(job_record_t *job_ptr, part_record_t *part_ptr)
{
	compat_details_t *details = job_ptr->details;
	struct asked before = { job_ptr->part_ptr, *details, job_ptr->tres_per_task };

	if (!part_ptr)
		return before;
	job_ptr->part_ptr = part_ptr;
	job_ptr->tres_per_task = xstrdup(job_ptr->tres_per_task);
	/* these stay if the partition refuses the job */
	details->min_cpus = details->orig_min_cpus;
	details->pn_min_cpus = details->orig_pn_min_cpus;
	details->pn_min_memory = details->orig_pn_min_memory;
	(void) job_limits_check(&job_ptr, true);
	return before;
}

static void _ask_as_before(const struct asked *before, job_record_t *job_ptr)
{
	compat_details_t *details = job_ptr->details;

	if (job_ptr->tres_per_task != before->tres_per_task)
		xfree(job_ptr->tres_per_task);
	job_ptr->tres_per_task = before->tres_per_task;
	job_ptr->part_ptr = before->part_ptr;
	details->pn_min_memory = before->details.pn_min_memory;
	details->cpus_per_task = before->details.cpus_per_task;
	details->min_cpus = before->details.min_cpus;
	details->max_cpus = before->details.max_cpus;
	details->pn_min_cpus = before->details.pn_min_cpus;
}

/* A flavor counts with the least that the job asks for there in any partition that has
 * nodes that suit; if none has, as in the first one. */
static void _look_at_flavor(struct podset *p, struct entry *entry, int flavor,
			    part_record_t *part_ptr, bool first)
{
	size_t n = ctld.conf->spec->nresources;
	int64_t *more;
	bool suits = flavor_suits(flavor, entry->job->job_ptr, part_ptr, false);

	if (!first && !suits)
		return;
	more = xcalloc(n + 1, sizeof(*more));
	request_of(entry->job->job_ptr, flavor, more);
	(void) learn_raise(entry, flavor, more, true);
	for (size_t r = 0; r < n; r++) {
		int64_t *amount = &p->by_flavor[r * ctld.conf->spec->nflavors + flavor];

		*amount = p->ineligible[flavor] ? more[r] : MIN(*amount, more[r]);
	}
	p->ineligible[flavor] &= !suits;
	xfree(more);
}

/* A component names them, too, and has one entry for all (books/entries.c). */
static part_record_t *_partition(const struct entry *entry, int n)
{
	compat_list_t listed = entry->job->job_ptr->part_ptr_list;
	part_record_t *part_ptr;

	if (job_nvias(entry->job) || !listed || !list_count(listed))
		return job_partition(entry, n);
	for_each_in(part_ptr, listed) {
		if (!n--)
			return part_ptr;
	}
	return NULL;
}

/* The flavors of the queue, once each: there may be a thousand of others */
static void _look_at_partitions(struct podset *p, struct entry *entry, const struct spec_queue *q)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	bool *is_of_queue = xcalloc(ctld.conf->spec->nflavors + 1, sizeof(*is_of_queue));
	part_record_t *part_ptr;
	int i = 0;

	for (size_t g = 0; g < q->ngroups; g++) {
		for (size_t j = 0; j < q->groups[g].nflavors; j++)
			is_of_queue[q->groups[g].flavors[j]] = true;
	}
	do {
		struct asked before = _ask_in(job_ptr, part_ptr = _partition(entry, i));

		for (size_t f = 0; f < ctld.conf->spec->nflavors; f++) {
			if (is_of_queue[f])
				_look_at_flavor(p, entry, f, part_ptr, !i);
		}
		_ask_as_before(&before, job_ptr);
	} while (_partition(entry, ++i));
	xfree(is_of_queue);
}

/* ---- flavors for which it is of no use to wait ---- */

static bool _is_up(int flavor, const struct entry *entry)
{
	part_record_t *part_ptr;

	for (int i = 0; (part_ptr = job_partition(entry, i)); i++) {
		if (flavor_suits(flavor, entry->job->job_ptr, part_ptr, true))
			return true;
	}
	return false;
}

/* Leave those of `now`, if there are any. */
static void _leave_only(const bool *now, bool *ineligible)
{
	size_t n = ctld.conf->spec->nflavors;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= now[i];
	for (size_t i = 0; any && (i < n); i++)
		ineligible[i] = !now[i];
}

/* Nodes that are down or drained count only if no other flavor has any nodes: then the job waits
 * for them. The same with flavors whose nodes are all too small, or taken. */
static void _exclude_useless(struct podset *p, const struct entry *entry)
{
	size_t n = ctld.conf->spec->nflavors;
	bool *now = xcalloc(n + 1, sizeof(*now));

	for (size_t i = 0; i < n; i++)
		now[i] = !p->ineligible[i] && !learn_never_fits(entry, i) && _is_up(i, entry);
	_leave_only(now, p->ineligible);
	for (size_t i = 0; entry_goes_on(entry) && (i < n); i++)
		now[i] = !p->ineligible[i] && !entry->lessons.taken->flavors[i];
	_leave_only(now, p->ineligible);
	xfree(now);
}

extern void podset_of(struct podset *p, struct entry *entry, int queue)
{
	const struct spec_queue *q = &ctld.conf->spec->queues[queue];
	size_t nresources = ctld.conf->spec->nresources + 1, nflavors = ctld.conf->spec->nflavors;

	p->by_flavor = xcalloc((nflavors + 1) * nresources, sizeof(*p->by_flavor));
	p->requests = xcalloc(nresources, sizeof(*p->requests));
	p->ineligible = xcalloc(nflavors + 1, sizeof(*p->ineligible));
	p->desc = (struct podset_desc) {
		.name = "job", .count = 1, .group = -1,
		.requests = p->requests, .ineligible = p->ineligible,
	};
	memset(p->ineligible, true, nflavors);
	learn_forget(entry);
	_look_at_partitions(p, entry, q);
	_exclude_useless(p, entry);
	_fill(p, q);
}

extern void podset_free(struct podset *p)
{
	xfree(p->by_flavor);
	xfree(p->requests);
	xfree(p->ineligible);
}
