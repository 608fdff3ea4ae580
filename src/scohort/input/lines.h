/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - the lines of a file, gzip or plain
 */
#ifndef SCOHORT_LINES_H
#define SCOHORT_LINES_H

#include <stddef.h>

struct lines;

/* NULL stands for standard input. A file whose name ends in .gz has to be
 * gzip. Returns NULL with a message in err. */
struct lines *lines_open(const char *path, char *err, size_t size);

/* The next line without its newline, not NUL-terminated, valid until the next
 * call. 1: there is one; 0: the end; -1: an error, message in err; reading
 * cannot go on after it. A last line without newline counts. */
int lines_next(struct lines *l, const char **line, size_t *len, char *err, size_t size);

/* Number of the line last returned, first = 1 */
size_t lines_number(const struct lines *l);

/* NULL is allowed, errno is kept. */
void lines_close(struct lines *l);

#endif /* SCOHORT_LINES_H */
