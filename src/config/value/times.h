/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * times.h - times as people write them
 *
 * Spans have Slurm's formats: minutes, minutes:seconds, hours:minutes:seconds,
 * days-hours, days-hours:minutes, days-hours:minutes:seconds; and units: 30s,
 * 10m, 4h, 2d, 1h30m (largest unit first, each once).
 *
 * Points with a date: 2026-12-01, 2026-12-01T08:00, 2026-12-01T08:00:00, as Slurm
 * has them. Each week: Mon, Mon 08:00, Monday 08:00:00.
 */
#ifndef COHORT_TIMES_H
#define COHORT_TIMES_H

#include <stddef.h>

#include "model/model.h"

#define DURATION_MAX_DAYS 3650
#define DURATION_DAY (INT64_C(86400) * 1000000000)

/* 0 and *ns, at most DURATION_MAX_DAYS. Or -1, and err says what is wrong and
 * what would be right; a message puts it behind the value. */
int duration_parse(const char *text, int64_t *ns, char *err, size_t size);

/* Writes ns exactly, in the largest unit that is exact: 0s, 60s, 90s, 5m, 4h, 2d */
void duration_format(int64_t ns, char *buf, size_t size);

/* 0 and *wall; -1: the text is no point in time */
int moment_parse(const char *text, struct wall *wall);

#endif /* COHORT_TIMES_H */
