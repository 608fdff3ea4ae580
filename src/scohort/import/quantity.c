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

struct fraction {
	__int128 up, down;	/* at most DIGITS_MAX squared */
};

/* Digits with at most one point; -1 if there are none or too many */
static int digits_read(const char **p, struct fraction *f)
{
	bool point = false, any = false;

	for (; isdigit((unsigned char) **p) || (**p == '.' && !point); (*p)++) {
		if (**p == '.') {
			point = true;
			continue;
		}
		any = true;
		f->up = 10 * f->up + (**p - '0');
		f->down *= point ? 10 : 1;
		if (f->up >= DIGITS_MAX || f->down > DIGITS_MAX)
			return -1;
	}
	return any ? 0 : -1;
}

static void scale(struct fraction *f, int ten)
{
	for (; ten > 0; ten--)
		f->up *= 10;
	for (; ten < 0; ten++)
		f->down *= 10;
}

static int suffix_read(const char *p, struct fraction *f)
{
	static const char thousands[] = "num kMGTPE", binary[] = "KMGTPE";
	const char *power = *p == ' ' ? NULL : strchr(thousands, *p);
	char *end;
	long ten;

	if (!*p)
		return 0;
	if (power && !p[1]) {
		scale(f, 3 * (int) (power - thousands) - 9);
		return 0;
	}
	if (!strcmp(p + 1, "i") && (power = strchr(binary, *p))) {
		f->up <<= 10 * (power - binary + 1);
		return 0;
	}
	if ((*p != 'e' && *p != 'E') || strspn(p + 1, "+-") > 1
	    || !isdigit((unsigned char) p[1 + strspn(p + 1, "+-")]))
		return -1;
	ten = strtol(p + 1, &end, 10);
	if (*end || ten < -TEN_MAX || ten > TEN_MAX)
		return -1;
	scale(f, (int) ten);
	return 0;
}

/* `times` it, in parts of `unit` */
static int text_read(const char *text, int64_t times, int64_t unit, int64_t *amount, bool *exact)
{
	struct fraction f = { .up = 0, .down = 1 };
	__int128 whole;

	text += *text == '+';
	if (digits_read(&text, &f) < 0 || suffix_read(text, &f) < 0)
		return -1;
	/* thousandths of so much are above VALUE_MAX in any case */
	if (f.up > ((__int128) 1 << 126) / times)
		return -1;
	f.up *= times;
	whole = f.up / f.down;
	*exact = f.up % f.down == 0 && whole % unit == 0;
	whole /= unit;
	if (whole > VALUE_MAX)
		return -1;
	*amount = (int64_t) whole;
	return 0;
}

int quantity_parse(const char *text, int64_t unit, int64_t *amount, bool *exact)
{
	return text_read(text, 1, unit, amount, exact);
}

int quantity_milli(const char *text, int64_t *thousandths, bool *exact)
{
	return text_read(text, 1000, 1, thousandths, exact);
}
