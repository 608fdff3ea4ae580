/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  slurm_compat.h - everything that differs between Slurm versions
 *
 *  The plugins are written against the names below; no other file asks for a
 *  version. Where the newer Slurm's way can be had in the older one, the newer
 *  name is used. Slurm's internal headers come first and slurm_xlator.h before all
 *  of them, so that error() and its like bind to Slurm's and not to libc's.
\*****************************************************************************/
#ifndef COHORT_SLURM_COMPAT_H
#define COHORT_SLURM_COMPAT_H

#include "src/common/slurm_xlator.h"

#include <dlfcn.h>

#include <sys/prctl.h>

#include "slurm/slurm_errno.h"

#include "src/common/assoc_mgr.h"
#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/run_in_daemon.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"

/* From version x.y on? */
#define COMPAT_SINCE(x, y) (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(x, y, 0))

#if !COMPAT_SINCE(23, 2)
#include "src/common/gres.h"
#include "src/common/slurm_priority.h"
#include "src/slurmctld/preempt.h"
#else
#include "src/interfaces/gres.h"
#include "src/interfaces/preempt.h"
#include "src/interfaces/priority.h"
#include "src/interfaces/select.h"
#endif
#if COMPAT_SINCE(23, 2)
#include "src/common/job_features.h"
#endif
#if COMPAT_SINCE(24, 5)
#include "src/common/job_record.h"
#include "src/common/job_state_reason.h"
#endif
#if COMPAT_SINCE(24, 11)
#include "src/common/node_features.h"
#endif
#if COMPAT_SINCE(26, 5)
#include "src/common/threadpool.h"
#endif

/* For an argument that a callback must have and does not need */
#define UNUSED __attribute__((unused))

/* ---- lists, records ---- */

#if COMPAT_SINCE(23, 2)
typedef list_t *compat_list_t;
typedef list_itr_t *compat_itr_t;
typedef job_details_t compat_details_t;
#else
typedef List compat_list_t;
typedef ListIterator compat_itr_t;
typedef struct job_details compat_details_t;
#endif

#if COMPAT_SINCE(23, 11)
typedef hostlist_t *compat_hostlist_t;
#else
typedef hostlist_t compat_hostlist_t;
#endif

/* Nodes of a host list without those that nobody knows, or NULL. The caller
 * frees the bitmap. */
static inline bitstr_t *compat_nodes_of(const char *hosts)
{
	bitstr_t *nodes = NULL;

#if COMPAT_SINCE(24, 11)
	(void) node_name2bitmap((char *) hosts, true, &nodes, NULL);
#else
	(void) node_name2bitmap((char *) hosts, true, &nodes);
#endif
	return nodes;
}

static inline int compat_find_license(void *x, void *key)
{
	return !xstrcmp(((licenses_t *) x)->name, key);
}

/* Its priority in the partition that stands at this place in its list of so many.
 * A job that names several QOS (24.11 on) has one for each of them and partition;
 * their list is not counted, as slurmctld may have it locked. */
static inline uint32_t compat_priority(const job_record_t *job_ptr, int place,
				       int places)
{
#if COMPAT_SINCE(25, 5)
	const uint32_t *array = job_ptr->prio_mult ?
		job_ptr->prio_mult->priority_array : NULL;
#elif COMPAT_SINCE(24, 5)
	const uint32_t *array = job_ptr->part_prio ?
		job_ptr->part_prio->priority_array : NULL;
#else
	const uint32_t *array = job_ptr->priority_array;
#endif
	int each = array ? xsize((void *) array) / sizeof(*array) / MAX(places, 1) : 0;

	return each ? array[place * each] : job_ptr->priority;
}

/* How many licenses of that name the cluster has; -1: it has no such. From 25.05
 * on the list is slurmctld's own, and copies of it have no names. */
static inline int64_t compat_license_total(const char *name)
{
#if COMPAT_SINCE(25, 5)
	uint32_t total = get_total_license_cnt((char *) name);

	return total ? (int64_t) total : -1;
#else
#if COMPAT_SINCE(23, 2)
	compat_list_t all = cluster_license_list;
#else
	compat_list_t all = license_list;
#endif
	licenses_t *license = all ?
		list_find_first(all, compat_find_license, (void *) name) : NULL;

	return license ? (int64_t) license->total : -1;
#endif
}

