/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.c - well-formed byte sequences, table 3-7 of the Unicode standard
 */
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

/* The number of continuation bytes after a first byte, and the bounds of the
 * first of them, which exclude overlong forms, surrogates and what is out of
 * range */
static size_t sequence_bounds(unsigned char first, unsigned char *low,
			      unsigned char *high)
{
	*low = 0x80;
	*high = 0xbf;
	if (first >= 0xc2 && first <= 0xdf)
		return 1;
	if (first >= 0xe0 && first <= 0xef) {
		*low = first == 0xe0 ? 0xa0 : 0x80;
		*high = first == 0xed ? 0x9f : 0xbf;
		return 2;
	}
	if (first >= 0xf0 && first <= 0xf4) {
		*low = first == 0xf0 ? 0x90 : 0x80;
		*high = first == 0xf4 ? 0x8f : 0xbf;
		return 3;
	}
	return 0;
}

size_t utf8_length(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *) text;
	unsigned char low, high;
	size_t n;

	if (!len || *p < 0x80)
		return len && *p;
	n = sequence_bounds(*p, &low, &high);
	if (!n || n >= len || p[1] < low || p[1] > high)
		return 0;
	for (size_t i = 2; i <= n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n + 1;
}

size_t utf8_span(const char *text, size_t len)
{
	size_t i = 0, n;

	while (i < len) {
		n = utf8_length(text + i, len - i);
		if (!n)
			break;
		i += n;
	}
	return i;
}

char *utf8_mend(const char *text)
{
	static const char instead[] = "\xef\xbf\xbd";	/* U+FFFD */
	size_t len = strlen(text), used = 0;
	char *mended = malloc(len * strlen(instead) + 1);

	for (size_t i = 0; mended && i < len; ) {
		size_t n = utf8_length(text + i, len - i);

		memcpy(mended + used, n ? text + i : instead,
		       n ? n : strlen(instead));
		used += n ? n : strlen(instead);
		i += n ? n : 1;
	}
	if (mended)
		mended[used] = '\0';
	return mended;
}
