/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * api.h - the public libslurm, and all that differs between its versions
 */
#ifndef SCOHORT_API_H
#define SCOHORT_API_H

/* 26.05: numbers of jobs still work where ids of steps are wanted */
#define SLURM_BACKWARD_COMPAT
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
typedef hostlist_t *api_hostlist_t;
#else
typedef hostlist_t api_hostlist_t;
#endif

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
#define api_free_conf(conf) slurm_free_conf(conf)
#else
#define api_free_conf(conf) slurm_free_ctl_conf(conf)
#endif

#endif /* SCOHORT_API_H */
