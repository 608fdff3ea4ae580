/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numbering.c - a number for each text that is in use
 */
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

static struct numbered *numbered_find(const struct numbering *n, const char *text, uint64_t hash)
{
	struct hash_link *link;

	for (link = hash_first(&n->texts, hash); link; link = hash_next(link)) {
		struct numbered *t = container_of(link, struct numbered, link);

		if (!strcmp(t->text, text))
			return t;
	}
	return NULL;
}

/* A number that is not in use; 0: no memory */
static int number_find(struct numbering *n)
{
	size_t size = n->size ? 2 * n->size : FIRST_SIZE;
	struct numbered **list;

	while (n->first_unused < n->size && n->list[n->first_unused])
		n->first_unused++;
	if (n->first_unused < n->size)
		return (int) n->first_unused;
	list = realloc(n->list, size * sizeof(*list));
	if (!list)
		return 0;
	for (size_t i = n->size; i < size; i++)
		list[i] = NULL;
	if (!n->size)
		n->first_unused = 1;	/* 0 is no number */
	n->list = list;
	n->size = size;
	return (int) n->first_unused;
}

static struct numbered *numbered_new(struct numbering *n, const char *text, uint64_t hash)
{
	size_t size = strlen(text) + 1;
	struct numbered *t = calloc(1, sizeof(*t) + size);

	if (!t)
		return NULL;
	memcpy(t->text, text, size);
	t->number = number_find(n);
	if (!t->number || hash_insert(&n->texts, &t->link, hash) < 0) {
		free(t);
		return NULL;
	}
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
	if ((size_t) number < n->first_unused)
		n->first_unused = (size_t) number;
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
