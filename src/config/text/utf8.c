/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.c - well-formed byte sequences, table 3-7 of the Unicode standard
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

/* By length: the lowest code that may be written so */
static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

size_t utf8_length(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *) text;
	uint32_t code;
	size_t n;

	if (!len || *p < 0x80)
		return len && *p;
	n = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	if (*p < 0xc0 || *p > 0xf7 || n > len)
		return 0;
	code = *p & (0x7f >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < least[n] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return 0;
	return n;
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
