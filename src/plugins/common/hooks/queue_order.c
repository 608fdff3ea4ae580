/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_order.c - the order of slurmctld's queue in a pass
 *
 *  The managed jobs that may start take, by their rank in the plan, the places
 *  that managed jobs hold in Slurm's own order, within one priority tier. Jobs
 *  for which nodes were cleared go before all others, as soon as their victims
 *  have left. All other jobs keep their places. The result is one total order,
 *  whatever Slurm's order of managed and unmanaged jobs was.
\*****************************************************************************/
#include "hooks/queue_order.h"

#include "lib/sort.h"
#include "jobs/hold.h"
#include "jobs/jobs.h"
#include "jobs/planned.h"
#include "query.h"

/* What Slurm orders by, for the place that a job takes */
struct slot {
	bool first;			/* before all of Slurm's places */
	bool last;			/* after all of Slurm's places */
	bool resv;
	uint16_t tier;
	uint32_t priority;
	time_t submit;
	uint32_t id;
	uint32_t task;
};

struct place_holder {
	uint32_t *place;		/* out: its index in the slots + 1, also by which
					 * places compare */
	struct slot slot;
	uint64_t rank;
	const part_record_t *part_ptr;
	uint32_t job_id;
	uint32_t unused;		/* no padding: all of it is compared */
};

static struct {
	struct slot *slots;		/* by place - 1 */
	struct place_holder *holders;
	size_t nholders, size;
	struct sort_key *keys, *room;
	uint32_t *numbers;		/* by holder: the place that is Slurm's, */
	uint32_t *places;		/* ... and those in Slurm's order */
	struct place_holder *last;	/* those of the last pass, */
	uint32_t *last_places;		/* ... and what they were given */
	size_t nlast, last_size;
	uint32_t *own;			/* by place in queue_order_known: its place that is
					 * Slurm's, in the last pass */
	bool *lined;			/* by holder */
	uint32_t *by_slot, *by_rank;	/* by place in the last pass: the holder + 1, or 0 */
} order;

struct order_answer queue_order_next;
struct order_known queue_order_known = { .changes = UINT64_MAX };

/* ---- Slurm's own order ---- */

static int _slot_cmp(const struct slot *a, const struct slot *b)
{
	if (a->first != b->first)
		return a->first ? -1 : 1;
	if (a->last != b->last)
		return a->last ? 1 : -1;
	if (a->resv != b->resv)
		return a->resv ? -1 : 1;
	if (a->tier != b->tier)
		return a->tier > b->tier ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return 0;
}

static inline void _take_slot(struct slot *slot, const job_record_t *job_ptr,
			      const part_record_t *part_ptr, uint32_t priority, bool resv)
{
	slot->first = slot->last = false;
	slot->resv = resv || job_ptr->resv_id;
	slot->tier = part_ptr ? part_ptr->priority_tier : 0;
	slot->priority = priority;
	slot->submit = job_ptr->details ? job_ptr->details->submit_time : 0;
	slot->task = job_ptr->array_task_id;
	slot->id = slot->task != NO_VAL ? job_ptr->array_job_id : job_ptr->job_id;
}

/* The first key of both orders: no job leaves its tier. */
static uint64_t _tier_key(const struct slot *slot)
{
	return ((uint64_t) !slot->first << 50) | ((uint64_t) slot->last << 49) |
		((uint64_t) !slot->resv << 48) |
		((uint64_t) (uint16_t) ~slot->tier << 32);
}

/* As _slot_cmp() */
static void _slot_key(struct sort_key *key, const struct slot *slot)
{
	key->words[0] = _tier_key(slot) | (uint32_t) ~slot->priority;
	key->words[1] = (uint64_t) slot->submit;
	key->words[2] = ((uint64_t) slot->id << 32) | slot->task;
}

/* Those of one rank have Slurm's order; those of one place the order in which they came. */
static void _rank_key(struct sort_key *key, uint64_t place)
{
	const struct place_holder *holder = &order.holders[key->index];

	key->words[0] = _tier_key(&holder->slot);
	key->words[1] = holder->rank;
	key->words[2] = (place << 32) | key->index;
}

/* Who had which place in the last pass. From one to the next most keep their order, so that
 * sorts have little to do. */
static void _look_back(size_t nlast)
{
	memset(order.by_slot, 0, (nlast + 1) * sizeof(*order.by_slot));
	memset(order.by_rank, 0, (nlast + 1) * sizeof(*order.by_rank));
	for (size_t i = 0; nlast && (i < order.nholders); i++) {
		const struct place_holder *holder = &order.holders[i];
		const struct order_place *p = order_place_of(holder->job_id, holder->part_ptr);

		if ((p->job_id != holder->job_id) || (p->part_ptr != holder->part_ptr))
			continue;
		order.by_slot[order.own[p - queue_order_known.all]] = (uint32_t) i + 1;
		order.by_rank[p->place] = (uint32_t) i + 1;
	}
}

