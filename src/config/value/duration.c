/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * duration.c - Slurm's time formats, and numbers with units
 *
 * Slurm's own reader accepts all that sscanf() can make something of. This one
 * takes the same formats and nothing else.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "value/duration.h"

#define SECOND INT64_C(1000000000)
#define MINUTE 60
#define HOUR 3600
#define DAY 86400
#define SECONDS_MAX ((int64_t) DURATION_MAX_DAYS * DAY)

static const char formats[] =
	"minutes, 4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, 2d";

static int duration_error(char *err, size_t size, const char *text)
{
	snprintf(err, size, "%s (%s)", text, formats);
	return -1;
}

static int too_long(char *err, size_t size)
{
	snprintf(err, size, "is over the maximum of %dd", DURATION_MAX_DAYS);
	return -1;
}

/* The digits at *p, saturated above SECONDS_MAX; -1 if there are none */
static int64_t digits_read(const char **p)
{
	int64_t n = 0;

	if (!isdigit((unsigned char) **p))
		return -1;
	for (; isdigit((unsigned char) **p); (*p)++)
		if (n <= SECONDS_MAX)
			n = 10 * n + (**p - '0');
	return n;
}

/* Reads "1h30m": 0 and the seconds, saturated; -1 if the text has another
 * form */
static int units_read(const char *p, int64_t *seconds)
{
	static const char units[] = "dhms";
	static const int64_t length[] = { DAY, HOUR, MINUTE, 1 };
	const char *next = units, *unit;

	*seconds = 0;
	do {
		int64_t n = digits_read(&p);

		unit = n < 0 || !*p ? NULL : strchr(next, *p);
		if (!unit)
			return -1;
		if (n > SECONDS_MAX / length[unit - units])
			n = SECONDS_MAX + 1;
		else
			n *= length[unit - units];
		*seconds += n;
		next = unit + 1;
		p++;
	} while (*p);
	return 0;
}

/* Reads "[days-]n[:n[:n]]": 0 and the seconds, saturated; -1 if the text has
 * another form */
static int clock_read(const char *p, int64_t *seconds)
{
	/* Hours come first behind days, or if there are three fields. One or
	 * two fields without days are minutes and seconds. */
	static const int64_t lengths[] = { HOUR, MINUTE, 1 };
	const int64_t *units;
	int64_t field[3], n;
	size_t fields = 0;
	bool days = false;

	*seconds = 0;
	n = digits_read(&p);
	if (n >= 0 && *p == '-') {
		*seconds = n > DURATION_MAX_DAYS ? SECONDS_MAX + 1 : n * DAY;
		days = true;
		p++;
		n = digits_read(&p);
	}
	for (; n >= 0; n = digits_read(&p)) {
		field[fields++] = n;
		if (*p != ':' || fields == 3)
			break;
		p++;
	}
	if (n < 0 || *p)
		return -1;
	units = days || fields == 3 ? lengths : lengths + 1;
	for (size_t i = 0; i < fields; i++)
		*seconds += field[i] > SECONDS_MAX / units[i] ?
			SECONDS_MAX + 1 : field[i] * units[i];
	return 0;
}

int duration_parse(const char *text, int64_t *ns, char *err, size_t size)
{
	int64_t seconds;

	if (!*text)
		return duration_error(err, size, "is empty, not a time");
	if (*text == '-')
		return duration_error(err, size, "is negative");
	if (units_read(text, &seconds) < 0 && clock_read(text, &seconds) < 0)
		return duration_error(err, size, "is not a time");
	if (seconds > SECONDS_MAX)
		return too_long(err, size);
	*ns = seconds * SECOND;
	return 0;
}

void duration_format(int64_t ns, char *buf, size_t size)
{
	int64_t seconds = ns / SECOND;

	if (seconds < 2 * MINUTE || seconds % MINUTE)
		snprintf(buf, size, "%llds", (long long) seconds);
	else if (seconds % HOUR)
		snprintf(buf, size, "%lldm", (long long) seconds / MINUTE);
	else if (seconds % DAY)
		snprintf(buf, size, "%lldh", (long long) seconds / HOUR);
	else
		snprintf(buf, size, "%lldd", (long long) seconds / DAY);
}
