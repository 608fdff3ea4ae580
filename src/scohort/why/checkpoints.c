/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * checkpoints.c - what the comment of a job says of its checkpoints, and what an eviction loses
 */
#include "input/json_members.h"
#include "lib/sat.h"
#include "output/text.h"
#include "value/checkpoint.h"
#include "why/why.h"

static void word_say(struct story *s, const char *key,
		     int (*parse)(const char *word, int64_t *value, char *err, size_t size))
{
	char word[CHECKPOINT_WORD], err[256];
	int64_t value;

	if (!checkpoint_word(s->v->comment, key, word, sizeof(word))
	    && parse(word, &value, err, sizeof(err)) < 0)
		say(s, "Its comment says %s%s. That has no effect: \"%s\" %s.", key, word, word,
		    err);
}

void why_checkpoint_words(struct story *s)
{
	word_say(s, CHECKPOINT_EACH, checkpoint_each_parse);
	word_say(s, CHECKPOINT_LAST, checkpoint_last_parse);
}

void why_loss(struct story *s)
{
	struct checkpoint c = checkpoint_of(s->v->comment);
	int64_t ran = max64(0, s->now - s->v->ran_since), lost;

	if (!c.each && !c.last)
		return;
	lost = checkpoint_lost(&c, s->v->start, s->now, ran);
	json_add_number(s->facts, "wouldLoseSeconds", lost);
	say(s, "By the checkpoints that its comment tells of, an eviction now would lose %s of its "
	    "run.", text_duration(TEXT_BUF, lost));
}
