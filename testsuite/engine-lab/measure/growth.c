/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.c - how fast what something costs grows with its size
 */
#include <math.h>

#include "measure/growth.h"

static double mean_of_logs(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += log(values[i]);
	return sum / (double) n;
}

double growth_exponent(const double *sizes, const double *costs, size_t n)
{
	double x = mean_of_logs(sizes, n), y = mean_of_logs(costs, n);
	double xx = 0, xy = 0;

	for (size_t i = 0; i < n; i++) {
		double dx = log(sizes[i]) - x;

		xx += dx * dx;
		xy += dx * (log(costs[i]) - y);
	}
	return xx > 0 ? xy / xx : 0;
}
