/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer_text.h - an answer against its text, for tables of cases
 */
#ifndef LAB_TEST_ANSWER_TEXT_H
#define LAB_TEST_ANSWER_TEXT_H

#include "eval/json_reader.h"

/* Is `got` the JSON of `want`, with either kind of quotes? If an error was
 * recorded, is `want` its message? */
void answer_is_text(struct json_object *got, const struct fault *fault,
		    const char *want);

#endif /* LAB_TEST_ANSWER_TEXT_H */
