/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  select_compat.h - what differs for a select plugin
 *
 *  Part of slurm_compat.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_COMPAT_SELECT_COMPAT_H
#define COHORT_COMPAT_SELECT_COMPAT_H

/* Arguments of select_p_job_test() that we only hand on: nodes and cores of
 * reservations, and (24.11 on) the time at which a future job would run */
struct compat_rest {
#if COMPAT_SINCE(23, 11)
	resv_exc_t *resv_exc;
#else
	bitstr_t *exc_cores;
#endif
#if COMPAT_SINCE(24, 11)
	will_run_data_t *will_run;
#endif
};

#if COMPAT_SINCE(23, 11)
/* Slurm's select plugins read it without a check. For our own tries (het_place.c) it
 * has to be there, with nothing excluded. */
static inline resv_exc_t *compat_resv_exc(const struct compat_rest *rest)
{
	static resv_exc_t none;

	return rest->resv_exc ? rest->resv_exc : &none;
}
#endif

#if COMPAT_SINCE(24, 11)
#define COMPAT_REST_PARAMS resv_exc_t *resv_exc, will_run_data_t *will_run
#define COMPAT_REST_ARGS resv_exc, will_run
#define COMPAT_REST_OF(rest) compat_resv_exc(rest), (rest)->will_run
#elif COMPAT_SINCE(23, 11)
#define COMPAT_REST_PARAMS resv_exc_t *resv_exc
#define COMPAT_REST_ARGS resv_exc
#define COMPAT_REST_OF(rest) compat_resv_exc(rest)
#else
#define COMPAT_REST_PARAMS bitstr_t *exc_cores
#define COMPAT_REST_ARGS exc_cores
#define COMPAT_REST_OF(rest) (rest)->exc_cores
#endif

#define COMPAT_JOB_TEST_PARAMS						\
	job_record_t *job_ptr, bitstr_t *node_bitmap,			\
	uint32_t min_nodes, uint32_t max_nodes, uint32_t req_nodes,	\
	uint16_t mode, compat_list_t preemptee_candidates,		\
	compat_list_t *preemptee_job_list, COMPAT_REST_PARAMS
#define COMPAT_JOB_TEST_ARGS						\
	job_ptr, node_bitmap, min_nodes, max_nodes, req_nodes, mode,	\
	preemptee_candidates, preemptee_job_list, COMPAT_REST_ARGS

typedef int (*compat_job_test_f)(COMPAT_JOB_TEST_PARAMS);

/* The error by which job_test refuses a job. In 22.05 every error blocks the
 * partition for the rest of a main pass. Later versions have one that does not,
 * unless backfill has to look after licenses: then it ends the pass. */
static inline int compat_refused(void)
{
#if COMPAT_SINCE(23, 2)
	if (!compat_plans_licenses())
		return ESLURM_LICENSES_UNAVAILABLE;
#endif
	return SLURM_ERROR;
}

/* The same for a job whose licenses are in use: from 24.11 on Slurm's select plugin
 * refuses these. */
static inline int compat_refused_licenses(void)
{
#if COMPAT_SINCE(24, 11)
	return ESLURM_LICENSES_UNAVAILABLE;
#else
	return compat_refused();
#endif
}

/* What is allocated: SelectTypeParameters, or the partition's own. */
#if COMPAT_SINCE(25, 11)
#define COMPAT_CR_SOCKET SELECT_SOCKET
#define COMPAT_CR_CORE SELECT_CORE
#define COMPAT_CR_MEMORY SELECT_MEMORY
#else
#define COMPAT_CR_SOCKET CR_SOCKET
#define COMPAT_CR_CORE CR_CORE
#define COMPAT_CR_MEMORY CR_MEMORY
#endif

static inline uint16_t compat_select_param(const part_record_t *part_ptr)
{
	uint16_t cr = slurm_conf.select_type_param;

	if (part_ptr && part_ptr->cr_type &&
	    (cr & (COMPAT_CR_SOCKET | COMPAT_CR_CORE))) {
		cr &= ~(COMPAT_CR_SOCKET | COMPAT_CR_CORE | COMPAT_CR_MEMORY);
		cr |= part_ptr->cr_type;
	}
	return cr;
}

static inline bool compat_counts_memory(const part_record_t *part_ptr)
{
	return compat_select_param(part_ptr) & COMPAT_CR_MEMORY;
}

/* Does the job get whole nodes? (a number up to 23.11, bits since) */
static inline bool compat_whole_node(const compat_details_t *details)
{
#if COMPAT_SINCE(24, 5)
	return details->whole_node & WHOLE_NODE_REQUIRED;
#else
	return details->whole_node == WHOLE_NODE_REQUIRED;
#endif
}

/* May the list of a job's partitions be locked for writing when job_test is called? A function
 * that reads the list then ends slurmctld. The list is locked while --test-only is answered
 * (24.05 on) and while a job is submitted (26.05). */
#define COMPAT_LOCKS_PARTITIONS COMPAT_SINCE(24, 5)

/* How many nodes a job in a question (--test-only) wishes for. Where only its
 * tasks limit the number, it gets as few nodes as possible; Slurm 26.05 asks as
 * if it wished for one node per task. */
static inline uint32_t compat_asked_nodes(const job_record_t *job_ptr,
					  uint32_t min_nodes, uint32_t req_nodes)
{
#if COMPAT_SINCE(26, 5)
	if (job_ptr->bit_flags & JOB_IMPLICIT_MAX_NODES)
		return min_nodes;
#else
	(void) job_ptr;
	(void) min_nodes;
#endif
	return req_nodes;
}

#endif /* COHORT_COMPAT_SELECT_COMPAT_H */
