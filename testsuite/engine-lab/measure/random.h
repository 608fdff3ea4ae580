/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random.h - random numbers, the same for the same seed
 */
#ifndef SCOHORT_RANDOM_H
#define SCOHORT_RANDOM_H

#include <stdint.h>

/* A number from 0 to below - 1. *state is the seed at first, not 0. */
uint64_t random_below(uint64_t *state, uint64_t below);

#endif /* SCOHORT_RANDOM_H */
