/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outside.c - jobs outside all queues, and what they hold of each flavor
 *
 * No owner can evict them: what they hold is missing when owners want all that they own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "lib/sat.h"
#include "must.h"
#include "output/text.h"
#include "slurm/nodes.h"
#include "story/room.h"

/* What they hold of one flavor */
struct held {
	struct node_set *nodes;
	size_t jobs;
	int64_t *amounts;	/* by resource */
};

/* A job on nodes of several flavors counts in each by the number of its nodes. */
static void job_add(const struct doctor *d, struct held *held, const struct view *job)
{
	const struct spec *spec = d->file.conf->spec;
	int64_t all = (int64_t) node_set_count(NULL, job->nodes);

	for (size_t f = 0; f < spec->nflavors; f++) {
		int64_t n = (int64_t) node_set_count(held[f].nodes, job->nodes);

		held[f].jobs += n > 0;
		for (size_t r = 0; n && r < spec->nresources; r++)
			held[f].amounts[r] = sat_add(held[f].amounts[r], sat_mul(
				job_holds(job, spec->resources[r]), n) / all);
	}
}

static void flavor_tell(struct doctor *d, int f, const struct held *held)
{
	const struct spec *spec = d->file.conf->spec;
	char amounts[512] = "", missing[512] = "";
	const char *where = found_line(d, d->file.conf->flavors[f].line);
	int64_t n = (int64_t) held->jobs;

	for (int r = 0; r < (int) spec->nresources; r++) {
		const char *name = spec->resources[r];
		int64_t total = d->file.cluster.totals[f * (int) spec->nresources + r];
		int64_t owned = nominal_sum(spec, f, r, d->now * SPEC_SEC);

		if (!held->amounts[r] || !owned)
			continue;
		text_join(amounts, sizeof(amounts), "%s",
			  text_amount_of(TEXT_BUF, name, held->amounts[r]));
		if (total >= 0 && owned > total - held->amounts[r])
			text_join(missing, sizeof(missing), "%s of %s", text_amount(TEXT_BUF, name,
				  min64(held->amounts[r], owned - total + held->amounts[r])),
				  text_amount_of(TEXT_BUF, name, owned));
	}
	if (*missing)
		found(d, SEVERITY_WARNING, where, "flavors[%d]: %zu job%s outside all cluster "
		      "queues hold%s %s of \"%s\": owners can't have %s that they own before these "
		      "jobs end. Have a queue match such jobs, or lower quotas", f, held->jobs,
		      text_s(n), n == 1 ? "s" : "", amounts, spec->flavors[f], missing);
	else if (*amounts)
		found(d, SEVERITY_NOTE, where, "flavors[%d]: %zu job%s outside all cluster queues "
		      "hold%s %s of \"%s\"; owners can have all that they own beside that", f,
		      held->jobs, text_s(n), n == 1 ? "s" : "", amounts, spec->flavors[f]);
}

void look_outside(struct doctor *d)
{
	const struct spec *spec = d->file.conf->spec;
	const struct view_list *jobs = &d->file.cluster.jobs;
	struct held *held = must(calloc(spec->nflavors + 1, sizeof(*held)));

	for (size_t f = 0; f < spec->nflavors; f++) {
		held[f].amounts = must(calloc(spec->nresources + 1, sizeof(int64_t)));
		held[f].nodes = must(node_set_make(d->file.cluster.flavor_nodes[f]));
	}
	for (const struct view *job = jobs->views; job < jobs->views + jobs->n; job++)
		if ((job->state == VIEW_RUNNING || job->state == VIEW_SUSPENDED) && job->nodes
		    && !job_is_in_queue(d->file.conf, job))
			job_add(d, held, job);
	for (size_t f = 0; f < spec->nflavors; f++) {
		if (held[f].jobs)
			flavor_tell(d, (int) f, &held[f]);
		node_set_free(held[f].nodes);
		free(held[f].amounts);
	}
	free(held);
}
