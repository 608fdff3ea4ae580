/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - random worlds, written in the words of world.h
 */
#ifndef COHORT_TEST_RANDOM_TEXT_H
#define COHORT_TEST_RANDOM_TEXT_H

#include "world.h"

/* What is written, with its random numbers: the same seed writes the same */
struct text {
	uint64_t random;
	size_t n;
	char bytes[16384];
};

void text_begin(struct text *t, uint64_t seed);

/* 0 to n - 1; so often true */
int pick(struct text *t, int n);
bool odds(struct text *t, int percent);

void say(struct text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* " PAIR=NOMINAL", in one of five with a borrowing limit, in three of ten with a lending limit */
void quota_say(struct text *t, const char *pair);

#endif /* COHORT_TEST_RANDOM_TEXT_H */
