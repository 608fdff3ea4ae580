/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * duration.h - spans of time as people write them for Slurm
 *
 * Slurm's formats: minutes, minutes:seconds, hours:minutes:seconds,
 * days-hours, days-hours:minutes, days-hours:minutes:seconds; and with units:
 * 30s, 10m, 4h, 2d, 1h30m (largest unit first, each once).
 */
#ifndef COHORT_DURATION_H
#define COHORT_DURATION_H

#include <stddef.h>
#include <stdint.h>

#define DURATION_MAX_DAYS 3650
#define DURATION_DAY (INT64_C(86400) * 1000000000)

/* 0 and *ns, at most DURATION_MAX_DAYS. Or -1, and err says what is wrong and
 * what would be right; a message puts it behind the value. */
int duration_parse(const char *text, int64_t *ns, char *err, size_t size);

/* Writes ns exactly, in the largest unit that is exact: 0s, 60s, 90s, 5m, 4h,
 * 2d */
void duration_format(int64_t ns, char *buf, size_t size);

#endif /* COHORT_DURATION_H */
