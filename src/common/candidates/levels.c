/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * levels.c - where a search looks for candidates, level by level
 */
#include "core/tree_state.h"
#include "candidates/levels.h"

/* Where to look for candidates of other queues */
struct collect {
	struct search *s;
	int lca;
	bool advantage;
	bool survey;			/* no candidate is of use: only note
					 * protection */
};

/* Opens the streams of the queues below `node` but not below `done`. A node
 * where no quota is borrowed has no candidates. */
static void subtree_collect(const struct collect *c, int node, int done)
{
	struct search *s = c->s;
	const struct node *nodes = s->e->books->nodes;

	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling) {
		struct queue *q;

		if (k == done || k == s->q->node || search_is_within_nominal(s, k))
			continue;
		if (!nodes[k].is_queue) {
			subtree_collect(c, k, done);
			continue;
		}
		q = &s->e->queues[k - (int) s->e->books->ncohorts];
		if (c->survey)
			stream_survey(s, q);
		else
			stream_open_other(s, q, c->lca, c->advantage);
	}
}

void levels_collect(struct search *s, struct use *rest, bool matters,
		    bool *others, bool *hierarchy)
{
	const struct node *nodes = s->e->books->nodes;
	struct collect c = { .s = s };
	int done = SPEC_NONE;

	c.advantage = subtree_holds(s, s->q->node, rest);
	for (c.lca = nodes[s->q->node].parent; c.lca != SPEC_NONE;
	     c.lca = nodes[c.lca].parent) {
		size_t before = s->nstreams;

		c.survey = !matters && !c.advantage;
		if (!c.survey || tree_protects(s->e, s->q->tree, s->now))
			subtree_collect(&c, c.lca, done);
		*others |= s->nstreams > before;
		*hierarchy |= c.advantage && s->nstreams > before;
		c.advantage |= subtree_holds(s, c.lca, rest);
		done = c.lca;
	}
}
