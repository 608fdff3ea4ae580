/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.c - the lines of a file, gzip or plain
 *
 * zlib reads an uncompressed file as it is. Its gzgets() returns no length, so
 * a NUL would hide the rest of its line: getline() reads through it.
 */
#define _GNU_SOURCE	/* fopencookie */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "input/lines.h"

#define LONGEST_LINE ((size_t) 1 << 30)
#define BUFFER_SIZE (1 << 16)

struct lines {
	gzFile gz;
	FILE *file;		/* what zlib reads */
	char *line;
	size_t room, number;
	size_t left;		/* that may be read for this line */
};

static ssize_t bytes_read(void *cookie, char *buf, size_t size)
{
	struct lines *l = cookie;
	int n = gzread(l->gz, buf, (unsigned) (size < l->left ? size : l->left));

	l->left -= n > 0 ? (size_t) n : 0;
	return n;
}

static bool ends_in_gz(const char *path)
{
	size_t len = path ? strlen(path) : 0;

	return len > 3 && !strcmp(path + len - 3, ".gz");
}

struct lines *lines_open(const char *path, char *err, size_t size)
{
	struct lines *l = calloc(1, sizeof(*l));
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);

	if (l && fd >= 0)
		l->gz = gzdopen(fd, "rb");
	if (l && l->gz)
		l->file = fopencookie(l, "r", (cookie_io_functions_t) { .read = bytes_read });
	if (l && l->file && (!ends_in_gz(path) || !gzdirect(l->gz))) {
		(void) setvbuf(l->file, NULL, _IOFBF, BUFFER_SIZE);
		return l;
	}
	snprintf(err, size, "%s", l && l->file ? "it is not compressed with gzip, although its "
						 "name ends in .gz" : strerror(errno));
	if (fd >= 0 && !(l && l->gz))
		close(fd);
	lines_close(l);
	return NULL;
}

void lines_close(struct lines *l)
{
	int saved = errno;

	if (!l)
		return;
	if (l->file)
		fclose(l->file);
	if (l->gz)
		gzclose(l->gz);
	free(l->line);
	free(l);
	errno = saved;
}

size_t lines_number(const struct lines *l)
{
	return l->number;
}

static const char *why_failed(struct lines *l)
{
	int code;
	const char *why = gzerror(l->gz, &code), *colon = strstr(why, ">: ");

	if (!l->left)
		return "the line is too long";
	if (code == Z_ERRNO || code == Z_OK)
		return strerror(errno);
	return colon ? colon + 3 : why;	/* zlib puts "<fd:3>: " in front */
}

int lines_next(struct lines *l, const char **line, size_t *len, char *err, size_t size)
{
	ssize_t n;
	int code;

	l->number++;
	l->left = LONGEST_LINE;
	n = getline(&l->line, &l->room, l->file);
	(void) gzerror(l->gz, &code);
	/* at the end zlib says if the file is cut */
	if (ferror(l->file) || !l->left
	    || (feof(l->file) && code != Z_OK && code != Z_STREAM_END)) {
		snprintf(err, size, "%s", why_failed(l));
		return -1;
	}
	if (n < 0)
		return 0;
	*line = l->line;
	*len = (size_t) n - (l->line[n - 1] == '\n');
	return 1;
}
