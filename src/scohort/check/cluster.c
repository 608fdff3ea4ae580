/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.c - what the cluster has, asked of slurmctld
 */
#define _GNU_SOURCE	/* open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "must.h"
#include "slurm/api.h"
#include "slurm/nodes.h"

#include <slurm/slurmdb.h>

/* ---- names ---- */

static void name_add(struct cluster_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->names[i], name))
			return;
	names->names = must_grow(names->names, names->n, sizeof(*names->names));
	names->names[names->n++] = must(strdup(name));
}

/* Each word of a list separated by commas */
static void names_add_list(struct cluster_names *names, const char *list)
{
	char *copy = must(strdup(list ? list : "")), *rest = NULL;

	for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		name_add(names, word);
	free(copy);
}

static void names_free(struct cluster_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->names[i]);
	free(names->names);
}

#define EVICTS (PREEMPT_MODE_REQUEUE | PREEMPT_MODE_CANCEL)

static void partitions_load(struct cluster *cluster, const partition_info_msg_t *parts)
{
	for (uint32_t i = 0; i < parts->record_count; i++) {
		const partition_info_t *part = &parts->partition_array[i];

		name_add(&cluster->partitions, part->name);
		if ((part->flags & PART_FLAG_EXCLUSIVE_USER) && !cluster->user_partition)
			cluster->user_partition = must(strdup(part->name));
		cluster->longest = must_grow(cluster->longest, i, sizeof(*cluster->longest));
		cluster->longest[i] = part->max_time == INFINITE ? INT64_MAX
								 : (int64_t) part->max_time * 60;
		cluster->tiers = must_grow(cluster->tiers, i, sizeof(*cluster->tiers));
		cluster->tiers[i] = part->priority_tier;
		cluster->memory_allocated |= part->cr_type & API_CR_MEMORY;
		if (part->preempt_mode != NO_VAL16 && !(part->preempt_mode & EVICTS))
			name_add(&cluster->fixed_partitions, part->name);
	}
	cluster->partitions.known = true;
}

static void nodes_load(struct cluster *cluster, const node_info_msg_t *nodes, uint32_t max_nodes)
{
	size_t size;
	FILE *list = must(open_memstream(&cluster->nodes, &size));
	uint32_t n = 0;

	for (uint32_t i = 0; i < nodes->record_count; i++) {
		const node_info_t *node = &nodes->node_array[i];

		if (!node->name)
			continue;
		fprintf(list, "%s%s", n++ ? "," : "", node->name);
		names_add_list(&cluster->features, node->features);
	}
	fclose(list);
	cluster->features.known = true;
	cluster->nodes_may_come = n < max_nodes;
}

static void licenses_load(struct cluster *cluster, const license_info_msg_t *licenses)
{
	for (uint32_t i = 0; licenses && i < licenses->num_lic; i++)
		name_add(&cluster->licenses, licenses->lic_array[i].name);
	cluster->licenses.known = licenses;
}

/* slurmctld may show a user that is no administrator the user's own accounts
 * only. Without slurmdbd there are no accounts, and any text is valid. */
static void accounts_load(struct cluster *cluster)
{
	assoc_mgr_info_request_msg_t ask = {
		.flags = ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_QOS,
	};
	assoc_mgr_info_msg_t *msg = NULL;
	slurmdb_assoc_rec_t *assoc;
	slurmdb_qos_rec_t *qos;
	void *iter;

	if (geteuid() || slurm_load_assoc_mgr_info(&ask, &msg) != SLURM_SUCCESS)
		return;
	if (msg->assoc_list) {
		iter = slurm_list_iterator_create(msg->assoc_list);
		while ((assoc = slurm_list_next(iter)))
			if (assoc->acct)
				name_add(&cluster->accounts, assoc->acct);
		slurm_list_iterator_destroy(iter);
	}
	if (msg->qos_list) {
		iter = slurm_list_iterator_create(msg->qos_list);
		while ((qos = slurm_list_next(iter))) {
			if (!qos->name)
				continue;
			cluster->qos_priorities = must_grow(cluster->qos_priorities, cluster->qos.n,
							    sizeof(*cluster->qos_priorities));
			cluster->qos_priorities[cluster->qos.n] = qos->priority;
			name_add(&cluster->qos, qos->name);
			if ((qos->preempt_mode & PREEMPT_MODE_SUSPEND)
			    && !(qos->preempt_mode & EVICTS))
				name_add(&cluster->fixed_qos, qos->name);
			cluster->qos_preempt |= qos->preempt_bitstr != NULL;
		}
		slurm_list_iterator_destroy(iter);
	}
	for (uint32_t i = 0; i < msg->tres_cnt; i++)
		name_add(&cluster->tres, msg->tres_names[i]);
	cluster->tres.known = cluster->tres.n > 0;
	cluster->accounts.known = cluster->accounts.n > 0;
	cluster->qos.known = cluster->qos.n > 0;
	slurm_free_assoc_mgr_info_msg(msg);
}

/* ---- how much of each resource the nodes of a flavor have ---- */

/* Is it one of a list separated by commas? */
static bool word_in(const char *list, const char *word, size_t len)
{
	while (list && *list) {
		size_t n = strcspn(list, ",");

		if (n == len && !strncmp(list, word, n))
			return true;
		list += n + !!list[n];
	}
	return false;
}

/* "a&b|c": AND binds closer than OR, as in slurmctld (match/flavor_nodes.c). Partitions have
 * commas for OR, and features have none in their names. */
