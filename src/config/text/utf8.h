/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.h - is a text UTF-8?
 */
#ifndef COHORT_UTF8_H
#define COHORT_UTF8_H

#include <stddef.h>

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

#endif /* COHORT_UTF8_H */
