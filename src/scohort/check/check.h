/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - scohort check: is this cohort.yaml right, and is it wise?
 */
#ifndef SCOHORT_CHECK_H
#define SCOHORT_CHECK_H

#include "conf.h"
#include "slurm/controller.h"
#include "slurm/job_views.h"

/* ---- cluster.c: what the cluster has, asked of slurmctld ---- */

struct cluster_names {
	bool known;
	char **names;
	size_t n;
};

/* What is known of the cluster; all zero: nothing */
struct cluster {
	/* [flavor * nresources + resource]: on its nodes, -1 if not known; or NULL */
	int64_t *totals;
	char **flavor_nodes;	/* of each flavor: "n1,n2"; or NULL */
	size_t nflavors;
	int64_t *longest;	/* of each partition, as in `partitions`: its MaxTime in seconds,
				 * INT64_MAX: UNLIMITED */
	int64_t *tiers, *qos_priorities;	/* the same: PriorityTier; of each QOS */
	bool memory_allocated;	/* by some partition's SelectTypeParameters */
	struct cluster_names partitions, qos, accounts, features, licenses;
	/* whose PreemptMode lets nobody evict their jobs */
	struct cluster_names fixed_partitions, fixed_qos;
	bool qos_preempt;	/* some QOS names others that it preempts */
	struct cluster_names gres_types, tres;	/* tres: of the database, without
						 * cpu, mem, node, GRES */
	char *nodes;		/* n1,n2, or NULL */
	bool nodes_may_come;	/* dynamic ones (MaxNodeCount) */
	char *user_partition;	/* the first one with ExclusiveUser, or NULL */
	struct view_list jobs;
	const struct controller *controller;	/* the caller's, or NULL */
};

/* Fills cluster with as much as slurmctld shows, to be freed with cluster_free() before the
 * controller is closed. May wait for slurmctld: make sure before that it is up. -1 with a message
 * in err if it gives no answer; cluster is empty then. */
int cluster_load(struct cluster *cluster, const struct conf *conf,
		 const struct controller *controller, char *err, size_t size);
void cluster_free(struct cluster *cluster);

/* ---- advice.c ---- */

/* Reports warnings, by line; returns how many there are. */
size_t cluster_advise(const struct conf *conf, const struct cluster *cluster,
		      conf_report_f report, void *arg);

/* What all nominal quotas of the pair sum to at that time, in ns */
int64_t nominal_sum(const struct spec *spec, int flavor, int resource, int64_t at);

/* Does a cluster queue match the job, in any of its partitions? */
bool job_is_in_queue(const struct conf *conf, const struct view *job);

/* Can jobs of the queue evict no job of another one, whatever its reclaimWithinCohort says? It
 * owns nothing, and its borrowing jobs evict nobody. */
bool queue_owns_nothing_to_reclaim(const struct spec *spec, const struct spec_queue *q);

/* ---- check.c ---- */

/* A file, and what it was judged by */
struct checked {
	struct conf *conf;	/* NULL: it has errors */
	struct cluster cluster;
	bool asked;		/* the cluster was */
	bool good;		/* slurmctld would take the file */
	char err[256];		/* why slurmctld could not be asked; "": it was, or not wanted */
};

/* Reads the file and reports its errors, by line. in_place: slurmctld reads it there, and its
 * owner counts. */
void checked_load(struct checked *c, const char *path, bool in_place, conf_report_f report,
		  void *arg);
/* Reports what else is to be said of a file that has no errors. controller: NULL, or of a slurmctld
 * that has answered; it has to outlive this. */
void checked_judge(struct checked *c, const char *path, bool in_place,
		   const struct controller *controller, conf_report_f report, void *arg);
void checked_free(struct checked *c);

/* The file, to be freed with conf_destroy(). NULL: slurmctld would reject it,
 * and each error was printed. Names are judged by what the cluster has. */
struct conf *acceptable_load(const char *path, const struct controller *controller);

#endif /* SCOHORT_CHECK_H */
