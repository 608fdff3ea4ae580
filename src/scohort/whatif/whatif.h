/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif.h - a question to slurmctld, and the report of its answer
 */
#ifndef SCOHORT_WHATIF_H
#define SCOHORT_WHATIF_H

#include "ledger/published.h"
#include "whatif/sbatch_answer.h"

struct question {
	const char *at;		/* or NULL */
	char **args;		/* for sbatch, ending in NULL */
	size_t nargs;
	char token[64];		/* by which the plugin's part is found */
	int64_t asked;		/* seconds since the epoch */
};

/* ask.c: has sbatch ask. STATUS_OK: it has answered, with *code its exit
 * status; *said is to be freed with sbatch_answer_free(). Else STATUS_FAILED or
 * STATUS_DOWN with a message in err. */
int whatif_ask(struct question *q, struct sbatch_answer *said, int *code,
	       char *err, size_t size);

/* The plugin's part of the answer; it belongs to the document of p. NULL: it is
 * not there */
struct json_object *whatif_find(const struct published *p,
				const struct question *q,
				const struct sbatch_answer *said);

/* tell.c: facts and "sentences"; the caller's. answer may be NULL. */
struct json_object *whatif_tell(const struct published *p,
				const struct sbatch_answer *said,
				struct json_object *answer, int64_t now);

/* The command: prints, and returns the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_whatif(int argc, char **argv);

#endif /* SCOHORT_WHATIF_H */
