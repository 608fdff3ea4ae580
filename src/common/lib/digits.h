/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * digits.h - numbers as text, where thousands are written and printf() shows
 */
#ifndef COHORT_LIB_DIGITS_H
#define COHORT_LIB_DIGITS_H

#include <stdint.h>

#define DIGITS_SIZE 24

/* The number in decimal, somewhere in `room`, with a NUL behind it */
static inline const char *digits_of(int64_t number, char room[DIGITS_SIZE])
{
	char *digit = &room[DIGITS_SIZE - 1];
	uint64_t left = number < 0 ? -(uint64_t) number : (uint64_t) number;

	*digit = '\0';
	do
		*--digit = (char) ('0' + left % 10);
	while ((left /= 10));
	if (number < 0)
		*--digit = '-';
	return digit;
}

#endif /* COHORT_LIB_DIGITS_H */
