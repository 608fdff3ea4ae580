/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - what is wrong with a document, reported in the order of lines
 *
 * The sections of a document are read in the order in which they depend on each
 * other, not in the order of the file. A report keeps the messages and gives
 * them out by line at the end. Texts that come from the document are made
 * printable and cut to a reasonable length.
 */
#ifndef COHORT_REPORT_H
#define COHORT_REPORT_H

#include <stddef.h>

#include "text/message.h"

/* Messages that are kept; further ones are only counted. */
#define REPORT_MAX 1000

/* Where in the document: a chain from the value up to the document, kept on
 * the stack of the functions that read it. NULL is the document itself. */
struct place {
	const struct place *up;
	const char *key;	/* NULL: item `index` of a list */
	size_t index;
};

/* "clusterQueues[2].preemption"; with_index false: "clusterQueues.preemption".
 * It is cut to size. */
void place_format(const struct place *at, bool with_index, char *buf, size_t size);

/* A text from the document in double quotes, or another part of a message */
struct quoted {
	char text[96];
};
struct quoted quote(const char *text);

/* " (did you mean WORD?)", or "" if no known word is near enough. items: an array
 * of n items, each with `size` bytes, that begin with the pointer to a word; NULL
 * ends it, too. Case does not count. A letter that is missing, added, different or
 * swapped with its neighbour counts one. Up to a third of the word's letters may
 * be wrong; the first of the nearest words is taken. */
struct quoted did_you_mean(const char *word, const void *items, size_t size, size_t n);

/* Writes a message to err, and is -1. */
int errprintf(char *err, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

struct report;

/* NULL with errno = ENOMEM */
struct report *report_create(const char *file);
void report_destroy(struct report *report);

/* Is -1, so that `return report_error(...)` is one line. line 0: none. The
 * message is counted even without memory for it. */
int report_add(struct report *report, bool warning, const struct place *at, int line,
	       const char *fmt, ...) __attribute__((format(printf, 5, 6)));
#define report_error(report, at, line, ...) report_add(report, false, at, line, __VA_ARGS__)
#define report_warning(report, at, line, ...) report_add(report, true, at, line, __VA_ARGS__)
#define report_nomem(report) report_error(report, NULL, 0, "out of memory")

size_t report_errors(const struct report *report);
size_t report_warnings(const struct report *report);

/* Further messages are only counted: the caller need not work out a good text for them. */
bool report_full(const struct report *report);

/* Gives out all messages by line; those of one line in the order in which they came. */
void report_emit(struct report *report, conf_report_f f, void *arg);

#endif /* COHORT_REPORT_H */
