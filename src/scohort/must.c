/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * must.c - memory that a command cannot do without
 */
#define _GNU_SOURCE	/* vasprintf, reallocarray */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "must.h"

void *must(void *memory)
{
	if (!memory) {
		fputs("scohort: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return memory;
}

char *must_format(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	return must(n < 0 ? NULL : text);
}

/* The room doubles whenever it is used up. */
void *must_grow(void *list, size_t n, size_t size)
{
	if (n & (n - 1))
		return list;
	return must(reallocarray(list, n ? 2 * n : 1, size));
}
