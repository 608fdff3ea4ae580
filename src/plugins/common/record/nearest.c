/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  nearest.c - which entry of a job users are told about
\*****************************************************************************/
#include "record/nearest.h"

#include "state/job.h"
#include "query.h"
#include "text/reason.h"

/* How far an entry is from its start, nearest first */
static int _distance(const struct entry *entry)
{
	const struct verdict *v = engine_verdict(ctld.engine, entry->work);

	if (v->kind == VERDICT_PREEMPT)
		return 1;
	return reason_forms[reason_kind_of(v, false, false)].distance;
}

static bool _is_nearer(const struct entry *entry, const struct entry *than)
{
	int closer = _distance(than) - _distance(entry);
	int64_t total;

	return (closer > 0) ||
		(!closer && (engine_place(ctld.engine, entry->work, &total) <
			     engine_place(ctld.engine, than->work, &total)));
}

extern const struct entry *nearest_entry(const struct entry *entry)
{
	const struct job *job = entry->job;
	int n = entry == &job->first ? job_nvias(job) : 0;
	const struct entry *nearest = NULL;

	for (int i = 0; i < n; i++) {
		const struct entry *e = job->vias->all[i].entry;

		if (!e || !e->work || (e == nearest))
			continue;
		if (!nearest || _is_nearer(e, nearest))
			nearest = e;
	}
	/* of components, the one that keeps the job from its start */
	return nearest ? nearest :
		entry_of(engine_waits_for(ctld.engine, entry->work));
}
