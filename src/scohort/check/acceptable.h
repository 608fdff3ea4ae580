/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acceptable.h - would slurmctld take this file?
 */
#ifndef SCOHORT_CHECK_ACCEPTABLE_H
#define SCOHORT_CHECK_ACCEPTABLE_H

#include "conf.h"
#include "slurm/controller.h"

/* The file, to be freed with conf_destroy(). NULL: slurmctld would reject it,
 * and each error was printed. Names are judged by what the cluster has. */
struct conf *acceptable_load(const char *path,
			     const struct controller *controller);

#endif /* SCOHORT_CHECK_ACCEPTABLE_H */
