/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.c - names in cohort.yaml that slurmctld would reject
 *
 * The same rules as in plugins/common/match/known_names.c, on what slurmctld
 * shows to the public library.
 */
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "check/check.h"
#include "output/output.h"
#include "slurm/nodes.h"
#include "yaml/file.h"

static bool name_is_in(const struct cluster_names *names, const char *name)
{
	if (!names->known)
		return true;
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->names[i], name))
			return true;
	return false;
}

static bool partition_known(void *arg, const char *name)
{
	const struct cluster *c = arg;

	return name_is_in(&c->partitions, name);
}

/* Dynamic nodes bring names and features of their own. */
static bool nodes_known(void *arg, const char *nodes, char *bad, size_t size)
{
	const struct cluster *c = arg;

	return c->nodes_may_come || !c->nodes || nodes_all_among(nodes, c->nodes, bad, size);
}

static bool feature_known(void *arg, const char *name)
{
	const struct cluster *c = arg;

	return c->nodes_may_come || name_is_in(&c->features, name);
}

static bool qos_known(void *arg, const char *name)
{
	const struct cluster *c = arg;

	return name_is_in(&c->qos, name);
}

/* Where jobs need no association, any text is a valid account. */
static bool account_known(void *arg, const char *name)
{
	const struct cluster *c = arg;

	return !c->accounts_needed || name_is_in(&c->accounts, name);
}

/* "gres/gpu:a100" is known if GresTypes has gpu */
static bool gres_known(const struct cluster_names *types, const char *name)
{
	size_t len = strcspn(name, ":");

	for (size_t i = 0; i < types->n; i++)
		if (!strncasecmp(types->names[i], name, len) && !types->names[i][len])
			return true;
	return !types->known;
}

static bool resource_known(void *arg, const char *tres)
{
	const struct cluster *c = arg;

	if (!strcmp(tres, "cpu") || !strcmp(tres, "mem") || !strcmp(tres, "node"))
		return true;
	if (!strncmp(tres, "gres/", 5))
		return gres_known(&c->gres_types, tres + 5);
	if (!strncmp(tres, "license/", 8))
		return name_is_in(&c->licenses, tres + 8);
	return name_is_in(&c->tres, tres);
}

/* slurmctld may be on another host. */
static bool program_runs(void *arg, const char *path, char *err, size_t size)
{
	const struct cluster *c = arg;

	return access(path, F_OK) < 0 || !file_check_program(path, c->slurm_user, err, size);
}

static bool usage_known(void *arg)
{
	const struct cluster *c = arg;

	return c->keeps_usage;
}

int cluster_names_check(const struct conf *conf, const struct cluster *cluster,
			conf_report_f report, void *arg)
{
	const struct conf_names names = {
		.partition = partition_known,
		.nodes = nodes_known,
		.feature = feature_known,
		.qos = qos_known,
		.account = account_known,
		.resource = resource_known,
		.program = program_runs,
		.usage = usage_known,
		.arg = (void *) cluster,
	};

	return conf_check_names(conf, &names, report, arg);
}

/* ---- would slurmctld take this file? ---- */

static void error_print(void *arg, bool warning, const char *message)
{
	(void) arg;
	if (!warning)
		stderr_line("%s", message);
}

struct conf *acceptable_load(const char *path, const struct controller *controller)
{
	struct conf *conf = conf_load(path, error_print, NULL);
	struct cluster cluster;
	char err[256];
	bool good;

	if (!conf)
		return NULL;
	good = !cluster_load(&cluster, conf, controller, err, sizeof(err));
	if (!good)
		stderr_line("%s", err);
	else
		good = !cluster_names_check(conf, &cluster, error_print, NULL);
	cluster_free(&cluster);
	if (good)
		return conf;
	conf_destroy(conf);
	return NULL;
}
