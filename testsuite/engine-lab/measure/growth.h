/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.h - how fast what something costs grows with its size
 */
#ifndef SCOHORT_GROWTH_H
#define SCOHORT_GROWTH_H

#include <stddef.h>

/* The exponent k of cost = c * size^k that fits best: the slope of the least
 * squares of their logarithms. 0 with fewer than two different sizes. All sizes
 * and costs are above 0. */
double growth_exponent(const double *sizes, const double *costs, size_t n);

#endif /* SCOHORT_GROWTH_H */
