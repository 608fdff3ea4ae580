/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symtab.c - names by hash: open addressing over an array in file order
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text/symtab.h"

struct symtab {
	struct symbol *symbols;
	size_t count;
	size_t *slots;		/* index into symbols + 1, 0 if free */
	size_t nslots;		/* a power of two, more than 2 * count */
};

static size_t name_hash(const char *name)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *name; name++)
		h = (h ^ (unsigned char) *name) * UINT64_C(1099511628211);
	return (size_t) (h ^ h >> 32);
}

/* The slot that holds the name, or the free one where it would go */
static size_t *slot_find(const struct symtab *t, const char *name)
{
	size_t i = name_hash(name) & (t->nslots - 1);

	while (t->slots[i] &&
	       strcmp(t->symbols[t->slots[i] - 1].name, name) != 0)
		i = (i + 1) & (t->nslots - 1);
	return &t->slots[i];
}

static int symtab_grow(struct symtab *t)
{
	size_t nslots = t->nslots ? 2 * t->nslots : 64;
	struct symbol *symbols;
	size_t *slots;

	symbols = realloc(t->symbols, nslots / 2 * sizeof(*symbols));
	if (!symbols)
		return -1;
	t->symbols = symbols;
	slots = calloc(nslots, sizeof(*slots));
	if (!slots)
		return -1;
	free(t->slots);
	t->slots = slots;
	t->nslots = nslots;
	for (size_t i = 0; i < t->count; i++)
		*slot_find(t, symbols[i].name) = i + 1;
	return 0;
}

struct symtab *symtab_create(void)
{
	struct symtab *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	if (symtab_grow(t) < 0) {
		symtab_destroy(t);
		return NULL;
	}
	return t;
}

void symtab_destroy(struct symtab *t)
{
	int saved = errno;

	if (!t)
		return;
	free(t->symbols);
	free(t->slots);
	free(t);
	errno = saved;
}

int symtab_add(struct symtab *t, const char *name, int index, int line)
{
	if (*slot_find(t, name))
		return 1;
	if (2 * (t->count + 1) >= t->nslots && symtab_grow(t) < 0)
		return -1;
	t->symbols[t->count] = (struct symbol) {
		.name = name, .index = index, .line = line,
	};
	*slot_find(t, name) = ++t->count;
	return 0;
}

const struct symbol *symtab_find(const struct symtab *t, const char *name)
{
	size_t slot = *slot_find(t, name);

	return slot ? &t->symbols[slot - 1] : NULL;
}

size_t symtab_count(const struct symtab *t)
{
	return t->count;
}

const struct symbol *symtab_at(const struct symtab *t, size_t i)
{
	return &t->symbols[i];
}
