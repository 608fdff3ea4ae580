/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agenda.c - appointments, by time
 */
#include <stdbool.h>
#include <stdlib.h>

#include "lib/agenda.h"
#include "lib/heap.h"

static bool appointment_before(const void *x, const void *y)
{
	const struct appointment *a = x, *b = y;

	return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static const struct heap_order by_time = {
	sizeof(struct appointment), appointment_before
};

static int agenda_grow(struct agenda *agenda)
{
	size_t size = agenda->size ? 2 * agenda->size : 64;
	struct appointment *heap = realloc(agenda->heap, size * sizeof(*heap));

	if (!heap)
		return -1;
	agenda->heap = heap;
	agenda->size = size;
	return 0;
}

int agenda_add(struct agenda *agenda, const struct appointment *a)
{
	struct appointment *added;

	if (agenda->n == agenda->size && agenda_grow(agenda) < 0)
		return -1;
	added = &agenda->heap[agenda->n];
	*added = *a;
	added->number = agenda->numbers++;
	heap_raise(&by_time, agenda->heap, agenda->n++);
	return 0;
}

const struct appointment *agenda_first(const struct agenda *agenda)
{
	return agenda->n ? &agenda->heap[0] : NULL;
}

struct appointment agenda_take(struct agenda *agenda)
{
	heap_drop_first(&by_time, agenda->heap, agenda->n);
	return agenda->heap[--agenda->n];
}

void agenda_free(struct agenda *agenda)
{
	free(agenda->heap);
	*agenda = (struct agenda) { 0 };
}
