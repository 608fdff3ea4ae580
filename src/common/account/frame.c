/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.c - what never changes under an account: the forest and its quota
 */
#include <stdlib.h>
#include <string.h>

#include "account/frame.h"
#include "lib/array.h"

static void *copy_of(const void *list, size_t n, size_t size)
{
	void *copy = array_create(n, size);

	if (copy && n)
		memcpy(copy, list, n * size);
	return copy;
}

static void frame_destroy(struct account_frame *f)
{
	for (size_t i = 0; f->earlier && i < f->nnodes; i++)
		free(f->earlier[i]);
	free(f->earlier);
	free(f->nodes);
	free(f->pairs);
	free(f->pair_of);
	free(f->quotas);
	free(f);
}

struct account_frame *frame_create(const struct books *b)
{
	struct account_frame *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	*f = (struct account_frame) {
		.users = 1, .nnodes = b->nnodes, .ncohorts = b->ncohorts,
		.npairs = b->npairs, .nflavors = b->nflavors,
		.nresources = b->nresources,
		.nodes = copy_of(b->nodes, b->nnodes, sizeof(*f->nodes)),
		.pairs = copy_of(b->pairs, b->npairs, sizeof(*f->pairs)),
		.pair_of = copy_of(b->pair_of, b->nflavors * b->nresources,
				   sizeof(*f->pair_of)),
		.quotas = copy_of(b->quotas, b->nnodes * b->npairs,
				  sizeof(*f->quotas)),
		.earlier = array_create(b->nnodes, sizeof(*f->earlier)),
	};
	if (!f->nodes || !f->pairs || !f->pair_of || !f->quotas
	    || !f->earlier) {
		frame_destroy(f);
		return NULL;
	}
	return f;
}

struct account_frame *frame_take(struct account_frame *f)
{
	f->users++;
	return f;
}

void frame_leave(struct account_frame *f)
{
	if (f && !--f->users)
		frame_destroy(f);
}

int64_t *frame_earlier(struct account_frame *f, int node)
{
	if (!f->earlier[node])
		f->earlier[node] = calloc(f->npairs, sizeof(int64_t));
	return f->earlier[node];
}

bool frame_find(const struct account_frame *f, bool is_cohort, int *node,
		int flavor, int resource, int *pair)
{
	size_t limit = is_cohort ? f->ncohorts : f->nnodes - f->ncohorts;

	if (*node < 0 || (size_t) *node >= limit || flavor < 0
	    || (size_t) flavor >= f->nflavors || resource < 0
	    || (size_t) resource >= f->nresources)
		return false;
	*pair = f->pair_of[(size_t) flavor * f->nresources + (size_t) resource];
	if (!is_cohort)
		*node += (int) f->ncohorts;
	return *pair != SPEC_NONE;
}
