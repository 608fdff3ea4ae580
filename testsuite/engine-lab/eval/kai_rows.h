/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kai_rows.h - trees of queues and victims as KAI-Scheduler's rows have them
 */
#ifndef SCOHORT_KAI_ROWS_H
#define SCOHORT_KAI_ROWS_H

#include <json.h>

#include "eval/json_reader.h"
#include "quota/minruntime.h"
#include "holding/elastic.h"

/* Any queue may hold jobs here, and a parent need not exist. */
struct kai_tree {
	struct minruntime_node *nodes;
	const char **names;
	struct json_object *index;	/* name -> index */
	size_t n;
	int64_t preempt;		/* defaults */
	int64_t reclaim;
};

/* A subgroup of pods: an elastic group of the engine's */
struct kai_part {
	struct elastic group;
	int64_t total;			/* pods that exist, in any state */
	int64_t evicted;		/* how many of its active ones are evicted */
};

struct kai_victim {
	bool started;
	int64_t start;
	struct kai_part *parts;
	size_t nparts;
};

/* The row's tree and defaults. Errors go to root->fault; to be freed with
 * kai_tree_free() in any case. */
void kai_tree_read(struct kai_tree *t, const struct at *root);
void kai_tree_free(struct kai_tree *t);

/* A queue by its name, which may be null: SPEC_NONE */
int kai_tree_find(const struct kai_tree *t, const struct at *at,
		  const char *key);

/* v->parts belongs to the caller. */
void kai_victim_read(struct kai_victim *v, const struct at *at);

/* A victim that never started is never protected. */
bool kai_victim_protected(const struct kai_victim *v, int64_t duration,
			  int64_t now);

/* A part has more pods than it needs. */
bool kai_victim_is_elastic(const struct kai_victim *v);

/* May it be a victim at all? Elastic ones always. */
bool kai_victim_eligible(const struct kai_victim *v, bool protected);

/* May it lose the parts that it would lose? Only elastic ones are looked at:
 * the others are judged by eligibility. */
bool kai_victim_valid(const struct kai_victim *v, bool protected);

#endif /* SCOHORT_KAI_ROWS_H */
