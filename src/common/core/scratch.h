/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scratch.h - arrays that grow and are kept
 *
 * One for each use (enum scratch_use), so that no search asks for memory again.
 */
#ifndef COHORT_SCRATCH_H
#define COHORT_SCRATCH_H

#include <stddef.h>

#include "core/engine_state.h"

/* Room for n objects, which keeps its contents. NULL sets e->no_memory. */
void *scratch_reserve(struct engine *e, enum scratch_use use, size_t n,
		      size_t size);

#endif /* COHORT_SCRATCH_H */
