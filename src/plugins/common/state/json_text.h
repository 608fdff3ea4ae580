/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  json_text.h - texts as JSON: from outside, and printed before
\*****************************************************************************/
#ifndef COHORT_STATE_JSON_TEXT_H
#define COHORT_STATE_JSON_TEXT_H

#include <json-c/json.h>

/* What is printed as this text, which is JSON already. The text is xmalloc'd, and taken
 * over. The object can only be printed: the smallest there is, a boolean. */
extern struct json_object *json_printed(char *text);
/* The text, in which bytes that are not UTF-8 are replaced. NULL: it is NULL */
extern struct json_object *json_text(const char *text);
/* The same of its first 255 bytes: users may have given a longer one. */
extern struct json_object *json_short_text(const char *text);
/* The text of that member, or "" */
extern const char *json_text_of(struct json_object *o, const char *key);

#endif /* COHORT_STATE_JSON_TEXT_H */
