/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - numbers, amounts and times as people read them
 *
 * Each fills the caller's buffer and returns it.
 */
#ifndef SCOHORT_TEXT_H
#define SCOHORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_SIZE 64	/* enough for any of these */

/* Such a buffer, and its size: it lives as long as the block in which this is written */
#define TEXT_BUF (char [TEXT_SIZE]) { 0 }, TEXT_SIZE

/* An amount of a resource: mem (MB) as 512G, 1.5T; all else is a count */
char *text_amount(char *buf, size_t size, const char *resource, int64_t amount);

/* "16 gres/gpu", "64G of mem" */
char *text_amount_of(char *buf, size_t size, const char *resource, int64_t amount);

/* Slurm's way: 0:52, 3:20:11, 2-04:00:00 */
char *text_duration(char *buf, size_t size, int64_t seconds);

/* A point in time, seconds since the epoch: "14:05:11" if it is on the day of
 * `now`, else "2026-11-21T14:05:11"; 0: "unknown" */
char *text_time(char *buf, size_t size, int64_t when, int64_t now);

/* Always with the date */
char *text_date(char *buf, size_t size, int64_t when);

/* Reads what text_date() writes, as the time zone here has it; false: it is no such date */
bool text_date_read(const char *text, int64_t *when);

/* "1st", "2nd", "3rd", "11th" */
char *text_ordinal(char *buf, size_t size, int64_t n);

/* Appends to the text in buf; what does not fit is cut off. */
void text_append(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same to a list: after ", " if that is not empty */
void text_join(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "" or "s" */
static inline const char *text_s(int64_t n)
{
	return n == 1 ? "" : "s";
}

/* How many columns the first n bytes of UTF-8 take, and how many bytes the first n columns */
int text_columns(const char *text, size_t n);
size_t text_bytes(const char *text, int columns);

/* Unprintable characters (printable.h), which names of jobs may have, become '?'. */
void text_sanitize(char *text);

/* A whole non-negative decimal number; false: it is none */
bool text_number(const char *text, int64_t *number);

#endif /* SCOHORT_TEXT_H */
