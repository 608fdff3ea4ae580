/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.c - the lines of a file, gzip or plain
 *
 * zlib reads an uncompressed file as it is. Its gzgets() returns no length, so
 * a NUL would hide the rest of its line. So the lines are cut here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "input/lines.h"

#define FIRST_SIZE (1 << 16)
#define LONGEST_LINE ((size_t) 1 << 30)

struct lines {
	gzFile gz;
	char *buf;
	size_t size;
	size_t start;		/* what has not been returned yet */
	size_t end;
	size_t number;
	bool eof;
};

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
	if (l && l->gz) {
		if (!ends_in_gz(path) || !gzdirect(l->gz))
			return l;
		snprintf(err, size, "it is not compressed with gzip, although "
			 "its name ends in .gz");
		lines_close(l);
		return NULL;
	}
	snprintf(err, size, "%s", strerror(errno));
	if (fd >= 0)
		close(fd);
	free(l);
	return NULL;
}

void lines_close(struct lines *l)
{
	int saved = errno;

	if (!l)
		return;
	gzclose(l->gz);
	free(l->buf);
	free(l);
	errno = saved;
}

size_t lines_number(const struct lines *l)
{
	return l->number;
}

/* Makes room behind the present data: moves it down, or gets a larger
 * buffer. */
static int lines_room(struct lines *l, char *err, size_t size)
{
	size_t want = l->size ? 2 * l->size : FIRST_SIZE;
	char *buf;

	if (l->start) {
		memmove(l->buf, l->buf + l->start, l->end - l->start);
		l->end -= l->start;
		l->start = 0;
	}
	if (l->end < l->size)
		return 0;
	if (l->size >= LONGEST_LINE) {
		snprintf(err, size, "the line is too long");
		return -1;
	}
	buf = realloc(l->buf, want);
	if (!buf) {
		snprintf(err, size, "%s", strerror(errno));
		return -1;
	}
	l->buf = buf;
	l->size = want;
	return 0;
}

static int lines_fill(struct lines *l, char *err, size_t size)
{
	int n, code;
	const char *why, *colon;

	if (lines_room(l, err, size) < 0)
		return -1;
	n = gzread(l->gz, l->buf + l->end, l->size - l->end);
	if (n > 0) {
		l->end += n;
		return 0;
	}
	why = gzerror(l->gz, &code);
	if (n == 0 && (code == Z_OK || code == Z_STREAM_END)) {
		l->eof = true;
		return 0;
	}
	/* zlib puts "<fd:3>: " in front, which helps no reader */
	colon = strstr(why, ">: ");
	if (code == Z_ERRNO)
		why = strerror(errno);
	else if (colon)
		why = colon + 3;
	snprintf(err, size, "%s", why);
	return -1;
}

int lines_next(struct lines *l, const char **line, size_t *len, char *err, size_t size)
{
	size_t seen = 0;
	char *nl = NULL;

	l->number++;
	for (;;) {
		size_t have = l->end - l->start;

		if (have > seen)
			nl = memchr(l->buf + l->start + seen, '\n', have - seen);
		if (nl || l->eof)
			break;
		seen = have;
		if (lines_fill(l, err, size) < 0)
			return -1;
	}
	if (!nl && l->start == l->end)
		return 0;
	*line = l->buf + l->start;
	*len = (nl ? (size_t) (nl - l->buf) : l->end) - l->start;
	l->start += *len + (nl ? 1 : 0);
	return 1;
}
