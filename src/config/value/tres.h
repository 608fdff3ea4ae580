/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres.h - resources, amounts and TRES strings
 *
 * Resources have Slurm's TRES names: cpu, mem, node, gres/NAME[:TYPE],
 * license/NAME and so on. Amounts are whole: mem in MB, everything else a
 * count. The suffixes K, M, G, T and P multiply by powers of 1024 (for mem they
 * mean bytes: 512G is 524288 MB).
 */
#ifndef COHORT_TRES_H
#define COHORT_TRES_H

#include <stddef.h>
#include <stdint.h>

#define RESOURCE_NAME_MAX 63
#define AMOUNT_MAX ((INT64_C(1) << 53) - 1)	/* exact in JSON too */
#define TRES_VALUE_MAX 31

/* These return 0. Or -1, and err says what is wrong and what would be right; a
 * message puts it behind the name or value. */
int resource_check(const char *name, char *err, size_t size);
int amount_parse(const char *resource, const char *text, int64_t *amount, char *err, size_t size);

/* One element of a TRES string: "cpu=64" */
struct tres {
	char name[RESOURCE_NAME_MAX + 1];
	char value[TRES_VALUE_MAX + 1];
};

/* Takes the next element off *cursor: 1. At the end of the string: 0. On error:
 * -1 and err, which names the faulty element; *cursor is behind it. */
int tres_next(const char **cursor, struct tres *tres, char *err, size_t size);

/* Writes the amount as amount_parse() reads it, with the largest suffix that is exact */
void amount_format(const char *resource, int64_t amount, char *buf, size_t size);

#endif /* COHORT_TRES_H */
