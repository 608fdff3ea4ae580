/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.c - a file of scenarios, one JSON object a line, gzip or plain
 */
#include <string.h>

#include "eval/scenario.h"
#include "eval/source.h"
#include "input/lines.h"
#include "output/output.h"

static bool is_blank(const char *line, size_t len)
{
	while (len && strchr(" \t\r", line[len - 1]) && line[len - 1])
		len--;
	return !len;
}

/* What a line holds is taken; returns false, with the error in fault, if it is wrong. */
static bool line_take(const char *line, size_t len, struct fault *fault,
		      source_take_f take, void *arg)
{
	struct json_object *json = scenario_parse(line, len, fault->buf, fault->size);
	struct at root;

	fault->set = !json;
	at_root(&root, json, fault);
	if (json) {
		const char *id = at_name(&root, "id"), *kind = at_name(&root, "kind");

		take(arg, &root, id, kind);
	}
	json_object_put(json);
	return !fault->set;
}

void source_read(struct source *src, const char *path, source_take_f take, void *arg)
{
	bool stdin_too = !strcmp(path, "-");
	char err[512] = "";
	struct fault fault = { .buf = err, .size = sizeof(err) };
	struct lines *lines = lines_open(stdin_too ? NULL : path, err, sizeof(err));
	const char *line;
	size_t len;
	int more = 1;

	src->name = stdin_too ? "standard input" : path;
	if (!lines) {
		src->errors++;
		stderr_line("engine-lab: %s: %s", src->name, err);
	}
	while (lines && more > 0) {
		more = lines_next(lines, &line, &len, err, sizeof(err));
		src->line = lines_number(lines);
		if (!more || (more > 0 && is_blank(line, len)))
			continue;
		src->scenarios += more > 0;
		if (more < 0 || !line_take(line, len, &fault, take, arg)) {
			src->errors++;
			stderr_line("%s:%zu: %s", src->name, src->line, err);
		}
	}
	lines_close(lines);
}
