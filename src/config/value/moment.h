/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moment.h - points in time as people write them
 *
 * With a date: 2026-12-01, 2026-12-01T08:00, 2026-12-01T08:00:00, as Slurm has
 * them. Each week: Mon, Mon 08:00, Monday 08:00:00.
 */
#ifndef COHORT_MOMENT_H
#define COHORT_MOMENT_H

#include "model/wall.h"
#include "value/keys.h"

/* 0 and *wall; -1: the text is neither */
int moment_parse(const char *text, struct wall *wall);

/* A read_f; dest is a struct wall. */
int value_moment(struct value *v);

#endif /* COHORT_MOMENT_H */
