/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local_conf.h - the cohort.yaml beside this host's slurm.conf
 */
#ifndef SCOHORT_LOCAL_CONF_H
#define SCOHORT_LOCAL_CONF_H

struct conf;

/* To be freed with conf_destroy(). NULL: there is none, it cannot be read, or
 * it has errors, which are not reported. */
struct conf *local_conf_load(void);

#endif /* SCOHORT_LOCAL_CONF_H */
