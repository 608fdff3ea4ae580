/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - how long something took
 */
#ifndef SCOHORT_CLOCK_H
#define SCOHORT_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Monotonic, ns */
int64_t clock_wall(void);
int64_t clock_cpu(void);		/* of this thread alone */

/* Sorts the values; 0 if there are none */
int64_t median(int64_t *values, size_t n);

#endif /* SCOHORT_CLOCK_H */
