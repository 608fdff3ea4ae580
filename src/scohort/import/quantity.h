/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quantity.h - amounts as Kubernetes writes them: 8, 500m, 1.5, 512Gi, 2e3
 */
#ifndef SCOHORT_QUANTITY_H
#define SCOHORT_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/* The quantity in parts of `unit` (1: a count; 1048576: bytes as MB; to get
 * thousandths, use quantity_milli), rounded down; *exact is true if no rounding
 * was needed. -1 if the text is no quantity, is negative, or is above 2^53. */
int quantity_parse(const char *text, int64_t unit, int64_t *amount,
		   bool *exact);

/* The same in thousandths */
int quantity_milli(const char *text, int64_t *thousandths, bool *exact);

#endif /* SCOHORT_QUANTITY_H */
