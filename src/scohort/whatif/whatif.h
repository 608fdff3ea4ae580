/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif.h - a question to slurmctld, and the report of its answer
 */
#ifndef SCOHORT_WHATIF_H
#define SCOHORT_WHATIF_H

#include "ledger/published.h"

/* ---- whatif.c: which arguments are scohort's own, and which sbatch's ---- */

struct split {
	char **own;		/* argv[0] and its own, ending in NULL */
	int nown;
	char **rest;		/* for sbatch, ending in NULL */
	int nrest;
};

/* --at, --json and --yaml may stand anywhere before the script, the others
 * before all that is sbatch's. "--" as the first of these is dropped. The lists (not
 * the texts) are freed by split_free(). */
void split_make(struct split *s, int argc, char **argv);
void split_free(struct split *s);

/* ---- ask.c: the output of sbatch --test-only ---- */

struct sbatch_answer {
	bool starts;		/* it showed a time; false: there is none */
	uint32_t job_id;	/* of the record that the question had */
	char time[64];		/* as it was printed */
	int64_t start;		/* seconds since the epoch; 0: not understood */
	uint32_t cpus;
	char nodes[1024];
	char partition[128];	/* "" for a heterogeneous job */
	uint32_t *victims;	/* as listed */
	size_t nvictims;
	char rest[2048];	/* all other lines, without "sbatch: " */
};

void sbatch_answer_parse(const char *text, struct sbatch_answer *said);
void sbatch_answer_free(struct sbatch_answer *said);

struct question {
	const char *at;		/* or NULL */
	char **args;		/* for sbatch, ending in NULL */
	size_t nargs;
	bool alone;		/* without SBATCH_ variables of the user's environment */
	char token[64];		/* by which the plugin's part is found */
	int64_t asked;		/* seconds since the epoch */
};

/* Has sbatch ask. STATUS_OK: it has answered, with *code its exit status; *said is to be freed
 * with sbatch_answer_free(). Else STATUS_FAILED or STATUS_DOWN with a message in err. */
int whatif_ask(struct question *q, struct sbatch_answer *said, int *code, char *err, size_t size);

/* The plugin's part of the answer; it belongs to the document of p. NULL: it is not there */
struct json_object *whatif_find(const struct published *p, const struct question *q,
				const struct sbatch_answer *said);

/* ---- whatif.c: the whole question ---- */

struct controller;

/* Asks, and opens in p the file in which the plugin's part, *answer, is; NULL: it is not
 * there. p is to be closed in any case; the rest is as for whatif_ask(). */
int whatif_put(struct question *q, const struct controller *controller, struct published *p,
	       struct sbatch_answer *said, int *code, struct json_object **answer, char *err,
	       size_t size);

/* ---- tell.c ---- */

/* Facts and "sentences"; the caller's. answer may be NULL. */
struct json_object *whatif_tell(const struct published *p, const struct sbatch_answer *said,
				struct json_object *answer, int64_t now);

#endif /* SCOHORT_WHATIF_H */
