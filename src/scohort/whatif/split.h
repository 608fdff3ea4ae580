/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * split.h - which arguments of scohort whatif are its own, and which sbatch's
 */
#ifndef SCOHORT_WHATIF_SPLIT_H
#define SCOHORT_WHATIF_SPLIT_H

struct split {
	char **own;		/* argv[0] and its own, ending in NULL */
	int nown;
	char **rest;		/* for sbatch, ending in NULL */
	int nrest;
};

/* --at, --json and --yaml may stand anywhere before the script, the others
 * before all that is sbatch's. "--" as the first of these is dropped. -1 with
 * errno = ENOMEM; the lists (not the texts) are freed by split_free(). */
int split_make(struct split *s, int argc, char **argv);
void split_free(struct split *s);

#endif /* SCOHORT_WHATIF_SPLIT_H */
