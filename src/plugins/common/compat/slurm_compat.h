/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  slurm_compat.h - everything that differs between Slurm versions
 *
 *  The plugins are written against the names below; no other file asks for a
 *  version. Where an older Slurm can do what the newer one does, the newer name
 *  is used. Slurm's internal headers come first, and slurm_xlator.h before all
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
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/reservation.h"
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

/* Slurm's own work out one of the two twice. */
#undef MIN
#undef MAX
#define MIN(x, y) __extension__ ({ \
	__typeof__(1 ? (x) : (y)) min_x_ = (x), min_y_ = (y); \
	min_x_ < min_y_ ? min_x_ : min_y_; })
#define MAX(x, y) __extension__ ({ \
	__typeof__(1 ? (x) : (y)) max_x_ = (x), max_y_ = (y); \
	max_x_ > max_y_ ? max_x_ : max_y_; })

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

/* The nodes of a host list, or NULL. Unknown nodes are left out. The caller frees the bitmap. */
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

/* From 25.05 on jobs ask in the same way for hierarchical resources (resources.yaml). Of one of
 * mode 3 each node takes as much as the job asks for. */
static inline bool compat_license_is_per_node(const licenses_t *license)
{
#if COMPAT_SINCE(25, 5)
	return license->mode == HRES_MODE_3;
#else
	(void) license;
	return false;
#endif
}

/* Its priority in the partition at `place` in its list of `places` partitions. A job that
 * names several QOS (24.11 on) has one priority for each pair of QOS and partition; the list
 * of QOS is not counted, as slurmctld may have it locked. */
static inline uint32_t compat_priority(const job_record_t *job_ptr, int place, int places)
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

/* How many licenses of that name the cluster has; -1: it has none of that name.
 * From 25.05 on the list is slurmctld's own, and copies of it have no names. */
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

/* Do other jobs use licenses that this job needs, and does that keep it from a start? With
 * PreemptParameters=reclaim_licenses (24.11 on) slurmctld evicts for them. */
static inline bool compat_licenses_hold(job_record_t *job_ptr)
{
#if COMPAT_SINCE(24, 11)
	if (xstrcasestr(slurm_conf.preempt_params, "reclaim_licenses"))
		return false;
#endif
	return job_ptr->license_list &&
		(license_job_test(job_ptr, time(NULL), true) != SLURM_SUCCESS);
}

/* Does backfill plan licenses? */
static inline bool compat_plans_licenses(void)
{
	return xstrcasestr(slurm_conf.sched_params, "bf_licenses") != NULL;
}

/* Does it spread jobs: the least loaded nodes first? */
static inline bool compat_takes_least_loaded(const part_record_t *part_ptr)
{
#if COMPAT_SINCE(25, 11)
	uint16_t everywhere = SELECT_LLN;
#else
	uint16_t everywhere = CR_LLN;
#endif

	return (slurm_conf.select_type_param & everywhere) ||
		(part_ptr && (part_ptr->flags & PART_FLAG_LLN));
}

/* Is there a topology.yaml? slurm.conf names no plugin then. It looks at a file:
 * not for each job. */
static inline bool compat_has_topology_file(void)
{
#if COMPAT_SINCE(25, 5)
	char *path = get_extra_conf_path("topology.yaml");
	bool there = !access(path, F_OK);

	xfree(path);
	return there;
#else
	return false;
#endif
}

/* "[a|b]": all nodes have the same one of these features */
#if COMPAT_SINCE(23, 11)
#define COMPAT_FEATURE_XOR FEATURE_OP_MOR
#else
#define COMPAT_FEATURE_XOR FEATURE_OP_XOR
#endif

/* ---- slurmctld ---- */

/* Does it name several QOS (24.11 on)? slurmctld tries it with each. */
static inline bool compat_names_several_qos(const job_record_t *job_ptr UNUSED)
{
#if COMPAT_SINCE(24, 11)
	return job_ptr->qos_list != NULL;
#else
	return false;
#endif
}

/* acct_policy_job_runnable_post_select(). slurmctld asks it next, by the nodes of victims
 * that it wears out since 24.11.4: these are put aside. */
static inline bool compat_limits_allow(job_record_t *job_ptr, uint64_t *counts)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 4)
	bitstr_t *nodes = job_ptr->node_bitmap_preempt;
	bool allow;

	job_ptr->node_bitmap_preempt = nodes ? bit_copy(nodes) : NULL;
	allow = acct_policy_job_runnable_post_select(job_ptr, counts, false);
	FREE_NULL_BITMAP(job_ptr->node_bitmap_preempt);
	job_ptr->node_bitmap_preempt = nodes;
	return allow;
#else
	return acct_policy_job_runnable_post_select(job_ptr, counts, false);
#endif
}

/* The place of a TRES ("gres/gpu") in Slurm's arrays; -1: it has none there. locked: by the
 * caller, for TRES */
static inline int compat_tres_pos(const char *tres, bool locked)
{
	char *type = xstrdup(tres), *slash = strchr(type, '/');
	slurmdb_tres_rec_t rec = { .type = type, .name = slash ? slash + 1 : NULL };
	int pos;

	if (slash)
		*slash = '\0';
	pos = assoc_mgr_find_tres_pos(&rec, locked);
	xfree(type);
	return pos;
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

/* Is a cycle of sched/backfill under way? Other threads get its locks now and then. Read
 * under the job lock in 22.05.8, 24.11.5 and 26.05.3: set before the cycle takes its locks,
 * cleared after it has given them back. */
static inline bool compat_backfill_runs(void)
{
	return slurmctld_diag_stats.bf_active;
}

/* Since 23.11 slurmctld runs a copy of itself to read slurm.conf: is this process such a copy? */
static inline bool compat_reexecuted(void)
{
	return COMPAT_SINCE(23, 11) && getenv("SLURMCTLD_RECONF");
}

/* Is this slurmctld in control? Only a slurmctld in control has a thread that saves its state.
 * A slurmctld that starts, stands by or has given control back has none, in any version. Other
 * signs (control_time, shutdown_time) come and go between. */
static inline bool compat_in_control(void)
{
	return *(volatile pthread_t *) &slurmctld_config.thread_id_save != 0;
}

/* Start a detached thread. */
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

static inline void compat_end_iteration(compat_itr_t *iter)
{
	if (*iter)
		list_iterator_destroy(*iter);
}

/* Each member of a list, or none of NULL. The list is locked for each step only. */
#define for_each_in(member_, list_)						\
	for (compat_itr_t iter_ __attribute__((cleanup(compat_end_iteration))) =	\
			(list_) ? list_iterator_create(list_) : NULL;		\
	     iter_ && (member_ = list_next(iter_)); )

/* The next node from *i on that is in the bitmap (NULL: none is), or NULL */
static inline node_record_t *compat_next_in(bitstr_t *nodes, int *i)
{
	node_record_t *node_ptr;

	for (; nodes && (node_ptr = next_node(i)); (*i)++) {
		if (bit_test(nodes, node_ptr->index))
			return node_ptr;
	}
	return NULL;
}

#define for_each_node_in(node_ptr_, nodes_)					\
	for (int i_ = 0; (node_ptr_ = compat_next_in(nodes_, &i_)); i_++)

#include "compat/select_compat.h"
#include "compat/preempt_compat.h"

#endif /* COHORT_SLURM_COMPAT_H */
