/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printable.c - makes texts from outside safe to show
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/printable.h"

/* ---- UTF-8 ---- */

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

		memcpy(mended + used, n ? text + i : instead, n ? n : strlen(instead));
		used += n ? n : strlen(instead);
		i += n ? n : 1;
	}
	if (mended)
		mended[used] = '\0';
	return mended;
}

/* ---- what can be shown ---- */

#define HEX_SIZE sizeof("\\xff")

/* c is three bytes of UTF-8, from U+2000 on. */
static bool is_mark(const unsigned char *c)
{
	return (c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae)
	       || (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9);
}

size_t printable_length(const char *text)
{
	const unsigned char *c = (const unsigned char *) text;
	size_t n;

	if (*c < 0x20 || *c == 0x7f)
		return 0;
	n = utf8_length(text, strnlen(text, UTF8_MAX));
	if ((n == 2 && c[0] == 0xc2 && c[1] < 0xa0) || (n == 3 && c[0] == 0xe2 && is_mark(c)))
		return 0;
	return n;
}

/* The next piece to show: a character of the text, or a byte of it in hex.
 * Returns how many bytes of the text it stands for. */
static size_t piece(const char *text, char *hex, const char **shown, size_t *len)
{
	size_t n = printable_length(text);

	*shown = n ? text : hex;
	*len = n ? n : HEX_SIZE - 1;
	if (!n)
		snprintf(hex, HEX_SIZE, "\\x%02x", (unsigned char) *text);
	return n ? n : 1;
}

bool printable_append(char *buf, size_t size, const char *text, size_t max)
{
	size_t used = strlen(buf), end = used + max, len;
	char hex[HEX_SIZE];
	const char *shown;

	if (end > size - 1)
		end = size - 1;
	while (*text) {
		text += piece(text, hex, &shown, &len);
		if (used + len > end)
			return false;
		memcpy(buf + used, shown, len);
		used += len;
		buf[used] = '\0';
	}
	return true;
}

void printable_put(const char *text, FILE *file)
{
	char hex[HEX_SIZE];
	const char *shown;
	size_t len;

	while (*text) {
		text += piece(text, hex, &shown, &len);
		fwrite(shown, 1, len, file);
	}
}
