/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap.h - arrays of pointers whose first one comes before all others
 *
 * The array is the caller's, and so is the count of its elements. All functions are inline, so
 * that with a constant order the comparison is, too. Elements that compare equal come in no
 * particular order.
 */
#ifndef COHORT_HEAP_H
#define COHORT_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#define HEAP_INLINE static inline __attribute__((always_inline))

typedef bool (*heap_before_f)(const void *a, const void *b);

/* The i-th of n elements may have to come later than it did: moves it down to where it belongs */
HEAP_INLINE void heap_sink(void **heap, size_t n, size_t i, heap_before_f before)
{
	void *moved = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && before(heap[child + 1], heap[child]))
			child++;
		if (!before(heap[child], moved))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moved;
}

/* Makes a heap of n elements in any order */
HEAP_INLINE void heap_build(void **heap, size_t n, heap_before_f before)
{
	for (size_t i = n / 2; i-- > 0; )
		heap_sink(heap, n, i, before);
}

/* Takes the first of n elements off the heap, n > 0 */
HEAP_INLINE void heap_drop_first(void **heap, size_t n, heap_before_f before)
{
	heap[0] = heap[n - 1];
	if (n > 1)
		heap_sink(heap, n - 1, 0, before);
}

#endif /* COHORT_HEAP_H */
