/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agenda.c - what is going to happen, by time
 */
#include <stdbool.h>
#include <stdlib.h>

#include "lib/agenda.h"

static bool appointment_before(const struct appointment *a,
			       const struct appointment *b)
{
	return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static void appointments_swap(struct appointment *a, struct appointment *b)
{
	struct appointment t = *a;

	*a = *b;
	*b = t;
}

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
	struct appointment *heap;
	size_t i = agenda->n;

	if (i == agenda->size && agenda_grow(agenda) < 0)
		return -1;
	heap = agenda->heap;
	heap[i] = *a;
	heap[i].number = agenda->numbers++;
	agenda->n++;
	for (; i && appointment_before(&heap[i], &heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		appointments_swap(&heap[i], &heap[(i - 1) / 2]);
	return 0;
}

const struct appointment *agenda_first(const struct agenda *agenda)
{
	return agenda->n ? &agenda->heap[0] : NULL;
}

struct appointment agenda_take(struct agenda *agenda)
{
	struct appointment *heap = agenda->heap, first = heap[0];
	size_t i = 0, child;

	heap[0] = heap[--agenda->n];
	while ((child = 2 * i + 1) < agenda->n) {
		if (child + 1 < agenda->n
		    && appointment_before(&heap[child + 1], &heap[child]))
			child++;
		if (!appointment_before(&heap[child], &heap[i]))
			break;
		appointments_swap(&heap[i], &heap[child]);
		i = child;
	}
	return first;
}

void agenda_free(struct agenda *agenda)
{
	free(agenda->heap);
	*agenda = (struct agenda) { 0 };
}
