/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - names in cohort.yaml that slurmctld would reject
 */
#ifndef SCOHORT_CHECK_NAMES_H
#define SCOHORT_CHECK_NAMES_H

#include "check/cluster.h"
#include "conf.h"

/* Reports, as slurmctld does, each name that the cluster does not have; what
 * is not known of the cluster is not judged. Returns the number of errors. */
int cluster_names_check(const struct conf *conf, const struct cluster *cluster,
			conf_report_f report, void *arg);

#endif /* SCOHORT_CHECK_NAMES_H */
