/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world_words.h - reading the statements of world.h
 */
#ifndef COHORT_TEST_WORLD_WORDS_H
#define COHORT_TEST_WORLD_WORDS_H

#include "world.h"

/* A statement, word by word */
struct words {
	struct world *world;
	const char *line;
	char buffer[512];
	char *rest;
};

/* Fails the test */
void words_confused(const struct words *words, const char *word);

/* The next word; NULL if there is none, or the test fails */
const char *word_next(struct words *words);
const char *word_need(struct words *words);

/* "key=value" with that key: its value, else NULL or false */
const char *value_of(const char *word, const char *key);
bool number_of(const char *word, const char *key, int64_t *number);

void tell_site(struct words *words);
void tell_cohort(struct words *words);
void tell_queue(struct words *words);
void tell_period(struct words *words);

/* now, past, local; false: it is none of these */
bool tell_history(struct words *words, const char *verb);

/* plan, cycle and the other questions; false: it is none of these */
bool tell_question(struct words *words, const char *verb);

#endif /* COHORT_TEST_WORLD_WORDS_H */
