/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.c - what the cluster has, asked of slurmctld
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurmdb.h>
#include <slurm/slurm_errno.h>

#include "check/cluster.h"
#include "lib/sat.h"

typedef __typeof__(slurm_hostlist_create("")) hosts_t;

/* ---- nodes: what is on those of a flavor ---- */

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

static bool node_suits(const struct conf_flavor *f, hosts_t hosts,
		       const node_info_t *node)
{
	return (!f->features || features_hold(f->features, node->features)) &&
	       (!f->nodes || slurm_hostlist_find(hosts, node->name) >= 0) &&
	       (!f->partitions ||
		partitions_hold(f->partitions, node->partitions));
}

/* "4(S:0-1)" up to the comma or the end: a count, and no type before it */
static bool is_count(const char *text)
{
	size_t n = strspn(text, "0123456789");

	return n && (!text[n] || strchr("(,", text[n]));
}

int64_t gres_count(const char *list, const char *name, const char *type)
{
	size_t len = strlen(name);
	int64_t sum = 0;

	while (list && *list) {
		const char *at = list, *comma = strchr(list, ',');
		size_t n;

		list = comma ? comma + 1 : NULL;
		if (strncmp(at, name, len) || at[len] != ':')
			continue;
		at += len + 1;
		n = is_count(at) ? 0 : strcspn(at, ":(,");
		if (type && (n != strlen(type) || strncmp(at, type, n)))
			continue;
		at += n + (n && at[n] == ':');
		sum += is_count(at) ? strtoll(at, NULL, 10) : 1;
	}
	return sum;
}

/* -1: not a thing that nodes have */
static int64_t node_amount(const node_info_t *node, const char *resource)
{
	char name[64], *type;

	if (!strcmp(resource, "cpu"))
		return node->cpus;
	if (!strcmp(resource, "mem"))
		return (int64_t) node->real_memory;
	if (!strcmp(resource, "node"))
		return 1;
	if (strncmp(resource, "gres/", 5))
		return -1;
	snprintf(name, sizeof(name), "%s", resource + 5);
	type = strchr(name, ':');
	if (type)
		*type++ = '\0';
	return gres_count(node->gres, name, type);
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
	hosts_t hosts = slurm_hostlist_create(f->nodes ? f->nodes : "");

	for (uint32_t i = 0; i < nodes->record_count; i++) {
		const node_info_t *node = &nodes->node_array[i];

		if (!node->name || !node_suits(f, hosts, node))
			continue;
		for (size_t r = 0; r < spec->nresources; r++)
			if (totals[r] >= 0)
				totals[r] += node_amount(node,
							 spec->resources[r]);
	}
	slurm_hostlist_destroy(hosts);
}

static void totals_load(struct cluster *cluster, const struct conf *conf,
			const node_info_msg_t *nodes)
{
	const struct spec *spec = conf->spec;
	size_t n = spec->nresources;

	cluster->totals =
		calloc(spec->nflavors * n + 1, sizeof(*cluster->totals));
	for (size_t f = 0; cluster->totals && f < spec->nflavors; f++) {
		int64_t *totals = &cluster->totals[f * n];
		node_info_t none = { .name = NULL };

		for (size_t r = 0; r < n; r++)
			if (node_amount(&none, spec->resources[r]) < 0)
				totals[r] = -1;
		flavor_total(conf, f, nodes, totals);
		for (size_t r = 0; r < n; r++)
			if (totals[r] < 0)
				totals[r] = license_total(spec->resources[r]);
	}
}

/* ---- names ---- */

static void name_add(struct cluster_names *names, const char *name)
{
	char **grown;

	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->names[i], name))
			return;
	grown = realloc(names->names, (names->n + 1) * sizeof(*grown));
	if (!grown)
		return;
	names->names = grown;
	grown[names->n] = strdup(name);
	if (grown[names->n])
		names->n++;
}

static void names_free(struct cluster_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->names[i]);
	free(names->names);
}

static void partitions_load(struct cluster *cluster,
			    const partition_info_msg_t *parts)
{
	for (uint32_t i = 0; i < parts->record_count; i++)
		name_add(&cluster->partitions, parts->partition_array[i].name);
	cluster->partitions.known = true;
}

/* Those who are no administrators may be told of their own accounts only.
 * Without slurmdbd there are none, and any text will do. */
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
		while ((qos = slurm_list_next(iter)))
			if (qos->name)
				name_add(&cluster->qos, qos->name);
		slurm_list_iterator_destroy(iter);
	}
	cluster->accounts.known = cluster->accounts.n > 0;
	cluster->qos.known = cluster->qos.n > 0;
	slurm_free_assoc_mgr_info_msg(msg);
}

/* ---- jobs ---- */

static char *copy(const char *text)
{
	return text && *text ? strdup(text) : NULL;
}

static void jobs_load(struct cluster *cluster)
{
	job_info_msg_t *msg = NULL;

	if (slurm_load_jobs(0, &msg, SHOW_ALL) != SLURM_SUCCESS)
		return;
	cluster->jobs = calloc(msg->record_count + 1, sizeof(*cluster->jobs));
	for (uint32_t i = 0; cluster->jobs && i < msg->record_count; i++) {
		const job_info_t *info = &msg->job_array[i];
		struct passwd *user = getpwuid(info->user_id);
		struct cluster_job *job = &cluster->jobs[cluster->njobs++];

		job->partition = copy(info->partition);
		job->qos = copy(info->qos);
		job->account = copy(info->account);
		job->user = copy(user ? user->pw_name : NULL);
		if (info->time_limit != INFINITE && info->time_limit != NO_VAL)
			job->limit = sat_mul((int64_t) info->time_limit * 60,
					     SPEC_SEC);
	}
	slurm_free_job_info_msg(msg);
}

/* ---- the whole ---- */

int cluster_load(struct cluster *cluster, const struct conf *conf, char *err,
		 size_t size)
{
	node_info_msg_t *nodes = NULL;
	partition_info_msg_t *parts = NULL;
	int rc = 0;

	memset(cluster, 0, sizeof(*cluster));
	if (slurm_load_node(0, &nodes, SHOW_ALL) != SLURM_SUCCESS ||
	    slurm_load_partitions(0, &parts, SHOW_ALL) != SLURM_SUCCESS) {
		snprintf(err, size, "%s", slurm_strerror(errno));
		rc = -1;
	} else {
		slurm_populate_node_partitions(nodes, parts);
		totals_load(cluster, conf, nodes);
		partitions_load(cluster, parts);
		accounts_load(cluster);
		jobs_load(cluster);
	}
	if (nodes)
		slurm_free_node_info_msg(nodes);
	if (parts)
		slurm_free_partition_info_msg(parts);
	return rc;
}

void cluster_free(struct cluster *cluster)
{
	for (size_t i = 0; i < cluster->njobs; i++) {
		free((char *) cluster->jobs[i].partition);
		free((char *) cluster->jobs[i].qos);
		free((char *) cluster->jobs[i].account);
		free((char *) cluster->jobs[i].user);
	}
	free(cluster->jobs);
	names_free(&cluster->partitions);
	names_free(&cluster->qos);
	names_free(&cluster->accounts);
	free(cluster->totals);
	memset(cluster, 0, sizeof(*cluster));
}
