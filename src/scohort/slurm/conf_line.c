/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_line.c - lines of slurm.conf, and the pairs of key and value in them
 *
 * As Slurm reads them (parse_config.c): a '#' begins a comment, a '\' at the end of a line
 * joins it with the next one, a '\' before another character stands for that. This takes more
 * than Slurm does, so that nothing private is missed: any line may have several pairs.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "slurm/conf_path.h"

#define SPACE " \t\r\n\v\f"

static void comment_cut(char *text)
{
	bool escaped = false;

	for (; *text && (*text != '#' || escaped); text++)
		escaped = *text == '\\' && !escaped;
	*text = '\0';
}

/* True: the line goes on, and its last '\' is gone. */
static bool continuation_cut(char *text)
{
	size_t end = strlen(text), begin;

	while (end && isspace((unsigned char) text[end - 1]))
		end--;
	for (begin = end; begin && text[begin - 1] == '\\';)
		begin--;
	if ((end - begin) % 2 == 0)
		return false;
	text[end - 1] = '\0';
	return true;
}

static void escapes_strip(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '\\' && text[1])
			text++;
		*to++ = *text++;
	}
	*to = '\0';
}

/* False: no memory */
static bool part_add(struct conf_line *line, const char *part)
{
	size_t used = line->text ? strlen(line->text) : 0;
	size_t size = used + strlen(part) + 1;
	char *text = size > line->size ? realloc(line->text, size) : line->text;

	if (!text)
		return false;
	strcpy(text + used, part);
	line->text = text;
	line->size = size > line->size ? size : line->size;
	return true;
}

bool conf_line_read(struct conf_line *line, FILE *file)
{
	bool any = false, more = true, kept = true;
	char *part = NULL;
	size_t room = 0;

	if (line->text)
		*line->text = '\0';
	while (more && kept && getline(&part, &room, file) >= 0) {
		comment_cut(part);
		more = continuation_cut(part);
		kept = part_add(line, part);
		any = true;
	}
	free(part);
	/* getline() without memory has not come to the end, either */
	line->failed = !kept || ferror(file) || ((!any || more) && !feof(file));
	if (line->failed)
		return false;
	if (any)
		escapes_strip(line->text);
	return any;
}

static bool is_of_key(char c)
{
	return isalnum((unsigned char) c) || c == '_' || c == '.';
}

/* The key and '=' with an operator before it; what follows is the value. NULL: none */
static char *key_cut(char *text, char **key)
{
	char *end;

	*key = text + strspn(text, SPACE);
	for (end = *key; is_of_key(*end);)
		end++;
	text = end + strspn(end, SPACE);
	if (*text && strchr("-*+/", *text))
		text++;
	if (end == *key || *text != '=')
		return NULL;
	*end = '\0';
	text++;
	return text + strspn(text, SPACE);
}

bool conf_line_pair(char **rest, char **key, char **value)
{
	char *text = key_cut(*rest, key), *close;

	if (!text || !*text)
		return false;
	close = *text == '"' ? strchr(text + 1, '"') : NULL;
	*value = close ? text + 1 : text;
	text = close ? close : text + strcspn(text, SPACE);
	*rest = *text ? text + 1 : text;
	*text = '\0';
	return true;
}
