/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * native.h - what Slurm alone would do with the same quotas
 */
#ifndef SCOHORT_NATIVE_H
#define SCOHORT_NATIVE_H

#include <stdbool.h>

#include "spec.h"

enum native { NATIVE_NONE, NATIVE_CAPS, NATIVE_SCAVENGER, NATIVE_KINDS };

/* "caps" or "scavenger"; false: neither */
bool native_find(const char *name, enum native *native);
const char *native_name(enum native native);	/* "native caps" */

/* The queues of `spec` have the same indexes. scavenger: queue i + nqueues is
 * where jobs of queue i run that any owner preempts. It shares names, groups,
 * flavors and resources with `spec`, which must last as long. NULL: no memory;
 * native_free() allows it. */
struct spec *native_make(const struct spec *spec, enum native kind);
void native_free(struct spec *native);

#endif /* SCOHORT_NATIVE_H */
