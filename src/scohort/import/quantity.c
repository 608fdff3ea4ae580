/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quantity.c - amounts as Kubernetes writes them
 *
 * digits[.digits][suffix]: n u m k M G T P E are powers of 1000, Ki to Ei of
 * 1024, e3 or E3 a power of ten. A fraction of 128 bits, so that rounding comes
 * only at the end.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

#define TEN_MAX 18			/* digits, and powers of ten */
#define DIGITS_MAX INT64_C(1000000000000000000)
#define VALUE_MAX (INT64_C(1) << 53)

/* The powers of ten and of two that the suffix stands for; false: it is none */
static bool suffix_read(const char *p, int *ten, int *two)
{
	static const char thousands[] = "num kMGTPE", binary[] = "KMGTPE";
	const char *power = *p && *p != ' ' ? strchr(thousands, *p) : NULL;
	char *end = (char *) (uintptr_t) p;
	long tens = 0;

	*ten = *two = 0;
	if (power && !p[1]) {
		*ten = 3 * (int) (power - thousands) - 9;
		return true;
	}
	if (*p && !strcmp(p + 1, "i") && (power = strchr(binary, *p))) {
		*two = 10 * (int) (power - binary + 1);
		return true;
	}
	if ((*p == 'e' || *p == 'E') && p[1] && !isspace((unsigned char) p[1]))
		tens = strtol(p + 1, &end, 10);
	*ten = (int) tens;
	return !*end && tens >= -TEN_MAX && tens <= TEN_MAX;
}

int quantity_parse(const char *text, int64_t times, int64_t unit, int64_t *amount, bool *exact)
{
	const char *p = text + (*text == '+');
	int digits = 0, point = -1, ten, two;	/* point: how many digits are before it */
	__int128 up = 0, down = 1, whole;	/* a fraction of at most DIGITS_MAX squared */

	for (; isdigit((unsigned char) *p) || (*p == '.' && point < 0); p++) {
		if (*p == '.') {
			point = digits;
			continue;
		}
		up = 10 * up + (*p - '0');
		digits++;
		if (up >= DIGITS_MAX)
			return -1;
	}
	if (!digits || !suffix_read(p, &ten, &two))
		return -1;
	for (int i = point < 0 ? digits : point; i < digits && down <= DIGITS_MAX; i++)
		down *= 10;
	if (down > DIGITS_MAX)
		return -1;
	for (; ten > 0; ten--)
		up *= 10;
	for (; ten < 0; ten++)
		down *= 10;
	up <<= two;
	/* so much is above VALUE_MAX in any case */
	if (up > ((__int128) 1 << 126) / times)
		return -1;
	up *= times;
	whole = up / down;
	*exact = up % down == 0 && whole % unit == 0;
	whole /= unit;
	if (whole > VALUE_MAX)
		return -1;
	*amount = (int64_t) whole;
	return 0;
}
