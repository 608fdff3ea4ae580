/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  planned_choose.c - which waiting jobs backfill plans
\*****************************************************************************/
#include "jobs/planned.h"

#include "state/job.h"
#include "match/job_standing.h"
#include "match/queue_of_job.h"
#include "jobs/chance.h"
#include "jobs/jobs.h"
#include "jobs/planned_list.h"
#include "query.h"

static struct {
	struct planned list[PLANNED_MOST];	/* before the choice */
	size_t n;
} old;

/* It will have quota at a time that is known, perhaps by an eviction. */
static bool _waits_for_quota(const struct job *job, time_t now)
{
	const struct verdict *v = engine_verdict(ctld.engine, job->first.work);

	return (v->kind == VERDICT_WAIT) && job->marked && job->estimate &&
		(job->estimate <= now + planned_window()) &&
		(v->reason != WAIT_IS_HELD) && (v->reason != WAIT_IS_NEVER);
}

/* One that has quota by now keeps its nodes until it starts. */
static bool _has_quota(const struct job *job)
{
	return engine_verdict_kind(ctld.engine, job->first.work) ==
		VERDICT_START;
}

extern void planned_choose_begin(void)
{
	memcpy(old.list, planned_list.all, planned_list.n * sizeof(old.list[0]));
	old.n = planned_list.n;
	planned_list.n = 0;
}

/* What was planned before for the same job is still planned. */
static struct planned _take_old(const struct job *job, bool *known)
{
	*known = false;
	for (size_t i = 0; i < old.n; i++) {
		struct planned one = old.list[i];

		if (one.job_id != job->job_id)
			continue;
		old.list[i] = old.list[--old.n];
		*known = true;
		return one;
	}
	return (struct planned) {
		.job_id = job->job_id,
		.unit = job->job_ptr->het_job_id ? job->job_ptr->het_job_id :
			job->job_id,
		.root = queue_root(workload_queue(job->first.work)),
	};
}

/* The highest PriorityTier by which it may start */
static uint16_t _tier(const struct job *job)
{
	uint16_t tier = planned_tier(job->job_ptr);

	for (int i = 0; i < job_nvias(job); i++)
		tier = MAX(tier, job->vias->all[i].part_ptr->priority_tier);
	return tier;
}

static size_t _place(const struct job *job)
{
	uint16_t tier = _tier(job);
	size_t at = 0;

	for (; at < planned_list.n; at++) {
		const struct job *other =
			planned_waiting(&planned_list.all[at]);

		if (other && !planned_goes_before(other->job_ptr, _tier(other),
						  job->job_ptr, tier))
			break;
	}
	return at;
}

/* Components of one job stand together: is this one the first? */
static bool _begins_unit(size_t i)
{
	return !i || (planned_list.all[i - 1].unit != planned_list.all[i].unit);
}

static void _remove_unit(uint32_t unit)
{
	for (size_t i = planned_list.n; i-- > 0;) {
		if (planned_list.all[i].unit == unit)
			planned_remove(i);
	}
}

/* The last job of a tree that has too many; and the last of all */
static void _drop_excess(int root)
{
	int64_t same_tree = 0;

	for (size_t i = 0; i < planned_list.n; i++) {
		if (planned_list.all[i].root != root)
			continue;
		same_tree += _begins_unit(i);
		if (same_tree > ctld.conf->planned_jobs) {
			_remove_unit(planned_list.all[i].unit);
			break;
		}
	}
	if (planned_list.n > PLANNED_MOST)
		_remove_unit(planned_list.all[PLANNED_MOST].unit);
}

extern void planned_consider(struct job *job, time_t now)
{
	struct planned one;
	size_t at;
	bool known;

	if (!ctld.conf->planned_jobs || !job->job_ptr->details ||
	    !(now >= job->offer.planned_from))
		return;
	one = _take_old(job, &known);
	if (!_waits_for_quota(job, now) &&
	    !(known && one.nodes && _has_quota(job))) {
		planned_drop(&one);
		return;
	}
	at = _place(job);
	memmove(&planned_list.all[at + 1], &planned_list.all[at],
		(planned_list.n - at) * sizeof(planned_list.all[0]));
	planned_list.all[at] = one;
	planned_list.n++;
	_drop_excess(one.root);
}

/* Are all components planned? */
static bool _is_whole(const struct planned *one)
{
	const struct job *job = planned_waiting(one);
	struct het_ids ids;
	size_t components = 0, chosen = 0;

	if (!job || !job->job_ptr->het_job_id)
		return true;
	ids = het_components(job->job_ptr);
	while (het_next_record(&ids))
		components++;
	for (size_t i = 0; i < planned_list.n; i++)
		chosen += planned_list.all[i].unit == one->unit;
	return chosen == components;
}

extern void planned_choose_end(void)
{
	for (size_t i = 0; i < old.n; i++)
		planned_drop(&old.list[i]);
	old.n = 0;
	for (size_t i = planned_list.n; i-- > 0;) {
		if (!_is_whole(&planned_list.all[i]))
			planned_remove(i);
	}
}
