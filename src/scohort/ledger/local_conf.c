/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local_conf.c - the cohort.yaml beside this host's slurm.conf
 */
#include "conf.h"
#include "ledger/local_conf.h"
#include "slurm/conf_path.h"

static void ignore(void *arg, bool warning, const char *message)
{
	(void) arg;
	(void) warning;
	(void) message;
}

struct conf *local_conf_load(void)
{
	char path[CONF_PATH_MAX];

	return conf_load(conf_path("cohort.yaml", path, sizeof(path)), ignore,
			 NULL);
}
