/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - a whole file as one text
 */
#ifndef COHORT_FILE_H
#define COHORT_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* The file's text, not NUL-terminated, which the caller frees; "-" is standard
 * input. NULL with errno. Reads no further than the first byte beyond
 * DOCUMENT_BYTES_MAX. */
char *file_read(const char *path, size_t *len);

/* Is this a regular file that only root and `owner` (-1: the user that owns it)
 * can write? If not, returns -1, and err says what is wrong. */
int file_check_trusted(const char *path, uid_t owner, char *err, size_t size);

/* The path of a program that a daemon may run, without links, to be freed: an
 * executable file, and no folder on its way, or on the way to it as written, that
 * anybody but root and `owner` can change. If not, NULL, and err says what is
 * wrong. */
char *file_find_program(const char *path, uid_t owner, char *err, size_t size);
/* Is it one? If not, returns -1, and err says what is wrong. */
int file_check_program(const char *path, uid_t owner, char *err, size_t size);

/* The text of a file that steers a daemon, if the file is to be trusted.
 * Opening it never waits, as it would for a FIFO. NULL with a message in err,
 * also if the file is not to be trusted. */
char *file_read_trusted(const char *path, uid_t owner, size_t *len, char *err, size_t size);

#endif /* COHORT_FILE_H */
