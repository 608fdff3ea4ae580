/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outside.h - what jobs outside all cluster queues have, in a sentence
 */
#ifndef SCOHORT_OUTSIDE_H
#define SCOHORT_OUTSIDE_H

#include <stddef.h>

#include "ledger/published.h"

/* Only of that resource; NULL: of all. "" if they have nothing. Returns buf. */
char *outside_text(char *buf, size_t size, const struct published *p,
		   const char *resource);

#endif /* SCOHORT_OUTSIDE_H */
