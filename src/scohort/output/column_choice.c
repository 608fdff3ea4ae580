/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * column_choice.c - which columns a table has: NAME[%[-]WIDTH],...
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "output/column_choice.h"

#define WIDTH_MAX 1000

static size_t columns_count(const struct column *columns)
{
	size_t n = 0;

	while (columns[n].name)
		n++;
	return n;
}

static const struct column *column_find(const struct column *columns,
					const char *name, size_t len)
{
	for (; columns->name; columns++)
		if (strlen(columns->name) == len
		    && !strncasecmp(columns->name, name, len))
			return columns;
	return NULL;
}

/* "%-20" -> width and side; false: it is no width */
static bool width_parse(const char *text, size_t len, struct column_choice *c)
{
	long width = 0;
	size_t i = 1;

	c->left = len > 1 && text[1] == '-';
	i += c->left;
	if (i == len)
		return false;
	for (; i < len; i++) {
		if (!isdigit((unsigned char) text[i]) || width > WIDTH_MAX)
			return false;
		width = width * 10 + text[i] - '0';
	}
	c->width = (int) width;
	return width > 0 && width <= WIDTH_MAX;
}

static bool item_parse(const struct column *columns, const char *item,
		       size_t len, struct column_choice *c, char *err,
		       size_t size)
{
	const char *percent = memchr(item, '%', len);
	size_t name = percent ? (size_t) (percent - item) : len;

	c->column = column_find(columns, item, name);
	if (!c->column) {
		snprintf(err, size, "\"%.*s\" is not a field (-e lists the "
			 "fields)",
			 (int) name, item);
		return false;
	}
	c->left = !(c->column->flags & COLUMN_RIGHT);
	if (percent && !width_parse(percent, len - name, c)) {
		snprintf(err, size, "\"%.*s\": the width is not a number from "
			 "1 to %d", (int) len, item, WIDTH_MAX);
		return false;
	}
	return true;
}

static size_t all_choose(const struct column *columns, struct column_choice *c)
{
	size_t n = columns_count(columns);

	for (size_t i = 0; i < n; i++) {
		c[i].column = &columns[i];
		c[i].left = !(columns[i].flags & COLUMN_RIGHT);
	}
	return n;
}

struct column_choice *format_parse(const struct column *columns,
				   const char *format, size_t *n, char *err,
				   size_t size)
{
	size_t most = strlen(format) + 1, all = columns_count(columns);
	struct column_choice *choices =
		calloc(most * (all + 1), sizeof(*choices));
	size_t len;

	*n = 0;
	if (!choices) {
		snprintf(err, size, "out of memory");
		return NULL;
	}
	for (const char *p = format;; p += len + 1) {
		len = strcspn(p, ",");
		if (len == 3 && !strncasecmp(p, "all", 3)) {
			*n += all_choose(columns, choices + *n);
		} else if (!item_parse(columns, p, len, &choices[(*n)++], err,
				       size)) {
			free(choices);
			return NULL;
		}
		if (!p[len])
			return choices;
	}
}