/* Are licenses that the job needs in use by others? */
static inline bool compat_lacks_licenses(job_record_t *job_ptr)
{
	return job_ptr->license_list &&
		(license_job_test(job_ptr, time(NULL), true) != SLURM_SUCCESS);
}

/* "[a|b]": all nodes have the same one of them */
#if COMPAT_SINCE(23, 11)
#define COMPAT_FEATURE_XOR FEATURE_OP_MOR
#else
#define COMPAT_FEATURE_XOR FEATURE_OP_XOR
#endif

/* ---- select plugin ---- */

/* Arguments of select_p_job_test() that we only hand on: nodes and cores of
 * reservations, and (24.11 on) when a job of the future would run */
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
/* Slurm's select plugins read it unasked: for what we try ourselves (het.c) it
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

/* What a refusal by job_test is called. Every error blocks the partition for
 * the rest of a main pass in 22.05; since then there is one that does not,
 * unless backfill is to look after licenses: then it ends the pass. */
static inline int compat_refused(void)
{
#if COMPAT_SINCE(23, 2)
	if (!xstrcasestr(slurm_conf.sched_params, "bf_licenses"))
		return ESLURM_LICENSES_UNAVAILABLE;
#endif
	return SLURM_ERROR;
}

/* From 24.11 on Slurm tries jobs whose licenses are in use, too, and the select
 * plugin is to say so, by this error. Before, it was not even asked: 0. */
