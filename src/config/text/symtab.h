/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symtab.h - the names that a section of the document declares
 */
#ifndef COHORT_SYMTAB_H
#define COHORT_SYMTAB_H

#include <stddef.h>

struct symbol {
	const char *name;	/* the caller's, must outlive the table */
	int index;
	int line;
};

struct symtab;

/* NULL with errno = ENOMEM */
struct symtab *symtab_create(void);
void symtab_destroy(struct symtab *t);

/* Returns 0; 1 if the table has the name already (it is then unchanged); -1
 * with errno = ENOMEM. */
int symtab_add(struct symtab *t, const char *name, int index, int line);

/* NULL if there is no such name; valid until the next symtab_add() */
const struct symbol *symtab_find(const struct symtab *t, const char *name);

/* All names in the order in which they were added */
size_t symtab_count(const struct symtab *t);
const struct symbol *symtab_at(const struct symtab *t, size_t i);

#endif /* COHORT_SYMTAB_H */
