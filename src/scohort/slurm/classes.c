/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes.c - what partitions and QOS say of their jobs: priority, and whether these may be evicted
 *
 * The rules are those of the plugin (match/queue_of_job.c, match/evict_terms.c), which reads the
 * same from slurmctld's own records.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/sat.h"
#include "must.h"
#include "slurm/api.h"
#include "slurm/classes.h"

#include <slurm/slurmdb.h>

#define EVICTS (PREEMPT_MODE_REQUEUE | PREEMPT_MODE_CANCEL)
#define SAYS_HOW (EVICTS | PREEMPT_MODE_SUSPEND)

static void class_add(struct class_list *l, const char *name, int64_t priority, uint16_t mode)
{
	if (!name)
		return;
	l->list = must_grow(l->list, l->n, sizeof(*l->list));
	l->list[l->n++] = (struct class) { must(strdup(name)), priority, mode };
}

static void qos_load(struct class_list *l)
{
	assoc_mgr_info_request_msg_t ask = { .flags = ASSOC_MGR_INFO_FLAG_QOS };
	assoc_mgr_info_msg_t *msg = NULL;
	slurmdb_qos_rec_t *qos;
	void *iter;

	if (slurm_load_assoc_mgr_info(&ask, &msg) != SLURM_SUCCESS)
		return;
	iter = msg->qos_list ? slurm_list_iterator_create(msg->qos_list) : NULL;
	while (iter && (qos = slurm_list_next(iter)))
		class_add(l, qos->name, qos->priority, qos->preempt_mode & SAYS_HOW
			  ? qos->preempt_mode : NO_VAL16);
	if (iter)
		slurm_list_iterator_destroy(iter);
	slurm_free_assoc_mgr_info_msg(msg);
}

void classes_load(struct classes *classes)
{
	partition_info_msg_t *parts = NULL;

	*classes = (struct classes) { { NULL, 0 }, { NULL, 0 } };
	if (slurm_load_partitions(0, &parts, SHOW_ALL) != SLURM_SUCCESS)
		return;
	for (uint32_t i = 0; i < parts->record_count; i++) {
		const partition_info_t *part = &parts->partition_array[i];

		class_add(&classes->partitions, part->name, part->priority_tier,
			  part->preempt_mode);
	}
	slurm_free_partition_info_msg(parts);
	qos_load(&classes->qos);
}

static void list_free(struct class_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->list[i].name);
	free(l->list);
}

void classes_free(struct classes *classes)
{
	list_free(&classes->partitions);
	list_free(&classes->qos);
}

/* name: the first of several partitions counts; NULL: none */
static const struct class *class_find(const struct class_list *l, const char *name)
{
	size_t len = name ? strcspn(name, ",") : 0;

	for (size_t i = 0; name && i < l->n; i++)
		if (!strncmp(l->list[i].name, name, len) && !l->list[i].name[len])
			return &l->list[i];
	return NULL;
}

/* Without slurmdbd no job has a QOS. */
static const struct class *class_of(const struct classes *classes, enum conf_priority by,
				    const struct view *v)
{
	const struct class *qos = class_find(&classes->qos, v->qos);

	return by == CONF_PRIORITY_QOS || (by == CONF_PRIORITY_DEFAULT && qos)
	       ? qos : class_find(&classes->partitions, v->partition);
}

int64_t class_priority(const struct classes *classes, enum conf_priority by, const struct view *v)
{
	const struct class *class = class_of(classes, by, v);

	return by == CONF_PRIORITY_JOB ? (int64_t) v->priority : class ? class->priority : 0;
}

int64_t class_priority_most(const struct classes *classes, enum conf_priority by)
{
	bool qos = by == CONF_PRIORITY_QOS || (by == CONF_PRIORITY_DEFAULT && classes->qos.n);
	const struct class_list *l = qos ? &classes->qos : &classes->partitions;
	int64_t most = INT64_MIN;

	for (size_t i = 0; i < l->n; i++)
		most = max64(most, l->list[i].priority);
	return by == CONF_PRIORITY_JOB || !l->n ? INT64_MAX : most;
}

bool class_evicts(const struct classes *classes, const struct view *v)
{
	const struct class *qos = class_find(&classes->qos, v->qos);
	const struct class *class = qos && qos->mode != NO_VAL16 ? qos
				    : class_find(&classes->partitions, v->partition);

	return !class || class->mode == NO_VAL16 || (class->mode & EVICTS);
}
