/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gate.h - one workload against the books as they are now
 */
#ifndef COHORT_GATE_H
#define COHORT_GATE_H

#include <stddef.h>
#include <stdbool.h>

struct charge;
struct victim;

/* The workload, and what it asks for, on a trial of the books */
struct gate {
	struct engine *e;
	const struct workload *w;
	struct queue *q;
	struct use *uses;
	size_t nuses;
	size_t mark;
	bool pure;		/* as in struct search */
};

/* Opens the trial: what the workload owns, and what others came to own after
 * it, is not in the books. gate_close() undoes all. */
void gate_open(struct gate *g, struct engine *e, const struct workload *w);
void gate_close(struct gate *g);

/* The workload asks for these charges. Unless it owns all of them, what the
 * last plan kept from it stays out of reach. -1 with errno = EINVAL, ENOMEM. */
int gate_ask(struct gate *g, const struct charge *charges, size_t n);

/* What it asks for fits. */
bool gate_fits(const struct gate *g);

/* Takes these out of the books and out of the candidates, once each. gate_close() brings their
 * usage back: before it they have to be made candidates again. */
void gate_remove_gone(struct gate *g, const struct victim *gone, size_t ngone);
void gate_forget_gone(const struct victim *gone, size_t ngone);

#endif /* COHORT_GATE_H */
