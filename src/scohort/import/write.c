/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write.c - comments, words and fields of the file that scohort import writes
 */
#include <stdarg.h>
#include <string.h>

#include "import/import.h"
#include "output/output.h"
#include "text/printable.h"

#define WIDTH 80

/* ---- comments ---- */

void import_head(struct import *im, const char **heading)
{
	if (*heading)
		fputs(*heading, im->out);
	*heading = NULL;
}

void import_note(struct import *im, int indent, const char *fmt, ...)
{
	char raw[1024], text[4 * sizeof(raw)] = "", *word, *rest = NULL;
	int column = WIDTH + 1;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	printable_append(text, sizeof(text), raw, sizeof(text));
	for (word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		bool first = column > WIDTH;

		if (column + 1 + (int) strlen(word) > WIDTH) {
			column = fprintf(im->out, "%s%*s#", first ? "" : "\n", indent, "");
			column -= !first;
		}
		column += fprintf(im->out, " %s", word);
	}
	fputc('\n', im->out);
}

void import_lost(struct import *im, const struct node *at, int indent, const char *fmt, ...)
{
	const struct manifest_file *file = im->of->file;
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	import_note(im, indent, "no counterpart: %s (%s:%d)", text, file->name, at->line);
	report_warning(file->report, NULL, at->line, "no counterpart: %s", text);
}

/* ---- words ---- */

/* A character that can't be shown becomes \xNN for each byte: no name that cohort.yaml
 * may have has one. */
const char *yaml_word(const char *text)
{
	static char ring[4][1024];
	static size_t turn;
	char *buf = ring[turn++ % 4];
	size_t n = 0;

	if (yaml_is_plain(text))
		return text;
	buf[n++] = '"';
	while (*text && n < sizeof(ring[0]) - 8) {
		size_t len = printable_length(text);

		if (!len)
			n += (size_t) sprintf(buf + n, "\\x%02x", (unsigned char) *text);
		else if (strchr("\"\\", *text))
			buf[n++] = '\\';
		memcpy(buf + n, text, len);
		n += len;
		text += len ? len : 1;
	}
	strcpy(buf + n, "\"");
	return buf;
}

/* ---- fields ---- */

void field_elsewhere(struct import *im, const struct node *value, int indent)
{
	(void) im;
	(void) value;
	(void) indent;
}

/* Kubernetes prints what nobody has set, too. */
static bool asks_nothing(const struct node *value)
{
	return value->kind != NODE_SCALAR ? !value->nitems
					  : !*value->text || !strcmp(value->text, "None");
}

void fields_check(struct import *im, const struct node *map, const struct field *fields, int indent)
{
	const char *space = im->of->kind == MANIFEST_LOCAL_QUEUE ? im->of->space : "";

	for (size_t i = 0; map && map->kind == NODE_MAP && i < map->nitems; i += 2) {
		const struct node *key = map->items[i];
		const struct field *f = fields;

		while (f->key && strcmp(f->key, key->text) != 0)
			f++;
		if (!f->key && !asks_nothing(map->items[i + 1]))
			import_lost(im, key, indent, "%s of %s %s%s%s", quote(key->text).text,
				    im->of->kind_name, space, *space ? "/" : "", im->of->name);
	}
}

void fields_write(struct import *im, const struct node *map, const struct field *fields, int indent)
{
	for (const struct field *f = fields; f->key; f++) {
		const struct node *value = node_find(map, f->key);

		if (!value)
			continue;
		if (f->write) {
			f->write(im, value, indent);
		} else if (!f->fields) {
			if (value->kind == NODE_SCALAR)
				fprintf(im->out, "%*s%s: %s\n", indent, "", f->key,
					yaml_word(value->text));
		} else if (value->kind == NODE_MAP && value->nitems) {
			fprintf(im->out, "%*s%s:\n", indent, "", f->key);
			fields_check(im, value, f->fields, indent + 2);
			fields_write(im, value, f->fields, indent + 2);
		}
	}
}
