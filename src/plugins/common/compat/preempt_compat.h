/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  preempt_compat.h - what differs for a preempt plugin
 *
 *  Part of slurm_compat.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_COMPAT_PREEMPT_COMPAT_H
#define COHORT_COMPAT_PREEMPT_COMPAT_H

/* Flags that may stand beside a PreemptMode; Slurm's own plugins look at them */
#ifdef PREEMPT_MODE_PRIORITY
#define COMPAT_PREEMPT_FLAGS (PREEMPT_MODE_WITHIN | PREEMPT_MODE_PRIORITY)
#else
#define COMPAT_PREEMPT_FLAGS PREEMPT_MODE_WITHIN
#endif

/* What Slurm asked preempt_p_get_data() for, until three functions took its place */
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
	int (*get_data)(job_record_t *job_ptr, slurm_preempt_data_type_t type, void *data);
#endif
};

/* False if the plugin lacks any of these symbols. */
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

/* What it says about the job, into *value: a uint16_t for MODE, else a uint32_t */
static inline void compat_preempt_get(const struct compat_preempt_ops *ops, job_record_t *job_ptr,
				      slurm_preempt_data_type_t type, void *value)
{
#if COMPAT_SINCE(25, 5)
	if (type == PREEMPT_DATA_MODE)
		*(uint16_t *) value = ops->get_mode(job_ptr);
	else if (type == PREEMPT_DATA_PRIO)
		*(uint32_t *) value = ops->get_prio(job_ptr);
	else
		*(uint32_t *) value = ops->get_grace_time(job_ptr);
#else
	(void) ops->get_data(job_ptr, type, value);
#endif
}

#endif /* COHORT_COMPAT_PREEMPT_COMPAT_H */
