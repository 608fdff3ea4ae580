/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worst.h - worlds in which the engine has the most to do
 *
 * Each is a site that could exist, drawn large, and grows in one dimension.
 */
#ifndef SCOHORT_WORST_H
#define SCOHORT_WORST_H

#include <stdio.h>

#include "worst/site.h"

#define WORST_SIZES 3			/* that a world is measured in */
#define WORST_MAX_SIZES 16		/* that a user may ask for */

struct worst {
	const char *name;
	const char *dimension;	/* what grows */
	const char *what;	/* what is in it, for people */
	const char *unit;	/* of what one sample costs: ms, MB, times */
	size_t small;		/* it and four times it are soon measured */
	size_t sizes[WORST_SIZES];	/* measured in a minute or two */
	size_t large[WORST_SIZES];
	double goal;		/* at the largest of `large`, in `unit` */
	void (*build)(struct site *s, size_t n);
	/* What one event costs, the site being planned: its plan, or all that
	 * this world asks instead. -1 if the site has failed. The site is then
	 * about as before. */
	double (*sample)(struct site *s);
};

#define WORST_TIMES "x"		/* unit: the ratio to another world */

extern const struct worst worsts[];
extern const size_t nworsts;

/* NULL if there is none of this name */
const struct worst *worst_find(const char *name);

/* ---- what samples are taken of ---- */

double sample_event(struct site *s);		/* a submit, and its plan */
double sample_reclaimable(struct site *s);	/* of all queues, after a start */
double sample_allowed(struct site *s);		/* of all candidates at the gate */
double sample_memory(struct site *s);		/* of an engine without jobs */
double sample_account(struct site *s);		/* of the account alone */
double sample_history(struct site *s);		/* worlds.c: ratio to flat-fair */

/* ---- measuring ---- */

struct worst_row {
	size_t size;
	double first_plan;	/* ms */
	double cost;		/* median of the samples */
	size_t samples;
};

/* Builds the world in this size and measures it. -1 with errno. */
int worst_measure(const struct worst *world, size_t size, struct worst_row *row);

/* How cost grows with size; 0 if that cannot be told */
double worst_exponent(const struct worst_row *rows, size_t n);

/* ---- the command ---- */

/* engine-lab bench --worst */
struct worst_choice {
	const char *world;	/* NULL: all; "list": name them */
	size_t sizes[WORST_MAX_SIZES];	/* none: its own */
	size_t nsizes;
	bool large;		/* its large ones */
	bool json;		/* no table */
};

/* Reads a list of numbers above 0, with commas between. -1 if it is none. */
int worst_sizes_parse(struct worst_choice *choice, const char *text);

/* Measures, prints, and returns the exit status. */
int worst_bench(const struct worst_choice *choice);


#endif /* SCOHORT_WORST_H */
