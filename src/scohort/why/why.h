/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why.h - scohort why: a job's situation in sentences
 */
#ifndef SCOHORT_WHY_H
#define SCOHORT_WHY_H

#include "story/story.h"

/* All facts about one job, as a document with "sentences" in it; owned by the
 * caller. p may be without a document. now: seconds since the epoch */
struct json_object *why_tell(const struct published *p, const struct view *v, int64_t now);

/* ---- parts of it, by the state of the job ---- */

void why_wait(struct story *s);
void why_run(struct story *s);

/* ---- checkpoints.c ---- */

/* What its comment says of its checkpoints, if that has no effect: its user counts on it. */
void why_checkpoint_words(struct story *s);
/* What an eviction of a running job would lose now, if its comment tells of checkpoints */
void why_loss(struct story *s);

/* ---- preemptibility.c ---- */

/* True: by the rules that are published it is one that can't be preempted. */
bool why_kind(struct story *s);

/* What the job's comment says of it: the word behind cohort:preemptibility=,
 * and whether that is one that is known. False: nothing. */
bool preemptibility_word(const struct view *v, char *word, size_t size, bool *known);

#endif /* SCOHORT_WHY_H */
