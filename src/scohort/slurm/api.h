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

/* In cr_type of a partition whose SelectTypeParameters allocate memory */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
#define API_CR_MEMORY SELECT_MEMORY
#else
#define API_CR_MEMORY CR_MEMORY
#endif

/* Slurm's name for a state without flags, as squeue has it. It is in libslurm, and in no
 * public header, as the next one. */
#define api_state_name(state) slurm_job_state_string(state)
const char *slurm_job_state_string(uint32_t state);

/* Slurm's name for a reason */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
#define api_reason_name(reason) slurm_job_state_reason_string(reason)
const char *slurm_job_state_reason_string(enum job_state_reason reason);
#else
#define api_reason_name(reason) slurm_job_reason_string(reason)
const char *slurm_job_reason_string(enum job_state_reason reason);
#endif

/* Which job a description is about, by its number */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
#define api_describes(desc, id) ((desc)->step_id.job_id = (id))
#else
#define api_describes(desc, id) ((desc)->job_id = (id))
#endif

/* What jobs have of a node; memory in MB */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
#define api_node_cpus_in_use(node) ((long) (node)->alloc_cpus)
#define api_node_memory_in_use(node) ((long) (node)->alloc_memory)
#else
static inline long api_node_cpus_in_use(node_info_t *node)
{
	uint16_t cpus = 0;

	(void) slurm_get_select_nodeinfo(node->select_nodeinfo, SELECT_NODEDATA_SUBCNT,
					 NODE_STATE_ALLOCATED, &cpus);
	return cpus;
}

static inline long api_node_memory_in_use(node_info_t *node)
{
	uint64_t memory = 0;

	(void) slurm_get_select_nodeinfo(node->select_nodeinfo, SELECT_NODEDATA_MEM_ALLOC,
					 NODE_STATE_ALLOCATED, &memory);
	return (long) memory;
}
#endif

#endif /* SCOHORT_API_H */
