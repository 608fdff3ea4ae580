/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.h - arrays whose first element comes before all others
 *
 * The array is the caller's, and so is the count of its elements: nothing is
 * allocated here. All functions are inline, so that with a constant order the
 * comparison is, too. Elements that compare equal come in no particular order.
 */
#ifndef COHORT_HEAP_H
#define COHORT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define HEAP_ELEMENT_MAX 128		/* bytes */
#define HEAP_INLINE static inline __attribute__((always_inline))

struct heap_order {
	size_t size;		/* of an element, HEAP_ELEMENT_MAX at most */
	bool (*before)(const void *a, const void *b);
};

HEAP_INLINE void *heap_at(const struct heap_order *order, void *heap, size_t i)
{
	return (char *) heap + i * order->size;
}

HEAP_INLINE void heap_swap(const struct heap_order *order, void *a, void *b)
{
	char moved[HEAP_ELEMENT_MAX];

	memcpy(moved, a, order->size);
	memcpy(a, b, order->size);
	memcpy(b, moved, order->size);
}

/* The i-th of n elements may have to come later than it did: moves it down to where it belongs */
HEAP_INLINE void heap_sink(const struct heap_order *order, void *heap, size_t n,
			   size_t i)
{
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n
		    && order->before(heap_at(order, heap, child + 1),
				     heap_at(order, heap, child)))
			child++;
		if (!order->before(heap_at(order, heap, child), heap_at(order, heap, i)))
			return;
		heap_swap(order, heap_at(order, heap, child), heap_at(order, heap, i));
		i = child;
	}
}

/* Makes a heap of n elements in any order */
HEAP_INLINE void heap_build(const struct heap_order *order, void *heap, size_t n)
{
	for (size_t i = n / 2; i-- > 0; )
		heap_sink(order, heap, n, i);
}

/* Takes the first of n elements off the heap. It then stands behind the others. */
HEAP_INLINE void heap_drop_first(const struct heap_order *order, void *heap,
				 size_t n)
{
	if (n < 2)
		return;
	heap_swap(order, heap, heap_at(order, heap, n - 1));
	heap_sink(order, heap, n - 1, 0);
}

#endif /* COHORT_HEAP_H */
