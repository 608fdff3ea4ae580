/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.h - an answer against the one a scenario expects, field by field
 */
#ifndef LAB_COMPARE_H
#define LAB_COMPARE_H

#include <json.h>

/* One difference. path: "heads[ns/p01].assignment.borrow"; expected and got:
 * JSON text, or "nothing". */
typedef void (*compare_report_f)(void *arg, const char *path,
				 const char *expected, const char *got);

/* Compares all that `expected` states and that an answer can state; returns the
 * number of differences. Nothing, false, an empty list and an empty object are
 * the same. Lists of names and of things with a name are sets. */
size_t compare_json(struct json_object *expected, struct json_object *got,
		    compare_report_f report, void *arg);

/* The part of a scenario's `expected` (or `expect`) with which an answer of
 * this kind is compared; a new object. */
struct json_object *compare_view(const char *kind, struct json_object *line);

/* Why a difference in this scenario does not count, or NULL */
const char *compare_excuse(struct json_object *line);

#endif /* LAB_COMPARE_H */
