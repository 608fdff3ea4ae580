/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.c - how a command prints: text, parsable, JSON or YAML
 */
#define _GNU_SOURCE	/* vasprintf */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "output/output.h"
#include "output/text.h"
#include "text/printable.h"

#define WIDTH_DEFAULT 80
#define WIDTH_LEAST 40
#define JSON_FLAGS (JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE)

static int width_find(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int width = columns ? atoi(columns) : 0;

	if (width <= 0 && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		width = size.ws_col;
	if (width <= 0)
		return WIDTH_DEFAULT;
	return width < WIDTH_LEAST ? WIDTH_LEAST : width;
}

static bool color_find(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color)
	       && term && *term && strcmp(term, "dumb");
}

void output_init(struct output *out)
{
	*out = (struct output) {
		.color = color_find(),
		.width = width_find(),
		.file = stdout,
	};
}

static FILE *messages;		/* NULL: standard error */

void output_messages_to(FILE *file)
{
	messages = file;
}

static void line_write(FILE *file, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
		return;
	printable_put(text, file);
	putc('\n', file);
	free(text);
}

void stderr_line(const char *fmt, ...)
{
	va_list ap;

	if (!messages)
		fflush(stdout);
	va_start(ap, fmt);
	line_write(messages ? messages : stderr, fmt, ap);
	va_end(ap);
}

void output_error(void *arg, bool warning, const char *message)
{
	(void) arg;
	if (!warning)
		stderr_line("%s", message);
}

static const char *command = "scohort";

void output_command(const char *name)
{
	command = name;
}

bool complain(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n >= 0) {
		stderr_line("%s: %s", command, text);
		free(text);
	}
	return false;
}

void output_line(FILE *file, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line_write(file, fmt, ap);
	va_end(ap);
}

/* Names that slurmctld sends are bytes, and JSON is UTF-8. Only texts can be
 * ill-formed, so the document may be repaired as a whole. */
void output_document(const struct output *out, struct json_object *document)
{
	bool json = out->kind == OUTPUT_JSON;
	char *text = json ? utf8_mend(json_object_to_json_string_ext(document, JSON_FLAGS))
			  : yaml_dump(document);

	if (text)
		fprintf(out->file, json ? "%s\n" : "%s", text);
	else
		perror("scohort");
	free(text);
}

const char *paint_begin(const struct output *out, enum paint paint)
{
	static const char *const begin[] = {
		[PAINT_NONE] = "",	     [PAINT_BOLD] = "\033[1m", [PAINT_GREEN] = "\033[32m",
		[PAINT_YELLOW] = "\033[33m", [PAINT_RED] = "\033[31m",
	};

	return out->color ? begin[paint] : "";
}

const char *paint_end(const struct output *out, enum paint paint)
{
	return out->color && paint ? "\033[0m" : "";
}

/* Bytes of the next line of at most `room` columns: up to a blank, or a whole
 * word that is longer than that */
static size_t line_length(const char *text, int room)
{
	size_t end = 0, next;

	while (text[end]) {
		next = end + strspn(text + end, " ");
		next += strcspn(text + next, " ");
		if (end && text_columns(text, next) > room)
			break;
		end = next;
	}
	return end;
}

void output_wrap(const struct output *out, int first, int rest, const char *text)
{
	int indent = first;

	while (*text) {
		int room = out->width ? out->width - indent : 1 << 30;
		size_t n = line_length(text, room);

		fprintf(out->file, "%*s%.*s\n", indent, "", (int) n, text);
		text += n;
		text += strspn(text, " ");
		indent = rest;
	}
}