/* In that order, and then those that are new */
static void _line_up(const uint32_t *by_place, size_t nlast)
{
	size_t n = order.nholders, lined = 0;

	memset(order.lined, 0, n * sizeof(*order.lined));
	for (size_t place = 1; place <= nlast; place++) {
		if (!by_place[place])
			continue;
		order.keys[lined++].index = by_place[place] - 1;
		order.lined[by_place[place] - 1] = true;
	}
	for (size_t i = n; i-- > 0; ) {
		if (!order.lined[i])
			order.keys[lined++].index = i;
	}
}

/* The slots in Slurm's order, each once. Two of a job with several partitions may be the
 * same. */
static void _number_slots(void)
{
	uint32_t n = 0;

	for (size_t i = 0; i < order.nholders; i++) {
		size_t holder = order.keys[i].index;
		const struct slot *slot = &order.holders[holder].slot;

		if (!n || _slot_cmp(&order.slots[n - 1], slot))
			order.slots[n++] = *slot;
		order.numbers[holder] = order.places[i] = n;
	}
}

/* Padding may differ, and then it is done again. */
static bool _same_as_last(void)
{
	return order.nlast == order.nholders &&
		!memcmp(order.last, order.holders,
			order.nholders * sizeof(*order.holders));
}

static void _remember_holders(void)
{
	if (order.last_size < order.size) {
		order.last_size = order.size;
		xrecalloc(order.last, order.size, sizeof(*order.last));
		xrecalloc(order.last_places, order.size, sizeof(*order.last_places));
		xrecalloc(order.slots, order.size, sizeof(*order.slots));
		xrecalloc(order.keys, order.size, sizeof(*order.keys));
		xrecalloc(order.room, order.size, sizeof(*order.room));
		xrecalloc(order.numbers, order.size, sizeof(*order.numbers));
		xrecalloc(order.places, order.size, sizeof(*order.places));
		xrecalloc(order.lined, order.size, sizeof(*order.lined));
		xrecalloc(order.by_slot, order.size + 1, sizeof(*order.by_slot));
		xrecalloc(order.by_rank, order.size + 1, sizeof(*order.by_rank));
	}
	order.nlast = order.nholders;
	memcpy(order.last, order.holders, order.nlast * sizeof(*order.last));
}

/* Hand the places in Slurm's order to the jobs by rank; nlast: how many places the last
 * pass had. */
static void _hand_out(size_t nlast)
{
	size_t n = order.nholders;

	_look_back(nlast);
	_line_up(order.by_slot, nlast);
	for (size_t i = 0; i < n; i++)
		_slot_key(&order.keys[i], &order.holders[order.keys[i].index].slot);
	sort_keys(order.keys, order.room, n);
	_number_slots();
	_line_up(order.by_rank, nlast);
	for (size_t i = 0; i < n; i++)
		_rank_key(&order.keys[i], order.numbers[order.keys[i].index]);
	sort_keys(order.keys, order.room, n);
	for (size_t i = 0; i < n; i++)
		order.last_places[order.keys[i].index] = order.places[i];
}

/* Two of them may meet: then one is not known. */
static void _make_known(void)
{
	struct order_known *known = &queue_order_known;
	size_t n = 64;

	while (n < 2 * order.nlast)
		n *= 2;
	if (known->size < n) {
		known->size = n;
		xrecalloc(known->all, n, sizeof(*known->all));
		xrecalloc(order.own, n, sizeof(*order.own));
	}
	known->last = n - 1;
	memset(known->all, 0, n * sizeof(*known->all));
	for (size_t i = 0; i < order.nlast; i++) {
		const struct place_holder *holder = &order.last[i];
		struct order_place *p = order_place_of(holder->job_id, holder->part_ptr);

		*p = (struct order_place) {
			.part_ptr = holder->part_ptr,
			.job_id = holder->job_id,
			.place = order.last_places[i],
		};
		order.own[p - known->all] = order.numbers[i];
	}
}

/* From one pass to the next most often nothing has changed. */
extern void queue_order_assign(void)
{
	if (!order.nholders)
		return;
	if (!_same_as_last()) {
		size_t nlast = order.nlast;

		_remember_holders();
		_hand_out(nlast);
		_make_known();
	}
	for (size_t i = 0; i < order.nlast; i++)
		*order.last[i].place = order.last_places[i];
	queue_order_known.changes = changes_count();
}

