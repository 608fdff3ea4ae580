/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agenda.h - appointments, by time
 *
 * A heap of appointments. Those of the same time come in the order in which
 * they were made.
 */
#ifndef COHORT_AGENDA_H
#define COHORT_AGENDA_H

#include <stddef.h>
#include <stdint.h>

struct appointment {
	int64_t at;
	uint64_t number;	/* the agenda's */
	int kind;
	uint32_t version;	/* the caller's: tells appointments that are
				 * void */
	void *what;
};

struct agenda {
	struct appointment *heap;
	size_t n, size;
	uint64_t numbers;
};

/* -1 with errno = ENOMEM */
int agenda_add(struct agenda *agenda, const struct appointment *a);

/* The next one, or NULL; valid until the next call */
const struct appointment *agenda_first(const struct agenda *agenda);

/* Takes off the first one; there must be one. */
struct appointment agenda_take(struct agenda *agenda);

void agenda_free(struct agenda *agenda);

#endif /* COHORT_AGENDA_H */
