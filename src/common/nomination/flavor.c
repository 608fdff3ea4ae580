/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flavor.c - the flavor that a group of resources gets
 *
 * Flavors are tried in order. How many of them a queue tries, and whether it
 * prefers to borrow or to preempt, is its flavorFungibility
 * (doc/how-it-decides.md, section 4).
 */
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "nomination/flavor.h"
#include "nomination/suit.h"

static bool group_covers(const struct spec_group *group, int resource)
{
	for (size_t i = 0; i < group->nresources; i++) {
		if (group->resources[i] == resource)
			return true;
	}
	return false;
}

/* The assignment that is repeated chose this flavor for the group. */
static bool flavor_was_chosen(const struct scan *s,
			      const struct spec_group *group, int flavor)
{
	const struct assignment *like = &s->ask->like->public;

	for (size_t i = 0; i < like->npodsets; i++) {
		const struct assigned_podset *ps = &like->podsets[i];

		for (size_t r = 0; r < ps->nresources
		     && ps->index == s->members[0]; r++) {
			if (ps->resources[r].flavor == flavor
			    && group_covers(group, ps->resources[r].resource))
				return true;
		}
	}
	return false;
}

static bool flavor_is_eligible(const struct scan *s,
			       const struct spec_group *group, int flavor)
{
	if (s->ask->flavor_ok && !s->ask->flavor_ok[flavor])
		return false;
	for (size_t i = 0; i < s->nmembers; i++) {
		if (scan_podset(s, s->members[i])->ineligible[flavor])
			return false;
	}
	return !s->ask->like || flavor_was_chosen(s, group, flavor);
}

static void wants_mark(struct scan *s, const struct spec_group *group)
{
	for (size_t i = 0; i < s->nwants; i++)
		s->wants[i].scanned = group_covers(group,
						   s->wants[i].resource);
}

/* The worst judgement of a resource of the group decides for the flavor. Each
 * judgement is noted in wants[]. */
static struct judgement group_judge(struct scan *s, int flavor)
{
	enum preference preference = s->ask->q->spec.preference;
	struct judgement worst = { .suit = SUIT_FIT };
	bool first = true;

	for (size_t i = 0; i < s->nwants; i++) {
		struct want *want = &s->wants[i];

		if (!want->scanned)
			continue;
		want->judged = suit_judge(s, flavor, want);
		if (first || suit_is_better(preference, worst, want->judged))
			worst = want->judged;
		first = false;
		if (want->judged.suit == SUIT_NOFIT)
			break;
	}
	return worst;
}

static void flavor_note_best(struct scan *s, int flavor)
{
	for (size_t i = 0; i < s->nwants; i++) {
		struct want *want = &s->wants[i];

		if (!want->scanned)
			continue;
		want->assigned = true;
		want->best.resource = want->resource;
		want->best.flavor = flavor;
		want->best.mode = suit_mode(want->judged.suit);
		want->best.borrow = want->judged.borrow;
	}
}

/* tried: index of the flavor at which the search stopped, or -1 */
static void wants_note_tried(struct scan *s, int tried)
{
	for (size_t i = 0; i < s->nwants; i++) {
		if (s->wants[i].scanned)
			s->wants[i].best.tried = tried;
	}
}

bool flavor_choose(struct scan *s, int index)
{
	const struct spec_queue *spec = &s->ask->q->spec;
	const struct spec_group *group = &spec->groups[index];
	struct judgement best = { .suit = SUIT_NOFIT };
	int tried = -1;

	wants_mark(s, group);
	for (size_t i = 0; i < group->nflavors; i++) {
		int flavor = group->flavors[i];
		struct judgement v;
		bool stop;

		if (!flavor_is_eligible(s, group, flavor))
			continue;
		v = group_judge(s, flavor);
		stop = !suit_tries_next(spec, v);
		if (stop || suit_is_better(spec->preference, v, best)) {
			flavor_note_best(s, flavor);
			best = v;
		}
		if (!stop)
			continue;
		if (i + 1 < group->nflavors)
			tried = (int) i;
		break;
	}
	wants_note_tried(s, tried);
	return best.suit != SUIT_NOFIT;
}