/* ---- the places ---- */

/* The job starts on what was cleared for it, and no other job may come between:
 * if a job of a higher tier fails, the main scheduler closes all nodes of its
 * partition to all jobs behind it. */
static bool _goes_first(const struct entry *entry, const struct verdict *v)
{
	return entry_cleared(entry) && !entry->chance.no_nodes &&
		!hold_awaits(entry) &&
		!entry->job->job_ptr->het_job_id && (v->kind == VERDICT_START);
}

static __attribute__((noinline)) void _grow(void)
{
	order.size = order.size ? order.size * 2 : 256;
	xrecalloc(order.holders, order.size, sizeof(*order.holders));
}

extern void queue_order_add(const struct entry *entry, const struct verdict *v,
			    part_record_t *part_ptr, uint32_t priority, uint32_t *place)
{
	struct place_holder *holder;

	if (order.nholders == order.size)
		_grow();
	holder = &order.holders[order.nholders++];
	ctld.ordered = true;
	holder->place = place;
	_take_slot(&holder->slot, entry->job->job_ptr, part_ptr, priority, false);
	holder->slot.first = _goes_first(entry, v);
	holder->rank = v->rank;
	holder->part_ptr = part_ptr;
	holder->job_id = entry->job->job_id;
}

extern void queue_order_begin(void)
{
	order.nholders = 0;
	queue_order_known.changes = UINT64_MAX;
	queue_order_forget_next();
	ctld.ordered = false;
}

extern size_t queue_order_places(void)
{
	return order.nholders;
}

extern void queue_order_note_last(void)
{
	ctld.ordered = true;
}

/* ---- the comparison ---- */

static const struct via *_via_of(const struct job *job,
				 const part_record_t *part_ptr)
{
	for (int i = 0; i < job_nvias(job); i++) {
		if (job_vias(job)->all[i].part_ptr == part_ptr)
			return &job_vias(job)->all[i];
	}
	return NULL;
}

/* The place that the plan gives the job, or 0. A job that must wait has none: it is skipped
 * wherever it stands. */
static uint64_t _place_of(const job_queue_rec_t *rec)
{
	const job_record_t *job_ptr = rec->job_ptr;
	const struct job *job = job_ptr->preempt_in_progress ? NULL :
		jobs_find(job_ptr->job_id);
	const struct via *via;

	if (!job || !job_nvias(job))
		return job ? job->slot : 0;
	via = _via_of(job, rec->part_ptr);
	return via ? via->slot : job->slot;
}

/* One without a place keeps Slurm's. True: it is a job of ours that comes last. */
static bool _slurms_slot(const job_queue_rec_t *rec, struct slot *slot)
{
	const struct job *job = rec->job_ptr->preempt_in_progress ? NULL :
		jobs_find(rec->job_ptr->job_id);
	const struct via *via = job ? _via_of(job, rec->part_ptr) : NULL;

	_take_slot(slot, rec->job_ptr, rec->part_ptr,
		   rec->job_ptr->part_ptr_list ? rec->priority :
		   rec->job_ptr->priority, rec->resv_ptr != NULL);
	/* one that backfill plans although it has no quota is not tried last */
	slot->last = via && via->entry && !(job->marked && planned_any());
	return slot->last;
}

static bool _slot_for(const job_queue_rec_t *rec, uint64_t place,
		      struct slot *slot)
{
	if (!place)
		return _slurms_slot(rec, slot);
	*slot = order.slots[place - 1];
	return true;
}

/* Below 0: the first one goes before the other. 0: Slurm's order tells */
static __attribute__((noinline)) int _slots_cmp(const job_queue_rec_t *rec1, uint64_t place1,
						const job_queue_rec_t *rec2, uint64_t place2)
{
	struct slot slot1, slot2;
	bool managed1 = _slot_for(rec1, place1, &slot1);
	bool managed2 = _slot_for(rec2, place2, &slot2);

	return managed1 || managed2 ? _slot_cmp(&slot1, &slot2) : 0;
}

extern bool queue_order_before(const job_queue_rec_t *rec1,
			       const job_queue_rec_t *rec2)
{
	uint64_t place1 = _place_of(rec1), place2 = _place_of(rec2);
	int cmp;

	if (place1 && place2)
		return queue_order_answer(rec1, rec2, place1 < place2, place1 > place2);
	cmp = _slots_cmp(rec1, place1, rec2, place2);
	return queue_order_answer(rec1, rec2, cmp < 0, cmp > 0);
}
