/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocations.h - how often this program asks for memory
 */
#ifndef SCOHORT_ALLOCATIONS_H
#define SCOHORT_ALLOCATIONS_H

#include <stdint.h>

/* How often so far; calls by libraries do not count. */
uint64_t allocations_count(void);

#endif /* SCOHORT_ALLOCATIONS_H */
