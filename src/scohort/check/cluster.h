/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster.h - what the cluster has, asked of slurmctld for advice.h
 */
#ifndef SCOHORT_CLUSTER_H
#define SCOHORT_CLUSTER_H

#include "check/advice.h"

/* Fills site with as much as can be had, to be freed with site_free(). May wait
 * for slurmctld: see that it is there before. -1 with a message in err if it
 * gives no answer; site is empty then. */
int site_load(struct site *site, const struct conf *conf, char *err,
	      size_t size);
void site_free(struct site *site);

/* How many of a resource of GRES ("gpu", and its type or NULL) a node's list
 * like "gpu:a100:4(S:0-1),shard:8" tells of */
int64_t site_gres(const char *list, const char *name, const char *type);

#endif /* SCOHORT_CLUSTER_H */
