/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text/reason.h - why a job waits: one table of all words, for squeue's REASON, for the
 * published file and for sentences
 *
 *	Cohort:pos=3/41,wait=quota(gres/gpu@a100),need=8,free=2,cq=vision
 */
#ifndef CONFIG_TEXT_REASON_H
#define CONFIG_TEXT_REASON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine.h"

#define REASON_SIZE 120		/* longest REASON, with NUL */

enum reason_kind {
	REASON_QUOTA,
	REASON_PREEMPTING,
	REASON_PROTECTED,		/* nobody knows for how long */
	REASON_PROTECTED_UNTIL,
	REASON_PROTECTED_SPENT,		/* by maxPreemptions */
	REASON_PROTECTED_FIXED,		/* candidates can't be preempted */
	REASON_DELAYED,			/* its queue has a reclaimDelay */
	REASON_ORDER,
	REASON_HELD,
	REASON_NEVER,
	REASON_NEVER_NODES,
	REASON_NONPREEMPTIBLE,
	REASON_YIELDS,
	REASON_NODES,			/* quota is available, nodes are not */
	REASON_NODES_PAUSED,		/* and no job is evicted for it for some time */
	REASON_PASS,			/* no plan has decided yet */
	REASON_OTHER,			/* a word of another version */
	REASON_KINDS
};

/* Fields in braces stand for members of struct reason; a sentence has also {queue},
 * {jobs}, {are} and {stop}. */
struct reason_form {
	const char *word;	/* wait= begins with it; "wait" of the published file */
	const char *by;		/* "by" of the published file, or NULL */
	const char *text;	/* all of wait=, up to cq= */
	int distance;		/* from a start: 0 is the nearest, 6 never starts */
	const char *sentence;
};

extern const struct reason_form reason_forms[REASON_KINDS];

enum reason_number {
	REASON_NEED, REASON_FREE, REASON_MAX, REASON_CAP, REASON_USED, REASON_VICTIMS,
	REASON_NUMBERS
};

/* Their names, as fields and as members of the published file */
extern const char *const reason_number_names[REASON_NUMBERS];

struct reason {
	enum reason_kind kind;
	int64_t place;			/* in line; 0: beyond the last place that is shown */
	int64_t total;			/* 0: more than is shown */
	int64_t known;			/* the last place that is shown, if there are more */
	int64_t numbers[REASON_NUMBERS];	/* base units; -1: not known */
	char resource[REASON_SIZE];	/* "": not known */
	char flavor[REASON_SIZE];
	char until[REASON_SIZE];	/* end of the first protection, or of a pause */
	char queue[REASON_SIZE];	/* a long name is cut short */
	char shown[REASON_SIZE];	/* "quota(gres/gpu@a100)": what follows wait= */
};

/* No member is known. */
void reason_init(struct reason *r);

/* Why a workload waits, by its verdict. `behind`: it has quota, but jobs before it in
 * Slurm's order have no nodes; `learned`: the last allocation that Slurm offered was more
 * than it can have, the next one may be less. */
enum reason_kind reason_kind_of(const struct verdict *v, bool behind, bool learned);

/* The same, with the numbers that the text of the kind has */
void reason_of_verdict(struct reason *r, const struct verdict *v, bool behind, bool learned);

/* Has the kind's text this field? */
bool reason_has(enum reason_kind kind, const char *field);

/* Does the reason have this word? */
bool reason_is(const struct reason *r, const char *word);

/* Replaces each field of the form by what value() prints of it; cut at size. Returns the
 * length. */
size_t reason_expand(char *text, size_t size, const char *form,
		     void (*value)(const void *arg, const char *field, char *to, size_t size),
		     const void *arg);

/* squeue's REASON; `shown` is not read. A text that gets too long loses the end of names. */
void reason_print(const struct reason *r, char text[REASON_SIZE]);

/* The reverse. false: the text (or NULL) is not one of those. */
bool reason_parse(const char *text, struct reason *r);

#endif /* CONFIG_TEXT_REASON_H */
