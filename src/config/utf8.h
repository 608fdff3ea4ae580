/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * utf8.h - is a text UTF-8?
 */
#ifndef COHORT_UTF8_H
#define COHORT_UTF8_H

#include <stddef.h>

/* Length of the longest prefix that is well-formed UTF-8 without NUL: len if
 * all of it is. Overlong forms, surrogates and codes above U+10FFFF are
 * ill-formed. */
size_t utf8_span(const char *text, size_t len);

#endif /* COHORT_UTF8_H */