static inline int compat_lacks_licenses_rc(job_record_t *job_ptr)
{
#if COMPAT_SINCE(24, 11)
	if (!xstrcasestr(slurm_conf.preempt_params, "reclaim_licenses") &&
	    compat_lacks_licenses(job_ptr))
		return ESLURM_LICENSES_UNAVAILABLE;
#else
	(void) job_ptr;
#endif
	return SLURM_SUCCESS;
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

/* Does the job get whole nodes? (a number up to 23.11, bits since) */
static inline bool compat_whole_node(const compat_details_t *details)
{
#if COMPAT_SINCE(24, 5)
	return details->whole_node & WHOLE_NODE_REQUIRED;
#else
	return details->whole_node == WHOLE_NODE_REQUIRED;
#endif
}

/* May the list of a job's partitions be locked for writing when job_test is
 * called? Whoever looks at it then ends slurmctld. It is while --test-only is
 * answered (24.05 on) and while a job is submitted (26.05). */
#define COMPAT_LOCKS_PARTITIONS COMPAT_SINCE(24, 5)

/* How many nodes a job wishes for that is asked about (--test-only). Where its
 * tasks are all that limits their number it gets as few as can be; Slurm 26.05
 * asks as if it wished for one a task. */
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

/* ---- preempt plugin ---- */

/* What may stand beside a PreemptMode; Slurm's own plugins look at it */
#ifdef PREEMPT_MODE_PRIORITY
#define COMPAT_PREEMPT_FLAGS (PREEMPT_MODE_WITHIN | PREEMPT_MODE_PRIORITY)
#else
#define COMPAT_PREEMPT_FLAGS PREEMPT_MODE_WITHIN
#endif

/* What Slurm asked preempt_p_get_data() for until three functions took its
 * place */
#if COMPAT_SINCE(25, 5)
typedef enum {
	PREEMPT_DATA_ENABLED,
	PREEMPT_DATA_MODE,
	PREEMPT_DATA_PRIO,
	PREEMPT_DATA_GRACE_TIME,
} slurm_preempt_data_type_t;
#endif

/* Another preempt plugin, of Slurm's own */
struct compat_preempt_ops {
	bool (*before)(job_queue_rec_t *preemptor, job_queue_rec_t *preemptee);
	bool (*preemptable)(job_record_t *preemptee, job_record_t *preemptor);
#if COMPAT_SINCE(25, 5)
	uint16_t (*get_mode)(job_record_t *job_ptr);
	uint32_t (*get_prio)(job_record_t *job_ptr);
	uint32_t (*get_grace_time)(job_record_t *job_ptr);
#else
	int (*get_data)(job_record_t *job_ptr, slurm_preempt_data_type_t type,
			void *data);
#endif
};

/* False if it lacks any. */
static inline bool compat_preempt_find(void *lib, struct compat_preempt_ops *ops)
{
#define COMPAT_FIND(name, where) \
	((*(void **) &ops->where = dlsym(lib, "preempt_p_" name)) != NULL)
	return COMPAT_FIND("job_preempt_check", before) &&
		COMPAT_FIND("preemptable", preemptable) &&
#if COMPAT_SINCE(25, 5)
		COMPAT_FIND("get_mode", get_mode) &&
		COMPAT_FIND("get_prio", get_prio) &&
		COMPAT_FIND("get_grace_time", get_grace_time);
#else
		COMPAT_FIND("get_data", get_data);
#endif
#undef COMPAT_FIND
}

static inline uint16_t compat_preempt_mode(const struct compat_preempt_ops *ops,
					   job_record_t *job_ptr)
{
#if COMPAT_SINCE(25, 5)
	return ops->get_mode(job_ptr);
#else
	uint16_t mode = PREEMPT_MODE_OFF;

	(void) ops->get_data(job_ptr, PREEMPT_DATA_MODE, &mode);
	return mode;
#endif
}

static inline uint32_t compat_preempt_prio(const struct compat_preempt_ops *ops,
					   job_record_t *job_ptr)
{
#if COMPAT_SINCE(25, 5)
	return ops->get_prio(job_ptr);
#else
	uint32_t prio = 0;

	(void) ops->get_data(job_ptr, PREEMPT_DATA_PRIO, &prio);
	return prio;
#endif
}

static inline uint32_t compat_preempt_grace(const struct compat_preempt_ops *ops,
					    job_record_t *job_ptr)
{
#if COMPAT_SINCE(25, 5)
	return ops->get_grace_time(job_ptr);
#else
	uint32_t grace_time = 0;

	(void) ops->get_data(job_ptr, PREEMPT_DATA_GRACE_TIME, &grace_time);
	return grace_time;
#endif
}

/* ---- slurmctld ---- */

/* Have the main scheduler look at the whole queue soon (its own minimum
 * interval holds). */
#define compat_schedule() schedule(true)

/* Is this slurmctld and not a client or slurmd that loads us too? */
#define compat_in_slurmctld() running_in_slurmctld()

/* Does a limit of an association or QOS hold the job back? */
static inline bool compat_limit_holds(job_record_t *job_ptr)
{
#if COMPAT_SINCE(24, 5)
	return job_state_reason_check(job_ptr->state_reason, JSR_QOS_ASSOC);
#else
	return !acct_policy_job_runnable_state(job_ptr);
#endif
}

/* Requeue a running job as preemption does, all components of a hetjob. */
static inline int compat_requeue(job_record_t *job_ptr)
{
#if COMPAT_SINCE(25, 11)
	return job_requeue_internal(0, job_ptr, true, 0);
#else
	return job_requeue(0, job_ptr->job_id, NULL, true, 0);
#endif
}

/* Is this the thread of sched/backfill? */
static inline bool compat_in_backfill(void)
{
	char name[16] = "";

	return !prctl(PR_GET_NAME, name, 0, 0, 0) && !xstrcmp(name, "bckfl");
}

/* Since 23.11 slurmctld runs itself anew to read slurm.conf: is this process
 * one of those? */
static inline bool compat_reexecuted(void)
{
	return COMPAT_SINCE(23, 11) && getenv("SLURMCTLD_RECONF");
}

/* Is this slurmctld in control? Then, and only then, it has a thread that saves its
 * state. One that starts, stands by or has given control back has none, in any
 * version; other signs (control_time, shutdown_time) come and go between. */
static inline bool compat_in_control(void)
{
	return *(volatile pthread_t *) &slurmctld_config.thread_id_save != 0;
}

/* Start a thread that nobody waits for. */
#if COMPAT_SINCE(26, 5)
#define compat_thread(name, func, arg) slurm_thread_create_detached(name, func, arg)
#elif COMPAT_SINCE(23, 11)
#define compat_thread(name, func, arg) slurm_thread_create_detached(func, arg)
#else
#define compat_thread(name, func, arg) slurm_thread_create_detached(NULL, func, arg)
#endif

/* For list_find_first() */
static inline int same_pointer(void *x, void *key)
{
	return x == key;
}

#endif /* COHORT_SLURM_COMPAT_H */
