/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes.h - what partitions and QOS say of their jobs: priority, and whether these may be evicted
 */
#ifndef SCOHORT_CLASSES_H
#define SCOHORT_CLASSES_H

#include "conf.h"
#include "slurm/job_views.h"

/* A partition or QOS */
struct class {
	char *name;
	int64_t priority;	/* PriorityTier, or the Priority of a QOS */
	uint16_t mode;		/* PreemptMode; NO_VAL16: none of its own */
};

struct class_list {
	struct class *list;
	size_t n;
};

/* All zero: nothing is known, and each priority is 0 */
struct classes {
	struct class_list partitions, qos;
};

/* Asks slurmctld, which has to be up. What the controller does not tell this user stays
 * unknown. classes_free() in any case */
void classes_load(struct classes *classes);
void classes_free(struct classes *classes);

/* The number that decides between this job and others, as `priority` of cohort.yaml says */
int64_t class_priority(const struct classes *classes, enum conf_priority by, const struct view *v);
/* The highest that a job may have; INT64_MAX if that is not known */
int64_t class_priority_most(const struct classes *classes, enum conf_priority by);

/* False: the PreemptMode of its QOS or partition lets nobody evict it */
bool class_evicts(const struct classes *classes, const struct view *v);

#endif /* SCOHORT_CLASSES_H */
