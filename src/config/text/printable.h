/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printable.h - texts from outside, so that they can be shown
 *
 * Names of files, jobs and whatever a document holds may have bytes that a
 * terminal obeys, or that begin a new line of a log or a file. What is no
 * character that stands for itself is shown as \xNN, a byte each: control
 * characters of ASCII and U+0080 to U+009F, the line breaks U+2028 and
 * U+2029, marks that turn the direction of what is around them, and what is
 * not UTF-8.
 */
#ifndef COHORT_PRINTABLE_H
#define COHORT_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the character that the text begins with; 0: it cannot be shown, or
 * the text is empty */
size_t printable_length(const char *text);

/* Appends text to the string in buf, at most max bytes of it, and never a part
 * of a character or of a \xNN. False: the text was cut. */
bool printable_append(char *buf, size_t size, const char *text, size_t max);

/* Writes text to a file. */
void printable_put(const char *text, FILE *file);

#endif /* COHORT_PRINTABLE_H */
