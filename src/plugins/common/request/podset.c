/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  podset.c - the request of a waiting job, in the engine's words
 *
 *  Amounts and eligibility by flavor: whole nodes of another kind are another
 *  amount.
\*****************************************************************************/
#include "request/podset.h"

#include "state/job.h"
#include "match/flavor_eligibility.h"
#include "request/request.h"

/* The group of the queue that covers the resource, or NULL */
static const struct spec_group *_group_of(int queue, int resource)
{
	const struct spec_queue *q = &ctld.conf->spec->queues[queue];

	for (size_t i = 0; i < q->ngroups; i++) {
		for (size_t j = 0; j < q->groups[i].nresources; j++) {
			if (q->groups[i].resources[j] == resource)
				return &q->groups[i];
		}
	}
	return NULL;
}

/* The least and the most of a resource in the flavors of its group that may be
 * used; of all its flavors if none may. */
static void _range(const struct podset *p, const struct spec_group *group,
		   int resource, int64_t *least, int64_t *most)
{
	bool usable = false;

	for (size_t i = 0; i < group->nflavors; i++)
		usable |= !p->ineligible[group->flavors[i]];
	*least = INT64_MAX;
	*most = 0;
	for (size_t i = 0; i < group->nflavors; i++) {
		int flavor = group->flavors[i];
		int64_t n = p->amounts[flavor * ctld.conf->spec->nresources +
				       resource];

		if (usable && p->ineligible[flavor])
			continue;
		*least = MIN(*least, n);
		*most = MAX(*most, n);
	}
}

/* The queue does not limit a resource that it does not cover: it is left
 * out. */
static void _fill(struct podset *p, int queue)
{
	const struct spec *spec = ctld.conf->spec;
	bool same = true;
	size_t n = 0;

	for (size_t i = 0; i < spec->nresources; i++) {
		const struct spec_group *group = _group_of(queue, i);
		int64_t least, most;

		if (!group)
			continue;
		_range(p, group, i, &least, &most);
		if (!most)
			continue;
		for (size_t f = 0; f < spec->nflavors; f++)
			p->by_flavor[n * spec->nflavors + f] =
				p->amounts[f * spec->nresources + i];
		p->requests[n++] = (struct request) { i, least };
		same = same && (least == most);
	}
	p->desc.nrequests = n;
	p->desc.by_flavor = same ? NULL : p->by_flavor;
}

/* What the job asks for in this partition; Slurm, too, moves part_ptr along the
 * list of partitions while it tries them. */
static void _request_in(const struct entry *entry, part_record_t *part_ptr,
			int flavor, int64_t *amounts)
{
	job_record_t *job_ptr = entry->job->job_ptr;
	part_record_t *tried = job_ptr->part_ptr;

	job_ptr->part_ptr = part_ptr;
	request_of(job_ptr, entry, flavor, amounts);
	job_ptr->part_ptr = tried;
}

/* The least that the job asks for in any partition with nodes that suit. False
 * if there is no such partition. */
static bool _request(const struct entry *entry, int flavor, int64_t *amounts)
{
	size_t n = ctld.conf->spec->nresources;
	int64_t *more = xcalloc(n + 1, sizeof(*more));
	part_record_t *part_ptr;
	bool suits = false;

	for (int i = 0; (part_ptr = job_partition(entry, i)); i++) {
		if (!flavor_is_eligible(flavor, entry->job->job_ptr, part_ptr))
			continue;
		_request_in(entry, part_ptr, flavor, more);
		for (size_t r = 0; r < n; r++)
			amounts[r] = suits ? MIN(amounts[r], more[r]) : more[r];
		suits = true;
	}
	if (!suits)
		_request_in(entry, job_partition(entry, 0), flavor, amounts);
	xfree(more);
	return suits;
}

/* The resources of the queue, once each: there may be a thousand of others */
static void _look_at_flavors(struct podset *p, const struct entry *entry,
			     int queue)
{
	const struct spec *spec = ctld.conf->spec;
	const struct spec_queue *q = &spec->queues[queue];
	bool *seen = xcalloc(spec->nflavors + 1, sizeof(*seen));

	for (size_t i = 0; i < q->ngroups; i++) {
		for (size_t j = 0; j < q->groups[i].nflavors; j++) {
			int f = q->groups[i].flavors[j];

			if (seen[f])
				continue;
			seen[f] = true;
			p->ineligible[f] = !_request(
				entry, f, &p->amounts[f * spec->nresources]);
		}
	}
	xfree(seen);
}

extern void podset_of(struct podset *p, const struct entry *entry, int queue)
{
	size_t nresources = ctld.conf->spec->nresources + 1;
	size_t nflavors = ctld.conf->spec->nflavors;
	size_t rows = (nflavors + 1) * nresources;

	p->amounts = xcalloc(rows, sizeof(*p->amounts));
	p->by_flavor = xcalloc(rows, sizeof(*p->by_flavor));
	p->requests = xcalloc(nresources, sizeof(*p->requests));
	p->ineligible = xcalloc(nflavors + 1, sizeof(*p->ineligible));
	p->desc = (struct podset_desc) {
		.name = "job", .count = 1, .group = -1,
		.requests = p->requests, .ineligible = p->ineligible,
	};
	memset(p->ineligible, true, nflavors);
	_look_at_flavors(p, entry, queue);
	flavor_exclude_useless(entry, p->ineligible);
	_fill(p, queue);
}

extern void podset_free(struct podset *p)
{
	xfree(p->amounts);
	xfree(p->by_flavor);
	xfree(p->requests);
	xfree(p->ineligible);
}
