/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - how a command prints: text, parsable, JSON or YAML
 *
 * A command makes one JSON object (its document) with stable names in it, and
 * text that has no more facts than the document.
 */
#ifndef SCOHORT_OUTPUT_H
#define SCOHORT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <json.h>

enum output_kind {
	OUTPUT_TEXT,		/* for people */
	OUTPUT_PARSABLE,	/* -P: fields separated by | */
	OUTPUT_JSON,
	OUTPUT_YAML,
};

enum paint { PAINT_NONE, PAINT_BOLD, PAINT_GREEN, PAINT_YELLOW, PAINT_RED };

struct output {
	enum output_kind kind;
	bool no_header;		/* -n */
	bool color;
	int width;		/* of a line of text; 0: no bound */
	const char *format;	/* -o, or the choice of SCOHORT_FORMAT; or NULL */
	bool format_is_env;
	FILE *file;
};

/* Text on standard output, colours and width as the terminal has them:
 * COLUMNS, else the terminal's, else 80. NO_COLOR is honoured. */
void output_init(struct output *out);

/* Does the output want the document rather than text? */
static inline bool output_is_data(const struct output *out)
{
	return out->kind == OUTPUT_JSON || out->kind == OUTPUT_YAML;
}

/* A message for people, a line on standard error: unprintable characters
 * (printable.h) become \xNN. Earlier standard output is written before it. */
void stderr_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same after the name of the command, which cli_parse() has set. Returns false. */
bool complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void output_command(const char *name);

/* Errors go there, warnings nowhere: fits conf_report_f */
void output_error(void *arg, bool warning, const char *message);

/* The same as a line of a file that is written */
void output_line(FILE *file, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Messages of stderr_line() go there from now on; NULL: to standard error again */
void output_messages_to(FILE *file);

/* Prints the document as JSON or YAML, both UTF-8. */
void output_document(const struct output *out, struct json_object *document);

/* ---- yaml.c ---- */

/* A JSON value as a YAML document, freed by the caller. Strings stay strings. */
char *yaml_dump(struct json_object *value);

/* Is the text the same in YAML without quotes? False for anything unusual */
bool yaml_is_plain(const char *text);

/* ---- text ---- */

/* Escape sequences around a piece of text, "" where there is no colour */
const char *paint_begin(const struct output *out, enum paint paint);
const char *paint_end(const struct output *out, enum paint paint);

/* A sentence or paragraph, broken between words to fit the width; the first
 * line is indented by `first` blanks, the others by `rest`. */
void output_wrap(const struct output *out, int first, int rest, const char *text);

#endif /* SCOHORT_OUTPUT_H */
