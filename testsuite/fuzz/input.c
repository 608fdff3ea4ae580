/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.c - shared by the fuzz targets
 */
#define _GNU_SOURCE	/* memfd_create */
#include <sys/mman.h>
#include <unistd.h>

#include "input.h"
#include "text/printable.h"

const char *input_file(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("input", MFD_CLOEXEC);
	require(fd >= 0);
	require(!ftruncate(fd, 0));
	require(pwrite(fd, data, size, 0) == (ssize_t) size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

char **input_texts(const uint8_t *data, size_t size, size_t n)
{
	char **texts = calloc(n, sizeof(*texts));

	require(texts);
	for (size_t i = 0; i < n; i++) {
		size_t len = size ? strnlen((const char *) data, size) : 0;

		texts[i] = strndup(size ? (const char *) data : "", len);
		require(texts[i]);
		len += len < size;
		data += len;
		size -= len;
	}
	return texts;
}

void input_texts_free(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

void input_report(void *arg, bool warning, const char *message)
{
	(void) arg;
	(void) warning;
	require(*message);
	require(!strpbrk(message, "\n\r\033"));
	require(utf8_span(message, strlen(message)) == strlen(message));
}