static bool words_hold(const char *expression, const char *words)
{
	bool all = true;

	for (;;) {
		size_t n = strcspn(expression, "&|,");

		all = all && word_in(words, expression, n);
		if (expression[n] != '&') {
			if (all || !expression[n])
				return all;
			all = true;
		}
		expression += n + 1;
	}
}

static bool node_suits(const struct conf_flavor *f, api_hostlist_t hosts, const node_info_t *node)
{
	return (!f->features || words_hold(f->features, node->features))
	       && (!f->nodes || slurm_hostlist_find(hosts, node->name) >= 0)
	       && (!f->partitions || words_hold(f->partitions, node->partitions));
}

static int64_t license_total(const char *resource, const license_info_msg_t *licenses)
{
	int64_t total = -1;

	if (strncmp(resource, "license/", 8))
		return -1;
	for (uint32_t i = 0; licenses && i < licenses->num_lic; i++)
		if (!strcmp(licenses->lic_array[i].name, resource + 8))
			total = licenses->lic_array[i].total;
	return total;
}

/* Partitions are taken from the nodes. Returns the names of the flavor's nodes. */
static char *flavor_total(const struct conf *conf, size_t flavor, const node_info_msg_t *nodes,
			  const license_info_msg_t *licenses, int64_t *totals)
{
	const struct conf_flavor *f = &conf->flavors[flavor];
	const struct spec *spec = conf->spec;
	api_hostlist_t hosts = slurm_hostlist_create(f->nodes ? f->nodes : "");
	const char *comma = "";
	char *names = NULL;
	size_t size;
	FILE *list = must(open_memstream(&names, &size));

	for (size_t r = 0; r < spec->nresources; r++)
		if (node_amount(spec->resources[r], 0, 0, NULL) < 0)
			totals[r] = license_total(spec->resources[r], licenses);
	for (uint32_t i = 0; i < nodes->record_count; i++) {
		const node_info_t *node = &nodes->node_array[i];

		if (!node->name || !node_suits(f, hosts, node))
			continue;
		fprintf(list, "%s%s", comma, node->name);
		comma = ",";
		for (size_t r = 0; r < spec->nresources; r++) {
			int64_t amount = node_amount(spec->resources[r], node->cpus,
						     (int64_t) node->real_memory, node->gres);

			totals[r] += amount > 0 ? amount : 0;
		}
	}
	slurm_hostlist_destroy(hosts);
	fclose(list);
	return names;
}

static void totals_load(struct cluster *cluster, const struct conf *conf,
			const node_info_msg_t *nodes, const license_info_msg_t *licenses)
{
	size_t n = conf->spec->nresources;

	cluster->totals = must(calloc(conf->spec->nflavors * n + 1, sizeof(*cluster->totals)));
	cluster->nflavors = conf->spec->nflavors;
	cluster->flavor_nodes = must(calloc(cluster->nflavors + 1, sizeof(char *)));
	for (size_t f = 0; f < cluster->nflavors; f++)
		cluster->flavor_nodes[f] = flavor_total(conf, f, nodes, licenses,
							&cluster->totals[f * n]);
}

/* ---- the whole cluster ---- */

int cluster_load(struct cluster *cluster, const struct conf *conf,
		 const struct controller *controller, char *err, size_t size)
{
	node_info_msg_t *nodes = NULL;
	partition_info_msg_t *parts = NULL;
	license_info_msg_t *licenses = NULL;
	char ignored[256];
	int rc = 0;

	memset(cluster, 0, sizeof(*cluster));
	if (slurm_load_node(0, &nodes, SHOW_ALL) != SLURM_SUCCESS ||
	    slurm_load_partitions(0, &parts, SHOW_ALL) != SLURM_SUCCESS) {
		snprintf(err, size, "%s", slurm_strerror(errno));
		rc = -1;
	} else {
		slurm_populate_node_partitions(nodes, parts);
		(void) slurm_load_licenses(0, &licenses, SHOW_ALL);
		totals_load(cluster, conf, nodes, licenses);
		partitions_load(cluster, parts);
		nodes_load(cluster, nodes, controller->max_nodes);
		licenses_load(cluster, licenses);
		names_add_list(&cluster->gres_types, controller->gres_types);
		cluster->gres_types.known = true;
		cluster->controller = controller;
		accounts_load(cluster);
		(void) views_load(&cluster->jobs, 0, ignored, sizeof(ignored));
	}
	if (nodes)
		slurm_free_node_info_msg(nodes);
	if (parts)
		slurm_free_partition_info_msg(parts);
	if (licenses)
		slurm_free_license_info_msg(licenses);
	return rc;
}

void cluster_free(struct cluster *cluster)
{
	struct cluster_names *all[] = {
		&cluster->partitions, &cluster->qos, &cluster->accounts, &cluster->features,
		&cluster->licenses, &cluster->fixed_partitions, &cluster->fixed_qos,
		&cluster->gres_types, &cluster->tres,
	};

	views_free(&cluster->jobs);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		names_free(all[i]);
	for (size_t f = 0; f < cluster->nflavors; f++)
		free(cluster->flavor_nodes[f]);
	free(cluster->flavor_nodes);
	free(cluster->longest);
	free(cluster->tiers);
	free(cluster->qos_priorities);
	free(cluster->user_partition);
	free(cluster->nodes);
	free(cluster->totals);
	memset(cluster, 0, sizeof(*cluster));
}
