/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sbatch_answer.h - the output of sbatch --test-only, in all versions of Slurm
 */
#ifndef SCOHORT_SBATCH_ANSWER_H
#define SCOHORT_SBATCH_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* False: no memory */
bool sbatch_answer_parse(const char *text, struct sbatch_answer *said);
void sbatch_answer_free(struct sbatch_answer *said);

#endif /* SCOHORT_SBATCH_ANSWER_H */
