/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acceptable.c - would slurmctld take this file?
 */
#include "check/acceptable.h"
#include "check/cluster.h"
#include "check/names.h"
#include "output/output.h"

static void error_print(void *arg, bool warning, const char *message)
{
	(void) arg;
	if (!warning)
		stderr_line("%s", message);
}

struct conf *acceptable_load(const char *path,
			     const struct controller *controller)
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
