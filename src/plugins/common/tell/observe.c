/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  observe.c - enforcement: observe, what would have been done
 *
 *  All is planned as with enforcement, and nothing is carried out. A line in
 *  slurmctld.log appears when a job's verdict changes: it would wait, it would
 *  evict (a line for each victim), it would have quota after all. The quota
 *  that it waits for may change all the time; that does not change the verdict.
 *  Waiting jobs are judged between passes, each visibility.updateInterval, and
 *  others when they start: a pass starts jobs that its plan lets wait, so that
 *  what the plan says of the rest holds for a moment only. An eviction is told
 *  at once if nothing was told of the job: it may start soon, by an eviction of
 *  Slurm's own plugin, for instance.
 *
 *  scohort observed sums that up: the same goes into the file of events, once for a wait, and
 *  once for a preemptor and its victim.
\*****************************************************************************/
#include "tell/observe.h"

#include "state/job.h"
#include "placement/place.h"
#include "tell/reason.h"
#include "events/events.h"
#include "record/event.h"

enum observed {
	OBSERVED_NOTHING,
	OBSERVED_START,
	OBSERVED_WAIT,
	OBSERVED_HELD,
	OBSERVED_NEVER,
	OBSERVED_PREEMPT,
};

static enum observed _what(const struct verdict *v)
{
	switch (v->kind) {
	case VERDICT_NONE:
		return OBSERVED_NOTHING;
	case VERDICT_START:
		return OBSERVED_START;
	case VERDICT_PREEMPT:
		return OBSERVED_PREEMPT;
	case VERDICT_WAIT:
		break;
	}
	switch (v->reason) {
	case WAIT_IS_HELD:
		return OBSERVED_HELD;
	case WAIT_IS_NEVER:
		return OBSERVED_NEVER;
	default:
		return OBSERVED_WAIT;
	}
}

static void _would_evict(const struct entry *entry, const struct verdict *v)
{
	struct place p = { .job_ptr = entry->job->job_ptr,
			   .entry = (struct entry *) entry };
	struct nomination nom;

	/* the flavors and resources that it would be charged for */
	if (!engine_nominate(ctld.engine, entry->work, ns_of(time(NULL)), NULL, &nom)) {
		p.charges = (struct charge *) nom.charges;
		p.ncharges = nom.ncharges;
	}
	for (size_t i = 0; i < v->nvictims; i++)
		evict_observe(&p, &v->victims[i]);
}

/* At first all jobs wait anew, and may be more than are written at once: the others are
 * for the next time. */
static void _record_wait(struct entry *entry)
{
	char text[REASON_SIZE];
	const struct eviction_decided d = { .text = text, .at = time(NULL) };

	if (entry->recorded || !events_have_room())
		return;
	reason_text(nearest_entry(entry), text);
	events_put(event_observed(entry->job, "wait", &d));
	entry->recorded = true;
}

extern void observe_judge(struct entry *entry, bool in_pass)
{
	const struct entry *nearest = nearest_entry(entry);
	const struct verdict *v = engine_verdict(ctld.engine, nearest->work);
	enum observed what = _what(v), was = entry->observed;
	const job_record_t *job_ptr = entry->job->job_ptr;
	char text[REASON_SIZE];

	if ((what == was) && (what >= OBSERVED_WAIT) && (what <= OBSERVED_NEVER))
		_record_wait(entry);
	/* A job that has just changed has no verdict until the next plan. */
	if ((what == was) || (what == OBSERVED_NOTHING))
		return;
	if (in_pass && (was || (what != OBSERVED_PREEMPT)))
		return;
	entry->observed = what;
	switch (what) {
	case OBSERVED_START:
		if (was != OBSERVED_NOTHING)
			info(PREFIX "observe: %pJ would have quota now", job_ptr);
		break;
	case OBSERVED_PREEMPT:
		_would_evict(nearest, v);
		break;
	default:
		reason_text(nearest, text);
		info(PREFIX "observe: %pJ would wait: %s", job_ptr, text);
		_record_wait(entry);
	}
}
