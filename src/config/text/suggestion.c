/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggestion.c - edit distance (optimal string alignment) to known words
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "text/suggestion.h"

#define WORD_MAX 64

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

static int same(char a, char b)
{
	return tolower((unsigned char) a) == tolower((unsigned char) b);
}

static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t rows[3][WORD_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2], *swap;

	for (size_t j = 0; j <= nb; j++)
		above[j] = j;
	for (size_t i = 1; i <= na; i++) {
		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] = min(above[j], row[j - 1]) + 1;
			row[j] = min(row[j], above[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]))
				row[j] = min(row[j], before[j - 2] + 1);
		}
		swap = before;
		before = above;
		above = row;
		row = swap;
	}
	return above[nb];
}

struct quoted did_you_mean(const char *word, const void *items, size_t size, size_t n)
{
	size_t length = strnlen(word, WORD_MAX + 1), best = (length + 2) / 3 + 1;
	struct quoted text = { "" };

	for (const char *item = items; n && *(const char *const *) item; n--, item += size) {
		const char *known = *(const char *const *) item;
		size_t k = strnlen(known, WORD_MAX + 1), d;

		if (length > WORD_MAX || k > WORD_MAX || (length > k ? length - k : k - length) >= best)
			continue;
		d = distance(word, length, known, k);
		if (d >= best)
			continue;
		best = d;
		snprintf(text.text, sizeof(text.text), " (did you mean %s?)", known);
	}
	return text;
}
