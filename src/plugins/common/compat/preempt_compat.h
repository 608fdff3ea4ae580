/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  preempt_compat.h - what differs for a preempt plugin
 *
 *  Part of slurm_compat.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_COMPAT_PREEMPT_COMPAT_H
#define COHORT_COMPAT_PREEMPT_COMPAT_H

/* Flags that may stand beside a PreemptMode; Slurm's own plugins look at
 * them */
#ifdef PREEMPT_MODE_PRIORITY
#define COMPAT_PREEMPT_FLAGS (PREEMPT_MODE_WITHIN | PREEMPT_MODE_PRIORITY)
#else
#define COMPAT_PREEMPT_FLAGS PREEMPT_MODE_WITHIN
#endif

/* What Slurm asked preempt_p_get_data() for, until three functions took its
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

#endif /* COHORT_COMPAT_PREEMPT_COMPAT_H */
