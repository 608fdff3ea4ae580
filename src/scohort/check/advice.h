/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advice.h - what is legal in cohort.yaml, but unwise on this cluster
 */
#ifndef SCOHORT_ADVICE_H
#define SCOHORT_ADVICE_H

#include "check/cluster.h"
#include "conf.h"

/* Reports warnings, by line; returns how many there are. */
size_t cluster_advise(const struct conf *conf, const struct cluster *cluster,
		      conf_report_f report, void *arg);

#endif /* SCOHORT_ADVICE_H */
