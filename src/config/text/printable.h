/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * printable.h - makes texts from outside safe to show
 *
 * Names of files or jobs, and all texts in a document, may have bytes that a
 * terminal obeys, or that begin a new line of a log or a file. Whatever is not
 * a visible character is shown as \xNN for each byte: control characters of
 * ASCII and U+0080 to U+009F, the line breaks U+2028 and U+2029, marks that
 * turn the direction of the text around them, and bytes that are not UTF-8.
 */
#ifndef COHORT_PRINTABLE_H
#define COHORT_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define UTF8_MAX 4	/* bytes of one character */

/* Number of bytes of the character that text[0..len) begins with; 0 if it is
 * ill-formed or NUL, or the text is empty */
size_t utf8_length(const char *text, size_t len);

/* Length of the longest prefix that is well-formed UTF-8 without NUL: len if
 * all of it is. Overlong forms, surrogates and codes above U+10FFFF are
 * ill-formed. */
size_t utf8_span(const char *text, size_t len);

/* A copy in which each ill-formed byte is replaced by U+FFFD; the caller frees
 * it. NULL with errno = ENOMEM */
char *utf8_mend(const char *text);

/* Number of bytes of the first character of the text; 0: it cannot be shown, or
 * the text is empty */
size_t printable_length(const char *text);

/* Appends text to the string in buf, at most max bytes of it, and never a part
 * of a character or of a \xNN. False: the text was cut. */
bool printable_append(char *buf, size_t size, const char *text, size_t max);

/* Writes text to a file. */
void printable_put(const char *text, FILE *file);

#endif /* COHORT_PRINTABLE_H */
