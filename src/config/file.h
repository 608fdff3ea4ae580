/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - a whole file as one text
 */
#ifndef COHORT_FILE_H
#define COHORT_FILE_H

#include <stddef.h>

/* The file's text, not NUL-terminated, to be freed; "-" is standard input.
 * NULL with errno. Reading ends with the first byte beyond
 * DOCUMENT_BYTES_MAX. */
char *file_read(const char *path, size_t *len);

#endif /* COHORT_FILE_H */
