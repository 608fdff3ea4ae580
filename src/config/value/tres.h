/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tres.h - resources, amounts and TRES strings
 *
 * Resources have Slurm's TRES names: cpu, mem, node, gres/NAME[:TYPE],
 * license/NAME and the rest of them. Amounts are whole: mem in MB, everything
 * else a count; the suffixes K, M, G, T and P multiply by powers of 1024
 * (for mem they are bytes: 512G is 524288 MB).
 */
#ifndef COHORT_TRES_H
#define COHORT_TRES_H

#include <stddef.h>
#include <stdint.h>

#define RESOURCE_NAME_MAX 63
#define AMOUNT_MAX ((INT64_C(1) << 53) - 1)	/* exact in JSON too */
#define TRES_VALUE_MAX 31

/* These return 0, or -1 with what is wrong in err (and what would be right),
 * to be put behind the name or value in a message. */
int resource_check(const char *name, char *err, size_t size);
int amount_parse(const char *resource, const char *text, int64_t *amount,
		 char *err, size_t size);

/* One element of a TRES string: "cpu=64" */
struct tres {
	char name[RESOURCE_NAME_MAX + 1];
	char value[TRES_VALUE_MAX + 1];
};

/* Takes the next element off *cursor: 1; 0 at the end of the string; -1 with
 * err, which names the faulty element, and *cursor behind it. */
int tres_next(const char **cursor, struct tres *tres, char *err, size_t size);

/* As amount_parse() takes it, with the largest suffix that is exact */
void amount_format(const char *resource, int64_t amount, char *buf,
		   size_t size);

#endif /* COHORT_TRES_H */
