/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * advice.h - what is legal in cohort.yaml, but unwise on this cluster
 */
#ifndef SCOHORT_ADVICE_H
#define SCOHORT_ADVICE_H

#include "conf.h"

struct site_names {
	bool known;
	char **names;
	size_t n;
};

/* A job, as far as it tells which queue it is for, and how long it may run */
struct site_job {
	const char *partition, *qos, *account, *user;
	int64_t limit;			/* ns, 0: none */
};

/* What is known of the cluster; all zero: nothing */
struct site {
	int64_t *totals;	/* on the nodes of a flavor, of a resource, -1 if
				 * that can't be told: [flavor * nresources +
				 * resource]; or NULL */
	struct site_names partitions, qos, accounts;
	struct site_job *jobs;
	size_t njobs;
};

/* Reports warnings, by line; returns how many there are. */
size_t wise_check(const struct conf *conf, const struct site *site,
		  conf_report_f report, void *arg);

#endif /* SCOHORT_ADVICE_H */
