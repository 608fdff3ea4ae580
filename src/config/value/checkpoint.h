/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpoint.h - what the comment of a job says of its checkpoints
 *
 *	cohort:checkpoint=1h		it writes one each hour of its run
 *	cohort:checkpointed=1764450000	it wrote the last one then, in seconds since the epoch
 *
 * Other text may stand before such a word, and after a space, comma or semicolon. plugins/common
 * and scohort read it here. doc/how-it-decides.md, section 10, has the rule.
 */
#ifndef COHORT_CHECKPOINT_H
#define COHORT_CHECKPOINT_H

#include <stdint.h>
#include <stddef.h>

#define CHECKPOINT_EACH "cohort:checkpoint="
#define CHECKPOINT_LAST "cohort:checkpointed="
#define CHECKPOINT_WORD 64

struct checkpoint {
	int64_t each;			/* seconds of run time; 0: not said */
	int64_t last;			/* since the epoch; 0: not said */
};

/* The text behind `key` of the comment (or NULL), cut to size. 0; -1: the key is not there */
int checkpoint_word(const char *comment, const char *key, char *word, size_t size);

/* Each reads its word: 0, or -1, and err says what is wrong with it, to stand behind it */
int checkpoint_each_parse(const char *word, int64_t *seconds, char *err, size_t size);
int checkpoint_last_parse(const char *word, int64_t *at, char *err, size_t size);

/* Words that are wrong or missing say nothing. */
struct checkpoint checkpoint_of(const char *comment);

/* Seconds of a run that an eviction now would lose: those since the last checkpoint, at most all
 * that it ran. A last checkpoint that is not of this run says nothing. start, now: since the
 * epoch; ran: seconds, without the time in which it was suspended */
int64_t checkpoint_lost(const struct checkpoint *c, int64_t start, int64_t now, int64_t ran);

#endif /* COHORT_CHECKPOINT_H */
