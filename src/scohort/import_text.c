/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_text.c - comments and words of the file that scohort import writes
 */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "import.h"

#define WIDTH 80

/* Why there is no counterpart, where there is a reason to give */
static const struct {
	const char *key;
	const char *why;
} lost[] = {
	{ "admissionChecks", "a job starts when quota and nodes are there" },
	{ "admissionChecksStrategy",
	  "a job starts when quota and nodes are there" },
	{ "admissionScope", "usage in the past does not count" },
	{ "nodeTaints", "say who may use nodes with partitions or "
	  "reservations" },
	{ "tolerations", "say who may use nodes with partitions or "
	  "reservations" },
	{ "topologyName", "Slurm has topology.conf and --switches" },
};

void import_note(struct import *im, int indent, const char *fmt, ...)
{
	char text[1024], *word, *rest = NULL;
	int column = WIDTH + 1;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	for (word = strtok_r(text, " \n", &rest); word;
	     word = strtok_r(NULL, " \n", &rest)) {
		bool first = column > WIDTH;

		if (column + 1 + (int) strlen(word) > WIDTH) {
			column = fprintf(im->out, "%s%*s#", first ? "" : "\n",
					 indent, "");
			column -= !first;
		}
		column += fprintf(im->out, " %s", word);
	}
	fputc('\n', im->out);
}

/* Is it read as the text that it is, without quotes? */
static bool word_plain(const char *text)
{
	static const char *const reserved[] = { "true", "false", "null", "yes",
						"no", "on", "off", "y", "n" };

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (!strcasecmp(text, reserved[i]))
			return false;
	return isalpha((unsigned char) *text) &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
			   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] == '\0';
}

const char *import_word(const char *text)
{
	static char ring[4][1024];
	static size_t turn;
	char *buf = ring[turn++ % 4];
	size_t n = 0;

	if (word_plain(text) && strlen(text) < sizeof(ring[0])) {
		strcpy(buf, text);
		return buf;
	}
	buf[n++] = '"';
	for (; *text && n < sizeof(ring[0]) - 8; text++) {
		unsigned char c = (unsigned char) *text;

		if (c < 0x20 || c == 0x7f)
			n += (size_t) sprintf(buf + n, "\\x%02x", c);
		else if (c == '"' || c == '\\')
			n += (size_t) sprintf(buf + n, "\\%c", c);
		else
			buf[n++] = (char) c;
	}
	buf[n++] = '"';
	buf[n] = '\0';
	return buf;
}

static const char *lost_why(const char *key)
{
	for (size_t i = 0; i < sizeof(lost) / sizeof(lost[0]); i++)
		if (!strcmp(lost[i].key, key))
			return lost[i].why;
	return NULL;
}

void import_rest(struct import *im, const struct manifest *of, int indent,
		 const char *const *known)
{
	const struct node *spec = of->spec;

	for (size_t i = 0; spec && spec->kind == NODE_MAP && i < spec->nitems;
	     i += 2) {
		const char *key = spec->items[i]->text;
		const char *why = lost_why(key);
		const char *const *k = known;

		while (*k && strcmp(*k, key) != 0)
			k++;
		if (!*k)
			import_note(im, indent, "no counterpart: %s (%s:%d)%s%s",
				    quote(key).text, of->file,
				    spec->items[i]->line, why ? "; " : "",
				    why ? why : "");
	}
}
