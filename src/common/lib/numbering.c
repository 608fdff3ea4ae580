/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numbering.c - a number for each text that is in use
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/numbering.h"
#include "lib/container.h"

#define FIRST_SIZE 64

struct numbered {
	struct hash_link link;
	size_t users;
	int number;
	char text[];
};

static struct numbered *numbered_find(const struct numbering *n,
				      const char *text, uint64_t hash)
{
	struct hash_link *link;

	for (link = hash_first(&n->texts, hash); link; link = hash_next(link)) {
		struct numbered *t = container_of(link, struct numbered, link);

		if (!strcmp(t->text, text))
			return t;
	}
	return NULL;
}

/* Makes room for twice as many; the new numbers are unused */
static int numbering_grow(struct numbering *n)
{
	size_t size = n->size ? 2 * n->size : FIRST_SIZE;
	struct numbered **list = realloc(n->list, size * sizeof(*list));
	int *unused;

	if (!list)
		return -1;
	n->list = list;
	unused = realloc(n->unused, size * sizeof(*unused));
	if (!unused)
		return -1;
	n->unused = unused;
	for (size_t i = size; i-- > n->size; ) {
		n->list[i] = NULL;
		if (i)		/* 0 is no number */
			n->unused[n->nunused++] = (int) i;
	}
	n->size = size;
	return 0;
}

static struct numbered *numbered_new(struct numbering *n, const char *text,
				     uint64_t hash)
{
	size_t size = strlen(text) + 1;
	struct numbered *t;

	if (!n->nunused && numbering_grow(n) < 0)
		return NULL;
	t = calloc(1, sizeof(*t) + size);
	if (!t)
		return NULL;
	memcpy(t->text, text, size);
	if (hash_insert(&n->texts, &t->link, hash) < 0) {
		free(t);
		return NULL;
	}
	t->number = n->unused[--n->nunused];
	n->list[t->number] = t;
	return t;
}

int numbering_take(struct numbering *n, const char *text)
{
	uint64_t hash = hash_bytes(HASH_INIT, text, strlen(text));
	struct numbered *t = numbered_find(n, text, hash);

	if (!t)
		t = numbered_new(n, text, hash);
	if (!t)
		return 0;
	t->users++;
	return t->number;
}

void numbering_put(struct numbering *n, int number)
{
	struct numbered *t = number ? n->list[number] : NULL;

	if (!t || --t->users)
		return;
	n->list[number] = NULL;
	n->unused[n->nunused++] = number;
	hash_remove(&n->texts, &t->link);
	free(t);
}

const char *numbering_text(const struct numbering *n, int number)
{
	return number > 0 && (size_t) number < n->size && n->list[number]
	       ? n->list[number]->text : NULL;
}

size_t numbering_count(const struct numbering *n)
{
	return n->texts.n;
}

void numbering_clear(struct numbering *n)
{
	int saved_errno = errno;

	for (size_t i = 0; i < n->size; i++)
		free(n->list[i]);
	hash_destroy(&n->texts);
	free(n->list);
	free(n->unused);
	*n = (struct numbering) { .size = 0 };
	errno = saved_errno;
}
