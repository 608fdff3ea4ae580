/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - messages about a document
 */
#define _GNU_SOURCE	/* asprintf */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/printable.h"
#include "text/report.h"

#define TEXT_SIZE 1024
#define PATH_SIZE 512
#define QUOTE_MAX 60
#define WORD_MAX 64

struct message {
	char *text;
	int line;
	size_t number;		/* in order of arrival */
	bool warning;
};

struct report {
	char *file;
	struct message messages[REPORT_MAX];
	size_t nmessages;
	size_t errors;
	size_t warnings;
};

struct quoted quote(const char *text)
{
	struct quoted q = { .text = "\"" };

	if (!printable_append(q.text, sizeof(q.text), text, QUOTE_MAX))
		strcat(q.text, "...");
	strcat(q.text, "\"");
	return q;
}

void place_format(const struct place *at, bool with_index, char *buf, size_t size)
{
	char index[24];

	if (!at) {
		buf[0] = '\0';
		return;
	}
	place_format(at->up, with_index, buf, size);
	if (at->key) {
		if (*buf)
			printable_append(buf, size, ".", size);
		printable_append(buf, size, at->key, QUOTE_MAX);
	} else if (with_index) {
		snprintf(index, sizeof(index), "[%zu]", at->index);
		printable_append(buf, size, index, size);
	}
}

int errprintf(char *err, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, size, fmt, ap);
	va_end(ap);
	return -1;
}

/* The name of a file comes from outside, too. One byte of it may take four. */
struct report *report_create(const char *file)
{
	size_t size = 4 * strlen(file) + 1;
	struct report *report = calloc(1, sizeof(*report));

	if (!report)
		return NULL;
	report->file = calloc(1, size);
	if (!report->file) {
		report_destroy(report);
		return NULL;
	}
	printable_append(report->file, size, file, size);
	return report;
}

void report_destroy(struct report *report)
{
	int saved = errno;

	if (!report)
		return;
	for (size_t i = 0; i < report->nmessages; i++)
		free(report->messages[i].text);
	free(report->file);
	free(report);
	errno = saved;
}

/* "FILE:LINE: PATH: TEXT", without the parts that are missing; NULL: ENOMEM */
static char *message_format(const char *file, int line, const struct place *at,
			    bool warning, const char *text)
{
	char path[PATH_SIZE], number[24] = "";
	char *message;

	place_format(at, true, path, sizeof(path));
	if (line)
		snprintf(number, sizeof(number), ":%d", line);
	if (asprintf(&message, "%s%s: %s%s%s%s", file, number,
		     warning ? "warning: " : "", path, *path ? ": " : "", text) < 0)
		return NULL;
	return message;
}

int report_add(struct report *report, bool warning, const struct place *at, int line,
	       const char *fmt, ...)
{
	char raw[TEXT_SIZE], text[TEXT_SIZE] = "";
	struct message *m = &report->messages[report->nmessages];
	va_list ap;

	*(warning ? &report->warnings : &report->errors) += 1;
	/* Warnings must leave room for errors. */
	if (report->nmessages >= REPORT_MAX / (warning ? 2 : 1))
		return -1;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	printable_append(text, sizeof(text), raw, sizeof(text));
	m->text = message_format(report->file, line, at, warning, text);
	if (!m->text)
		return -1;
	m->line = line;
	m->number = report->nmessages++;
	m->warning = warning;
	return -1;
}

size_t report_errors(const struct report *report)
{
	return report->errors;
}

size_t report_warnings(const struct report *report)
{
	return report->warnings;
}

bool report_full(const struct report *report)
{
	return report->nmessages >= REPORT_MAX;
}

static int message_compare(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

void report_emit(struct report *report, conf_report_f f, void *arg)
{
	size_t left = report->errors + report->warnings - report->nmessages;
	char text[64], *message;

	qsort(report->messages, report->nmessages, sizeof(*report->messages), message_compare);
	for (size_t i = 0; f && i < report->nmessages; i++)
		f(arg, report->messages[i].warning, report->messages[i].text);
	if (!f || !left)
		return;
	snprintf(text, sizeof(text), "and %zu more messages", left);
	message = message_format(report->file, 0, NULL, !report->errors, text);
	if (message)
		f(arg, !report->errors, message);
	free(message);
}

/* ---- which word was meant: edit distance, optimal string alignment ---- */

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
	size_t d[WORD_MAX + 1][WORD_MAX + 1];	/* of the first i letters from the first j */

	for (size_t i = 0; i <= na; i++) {
		for (size_t j = 0; j <= nb; j++) {
			d[i][j] = i + j;
			if (!i || !j)
				continue;
			d[i][j] = min(min(d[i - 1][j], d[i][j - 1]) + 1,
				      d[i - 1][j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				d[i][j] = min(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[na][nb];
}

struct quoted did_you_mean(const char *word, const void *items, size_t size, size_t n)
{
	size_t length = strnlen(word, WORD_MAX + 1), best = (length + 2) / 3 + 1;
	struct quoted text = { "" };

	for (const char *item = items; n && *(const char *const *) item; n--, item += size) {
		const char *known = *(const char *const *) item;
		size_t k = strnlen(known, WORD_MAX + 1), d;

		if (length > WORD_MAX || k > WORD_MAX ||
		    (length > k ? length - k : k - length) >= best)
			continue;
		d = distance(word, length, known, k);
		if (d >= best)
			continue;
		best = d;
		snprintf(text.text, sizeof(text.text), " (did you mean %s?)", known);
	}
	return text;
}
