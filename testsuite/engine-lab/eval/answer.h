/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer.h - the engine's answer to a scenario, as JSON
 *
 * The lists of an answer are sorted: victims and queue contents by name, so
 * that two answers can be compared. With `detail` an answer also holds what
 * only --check compares: mode and borrow level of every resource, usage, and
 * what was nominated before the cycle was processed.
 */
#ifndef LAB_ANSWER_H
#define LAB_ANSWER_H

#include "eval/scenario.h"

/* A new object, or NULL with the error in root->fault. root is the parsed line
 * that s was made of. */
typedef struct json_object *(*answer_f)(struct scenario *s,
					const struct at *root, bool detail);

struct json_object *answer_preempt(struct scenario *s, const struct at *root,
				   bool detail);
struct json_object *answer_assign(struct scenario *s, const struct at *root,
				  bool detail);
struct json_object *answer_cycle(struct scenario *s, const struct at *root,
				 bool detail);

/* The value of "expect" of KAI's min-runtime rows of this kind. They need the
 * functions of quota/minruntime.h and holding/holding.h, and no engine. */
struct json_object *answer_kai(const char *kind, const struct at *root);

#endif /* LAB_ANSWER_H */
