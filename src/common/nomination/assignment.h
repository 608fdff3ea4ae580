/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assignment.h - which flavors a workload would get
 */
#ifndef COHORT_ASSIGNMENT_H
#define COHORT_ASSIGNMENT_H

#include "nomination/ask.h"

/* Gives a flavor to every resource that the workload asks for, on the books as
 * they are (doc/how-it-decides.md, section 4; Kueue's flavorassigner). Fills
 * d, with memory of e->arena. -1 with e->no_memory set. */
int assign_flavors(struct engine *e, const struct ask *ask, struct draft *d);

#endif /* COHORT_ASSIGNMENT_H */
