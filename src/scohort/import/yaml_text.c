/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml_text.c - comments and words of the file that scohort import writes
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "output/output.h"
#include "text/printable.h"

#define WIDTH 80

/* Why there is no counterpart, for keys that have a reason */
static const struct {
	const char *key;
	const char *why;
} lost[] = {
	{ "admissionChecks", "a job starts when quota and nodes are there" },
	{ "admissionChecksStrategy", "a job starts when quota and nodes are there" },
	{ "nodeTaints", "use partitions or reservations to say who may use which nodes" },
	{ "tolerations", "use partitions or reservations to say who may use which nodes" },
	{ "topologyName", "Slurm has topology.conf and --switches" },
};

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

void import_lost(struct import *im, const struct node *at, int indent, const char *why,
		 const char *fmt, ...)
{
	const char *file = im->of->file, *sep = why ? "; " : "";
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	why = why ? why : "";
	import_note(im, indent, "no counterpart: %s (%s:%d)%s%s", text, file, at->line, sep, why);
	stderr_line("%.400s:%d: warning: no counterpart: %s%s%s", file, at->line, text, sep, why);
}

/* A character that needs an escape in double quotes; those of printable.h have
 * at most three bytes. Returns how many. */
static size_t word_escape(const char *text, char *to)
{
	const unsigned char *c = (const unsigned char *) text;
	size_t len = utf8_length(text, strlen(text));

	if (len < 2)
		sprintf(to, "\\x%02x", c[0]);
	else if (len == 2)
		sprintf(to, "\\u%04x", (c[0] & 0x1f) << 6 | (c[1] & 0x3f));
	else
		sprintf(to, "\\u%04x", (c[0] & 0x0f) << 12 | (c[1] & 0x3f) << 6 | (c[2] & 0x3f));
	return len ? len : 1;
}

const char *yaml_word(const char *text)
{
	static char ring[4][1024];
	static size_t turn;
	char *buf = ring[turn++ % 4];
	size_t n = 0;

	if (yaml_is_plain(text) && strlen(text) < sizeof(ring[0]))
		return strcpy(buf, text);
	buf[n++] = '"';
	while (*text && n < sizeof(ring[0]) - 8) {
		size_t len = printable_length(text);

		if (len) {
			if (strchr("\"\\", *text))
				buf[n++] = '\\';
			memcpy(buf + n, text, len);
			n += len;
		} else {
			len = word_escape(text, buf + n);
			n += strlen(buf + n);
		}
		text += len;
	}
	buf[n++] = '"';
	buf[n] = '\0';
	return buf;
}

void import_write_word(struct import *im, const struct node *map, const char *key, int indent)
{
	const char *text = node_text(map, key);

	if (text)
		fprintf(im->out, "%*s%s: %s\n", indent, "", key, yaml_word(text));
}

bool import_read_priority(struct import *im, const struct node *map, const char *key,
			  int64_t *number)
{
	const struct node *n = node_find(map, key);
	const char *text = node_text(map, key);
	char *end;

	*number = 0;
	if (!n)
		return true;
	errno = 0;
	if (text)
		*number = strtoll(text, &end, 10);
	if (text && !errno && end != text && !*end && *number >= INT32_MIN
	    && *number <= INT32_MAX)
		return true;
	import_error(im, n, "%s must be a whole number from -2147483648 to 2147483647", key);
	*number = 0;
	return false;
}

void import_note_rest(struct import *im, const char *const *known)
{
	const struct node *spec = im->of->spec;

	for (size_t i = 0; spec && spec->kind == NODE_MAP && i < spec->nitems; i += 2) {
		const char *key = spec->items[i]->text, *why = NULL;
		const char *const *k = known;

		while (*k && strcmp(*k, key) != 0)
			k++;
		for (size_t l = 0; l < sizeof(lost) / sizeof(lost[0]); l++)
			if (!strcmp(lost[l].key, key))
				why = lost[l].why;
		if (!*k)
			import_lost(im, spec->items[i], 4, why, "%s", quote(key).text);
	}
}
