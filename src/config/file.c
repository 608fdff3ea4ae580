/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.c - a whole file as one text
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "file.h"

/* Reads all of f, up to one byte more than a document may have; NULL with
 * errno. Not by its size: it may be a pipe. */
static char *stream_read(FILE *f, size_t *len)
{
	size_t room = 0, n = 0, got;
	char *text = NULL, *grown;

	do {
		if (n == room) {
			room = room ? 2 * room : 65536;
			grown = realloc(text, room);
			if (!grown)
				break;
			text = grown;
		}
		got = fread(text + n, 1, room - n, f);
		n += got;
	} while (got && n <= DOCUMENT_BYTES_MAX);
	*len = n;
	if (!ferror(f) && (n < room || n > DOCUMENT_BYTES_MAX))
		return text;
	free(text);
	return NULL;
}

char *file_read(const char *path, size_t *len)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	char *text;
	int saved;

	if (!f)
		return NULL;
	text = stream_read(f, len);
	saved = errno;
	if (f != stdin)
		fclose(f);
	errno = saved;
	return text;
}

