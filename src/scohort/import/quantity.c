/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quantity.c - amounts as Kubernetes writes them
 *
 * digits[.digits][suffix]: n u m k M G T P E are powers of 1000, Ki to Ei of
 * 1024, e3 or E3 a power of ten. Computed in 128 bits, so that rounding comes
 * only at the end.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

#define DIGITS_MAX 18
#define VALUE_MAX (INT64_C(1) << 53)

struct quantity {
	__int128 digits;	/* without the point */
	int ten;		/* times 10^ten */
	int two;		/* times 2^two */
};

static const struct suffix {
	const char *text;
	int ten, two;
} suffixes[] = {
	{ "", 0, 0 },
	{ "n", -9, 0 }, { "u", -6, 0 }, { "m", -3, 0 },
	{ "k", 3, 0 }, { "M", 6, 0 }, { "G", 9, 0 },
	{ "T", 12, 0 }, { "P", 15, 0 }, { "E", 18, 0 },
	{ "Ki", 0, 10 }, { "Mi", 0, 20 }, { "Gi", 0, 30 },
	{ "Ti", 0, 40 }, { "Pi", 0, 50 }, { "Ei", 0, 60 },
};

/* Digits with at most one point; -1 if there are none or too many */
static int digits_read(const char **p, struct quantity *q)
{
	bool point = false, any = false;
	int n = 0;

	for (; isdigit((unsigned char) **p) || (**p == '.' && !point); (*p)++) {
		if (**p == '.') {
			point = true;
			continue;
		}
		any = true;
		q->digits = 10 * q->digits + (**p - '0');
		n += q->digits ? 1 : 0;
		q->ten -= point ? 1 : 0;
		if (n > DIGITS_MAX || q->ten < -DIGITS_MAX)
			return -1;
	}
	return any ? 0 : -1;
}

static int suffix_read(const char *p, struct quantity *q)
{
	char *end;
	long ten;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (strcmp(p, suffixes[i].text) != 0)
			continue;
		q->ten += suffixes[i].ten;
		q->two = suffixes[i].two;
		return 0;
	}
	if (*p != 'e' && *p != 'E')
		return -1;
	p++;
	if (!isdigit((unsigned char) p[*p == '+' || *p == '-']))
		return -1;
	ten = strtol(p, &end, 10);
	if (*end || ten < -DIGITS_MAX || ten > DIGITS_MAX)
		return -1;
	q->ten += (int) ten;
	return 0;
}

/* digits * 10^ten * 2^two / divisor, rounded down; -1 if that is too much */
static int quantity_value(const struct quantity *q, int64_t divisor, int64_t *amount, bool *exact)
{
	const __int128 most = (__int128) 1 << 120;
	__int128 up = q->digits, down = divisor;
	int ten = q->ten;

	for (; ten > 0 && up; ten--) {
		if (up > most / 10)
			return -1;
		up *= 10;
	}
	for (; ten < 0; ten++) {
		if (down > most / 10)
			return -1;
		down *= 10;
	}
	if (up > most >> q->two)
		return -1;
	up <<= q->two;
	if (up / down > VALUE_MAX)
		return -1;
	*amount = (int64_t) (up / down);
	*exact = up % down == 0;
	return 0;
}

/* Times 10^ten, in parts of `unit` */
static int text_read(const char *text, int ten, int64_t unit, int64_t *amount, bool *exact)
{
	struct quantity q = { .ten = 0 };

	text += *text == '+';
	if (digits_read(&text, &q) < 0 || suffix_read(text, &q) < 0)
		return -1;
	q.ten += ten;
	return quantity_value(&q, unit, amount, exact);
}

int quantity_parse(const char *text, int64_t unit, int64_t *amount, bool *exact)
{
	return text_read(text, 0, unit, amount, exact);
}

int quantity_milli(const char *text, int64_t *thousandths, bool *exact)
{
	return text_read(text, 3, 1, thousandths, exact);
}
