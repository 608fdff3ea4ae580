/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster_totals.c - how much of each resource the nodes of a flavor have
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/cluster_totals.h"
#include "slurm/node_amount.h"

static bool word_in(const char *list, const char *word, size_t len,
		    const char *separators)
{
	while (list && *list) {
		size_t n = strcspn(list, separators);

		if (n == len && !strncmp(list, word, n))
			return true;
		list += n + !!list[n];
	}
	return false;
}

/* "a&b|c": AND binds closer than OR, as in slurmctld (flavor.c there) */
static bool features_hold(const char *expression, const char *features)
{
	bool all = true;

	for (;;) {
		size_t n = strcspn(expression, "&|");

		all = all && word_in(features, expression, n, ",");
		if (expression[n] != '&') {
			if (all || !expression[n])
				return all;
			all = true;
		}
		expression += n + 1;
	}
}

static bool partitions_hold(const char *wanted, const char *partitions)
{
	while (*wanted) {
		size_t n = strcspn(wanted, ",");

		if (word_in(partitions, wanted, n, ","))
			return true;
		wanted += n + !!wanted[n];
	}
	return false;
}

static bool node_suits(const struct conf_flavor *f, api_hostlist_t hosts,
		       const node_info_t *node)
{
	return (!f->features || features_hold(f->features, node->features)) &&
	       (!f->nodes || slurm_hostlist_find(hosts, node->name) >= 0) &&
	       (!f->partitions ||
		partitions_hold(f->partitions, node->partitions));
}

static int64_t license_total(const char *resource)
{
	license_info_msg_t *msg = NULL;
	int64_t total = -1;

	if (strncmp(resource, "license/", 8) ||
	    slurm_load_licenses(0, &msg, SHOW_ALL) != SLURM_SUCCESS)
		return -1;
	for (uint32_t i = 0; i < msg->num_lic; i++)
		if (!strcmp(msg->lic_array[i].name, resource + 8))
			total = msg->lic_array[i].total;
	slurm_free_license_info_msg(msg);
	return total;
}

static void flavor_total(const struct conf *conf, size_t flavor,
			 const node_info_msg_t *nodes, int64_t *totals)
{
	const struct conf_flavor *f = &conf->flavors[flavor];
	const struct spec *spec = conf->spec;
	api_hostlist_t hosts = slurm_hostlist_create(f->nodes ? f->nodes : "");

	for (uint32_t i = 0; i < nodes->record_count; i++) {
		const node_info_t *node = &nodes->node_array[i];

		if (!node->name || !node_suits(f, hosts, node))
			continue;
		for (size_t r = 0; r < spec->nresources; r++)
			if (totals[r] >= 0)
				totals[r] += node_amount(
					spec->resources[r], node->cpus,
					(int64_t) node->real_memory,
					node->gres);
	}
	slurm_hostlist_destroy(hosts);
}

void cluster_totals_load(struct cluster *cluster, const struct conf *conf,
			 const node_info_msg_t *nodes)
{
	const struct spec *spec = conf->spec;
	size_t n = spec->nresources;

	cluster->totals =
		calloc(spec->nflavors * n + 1, sizeof(*cluster->totals));
	for (size_t f = 0; cluster->totals && f < spec->nflavors; f++) {
		int64_t *totals = &cluster->totals[f * n];

		for (size_t r = 0; r < n; r++)
			if (node_amount(spec->resources[r], 0, 0, NULL) < 0)
				totals[r] = -1;
		flavor_total(conf, f, nodes, totals);
		for (size_t r = 0; r < n; r++)
			if (totals[r] < 0)
				totals[r] = license_total(spec->resources[r]);
	}
}
