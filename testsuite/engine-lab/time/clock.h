/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - how long something took
 */
#ifndef LAB_CLOCK_H
#define LAB_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* CPU time of this thread, ns */
int64_t clock_cpu(void);

/* Sorts the values; 0 if there are none */
int64_t median(int64_t *values, size_t n);

#endif /* LAB_CLOCK_H */
