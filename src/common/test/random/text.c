/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.c - random worlds, written in the words of world.h
 */
#include <stdio.h>

#include "random/text.h"

void text_begin(struct text *t, uint64_t seed)
{
	t->random = seed;
	t->n = 0;
	t->bytes[0] = '\0';
}

/* splitmix64 */
int pick(struct text *t, int n)
{
	uint64_t z = t->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (int) ((z >> 33) % (uint64_t) n);
}

bool odds(struct text *t, int percent)
{
	return pick(t, 100) < percent;
}

void say(struct text *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	t->n += (size_t) vsnprintf(t->bytes + t->n, sizeof(t->bytes) - t->n, format, args);
	va_end(args);
	assert_true(t->n < sizeof(t->bytes));
}

void quota_say(struct text *t, const char *pair)
{
	say(t, " %s=%d", pair, pick(t, 25));
	if (odds(t, 20))
		say(t, "+%d", pick(t, 12));
	if (odds(t, 30))
		say(t, "-%d", pick(t, 12));
}
