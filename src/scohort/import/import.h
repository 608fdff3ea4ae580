/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - shared by the parts of scohort import
 *
 *  import.c     the command, and the text above the sections
 *  yaml_text.c  comments and words
 *  sections.c   flavors, cohorts, cluster queues
 *  queue.c      one cluster queue
 *  quota.c      resourceGroups
 *  history.c    admissionFairSharing, admissionScope, weights of LocalQueues
 */
#ifndef SCOHORT_IMPORT_H
#define SCOHORT_IMPORT_H

#include <stdint.h>
#include <stdio.h>

#include "import/manifest.h"
#include "value/tres.h"

#define IMPORT_CHECKED_MAX 64
#define IMPORT_NAME_SIZE (RESOURCE_NAME_MAX + 1)

struct import {
	struct manifests m;
	FILE *out;
	int64_t raise;		/* added to all priorities, so that none is < 0 */
	bool vendors;		/* GPUs of several vendors: types tell them apart */
	const char *checked[IMPORT_CHECKED_MAX];	/* resources whose name is
							 * to be checked, and
							 * has been said to */
	size_t nchecked;
};

/* A comment, wrapped; unprintable characters (printable.h) become \xNN, so that
 * no name ends it. */
void import_note(struct import *im, int indent, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Something of this object that Slurm has not: the same comment after "no
 * counterpart: ", with file and line of `at`, and a message. `why` comes after
 * that, or NULL. */
void import_lost(struct import *im, const struct manifest *of,
		 const struct node *at, int indent, const char *why,
		 const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));

/* A text as YAML: as it is, or in double quotes, without line breaks. Valid for
 * the next three calls; cut to about 1000 bytes, which is more than any name
 * may have. */
const char *yaml_word(const char *text);

/* A priority of Kubernetes, which has 32 bits. False: it is none. */
bool import_read_priority(const struct node *n, int64_t *number);
#define IMPORT_PRIORITY_IS \
	"must be a whole number from -2147483648 to 2147483647"

/* Do the manifests have GPUs of several vendors? */
bool import_has_vendors(const struct manifests *m);

/* Slurm's name for a resource of Kubernetes, to tres[IMPORT_NAME_SIZE]; -1 if
 * there is none:
 *	memory			mem
 *	nvidia.com/gpu		gres/gpu, gres/gpu:nvidia beside other vendors'
 *	nvidia.com/mig-1g.5gb	gres/gpu:1g.5gb
 *	example.com/fpga	gres/fpga */
int import_resource_name(const struct import *im, const char *name, char *tres);

/* Has Slurm the resource of that name, and a ClusterQueue quota of it? */
bool import_is_covered(const struct import *im, const char *name);

/* resourceGroups of a cohort or queue, at this indent */
void import_write_groups(struct import *im, const struct manifest *of,
			 int indent);

/* A weight, the value of `what`: false if it is none, which is reported. A note
 * says if it was rounded. */
bool import_read_weight(struct import *im, const struct manifest *of,
			const struct node *n, const char *what, int indent,
			double *weight);

/* fairSharing.weight, if there is one */
void import_write_weight(struct import *im, const struct manifest *of,
			 int indent);

/* A note for each key of the spec that is not in `known` (NULL ends it) */
void import_note_rest(struct import *im, const struct manifest *of, int indent,
		      const char *const *known);

void import_write_sections(struct import *im);

void import_write_queue(struct import *im, const struct manifest *of);

/* admissionFairSharing of the controller's Configuration, if it has it */
void import_write_history(struct import *im, const struct manifest *of);

/* admissionScope of a ClusterQueue; localQueues, the weights of its LocalQueues */
void import_write_scope(struct import *im, const struct manifest *of);
void import_write_locals(struct import *im, const char *queue);

/* The command: prints, and returns the exit status (exit_status.h). argv[0] is
 * "scohort NAME". */
int cmd_import(int argc, char **argv);

#endif /* SCOHORT_IMPORT_H */
