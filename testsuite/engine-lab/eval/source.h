/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - a file of scenarios, one JSON object a line, gzip or plain
 */
#ifndef LAB_SOURCE_H
#define LAB_SOURCE_H

#include "eval/json_reader.h"

struct source {
	const char *name;	/* for messages */
	size_t line;
	size_t scenarios, errors;
};

typedef void (*source_take_f)(void *arg, const struct at *root, const char *id,
			      const char *kind);

/* Calls take() for each object; what take() records in root->fault is reported with
 * file and line, as is what can't be read. "-" is standard input. */
void source_read(struct source *src, const char *path, source_take_f take, void *arg);

#endif /* LAB_SOURCE_H */
