/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - shared by the parts of scohort import
 */
#ifndef SCOHORT_IMPORT_H
#define SCOHORT_IMPORT_H

#include <stdint.h>
#include <stdio.h>

#include "value/tres.h"
#include "yaml/document.h"

#define IMPORT_CHECKED_MAX 64
#define IMPORT_NAME_SIZE (RESOURCE_NAME_MAX + 1)

/* ---- manifest.c: Kubernetes objects from files, of which some are Kueue's ---- */

enum manifest_kind {
	MANIFEST_FLAVOR,
	MANIFEST_COHORT,
	MANIFEST_QUEUE,
	MANIFEST_LOCAL_QUEUE,
	MANIFEST_CLASS,
	MANIFEST_CONFIG,	/* of Kueue's controller */
	MANIFEST_OTHER,
};

struct manifest {
	enum manifest_kind kind;
	const char *kind_name;
	const char *name;	/* metadata.name, "" for a configuration */
	const char *space;	/* metadata.namespace, or "default" */
	const char *parent;	/* of a cohort or queue its cohort, of a LocalQueue its queue;
				 * or NULL */
	const struct node *root;
	const struct node *spec;	/* NULL if it has none */
	const char *file;
};

struct manifest_file {
	char *name;
	struct document *doc;	/* what its objects point into, or NULL */
};

struct manifests {
	struct manifest *items;
	size_t n;
	struct manifest_file *files;
	size_t nfiles;
	size_t errors;		/* each was printed */
};

/* Adds the objects of a file ("-": standard input), or of all files in a folder
 * and those below it whose names end in .yaml, .yml or .json, in the order of
 * their names; errors are printed and counted. A file holds any number of YAML
 * documents, or JSON; an object of kind List stands for its items. */
void manifests_load(struct manifests *m, char *path);
void manifests_fini(struct manifests *m);

/* The object of that kind and name, in that namespace (NULL: any), or NULL */
const struct manifest *manifests_find(const struct manifests *m, enum manifest_kind kind,
				      const char *name, const char *space);

/* The first object of that kind after `of` (NULL: of all), or NULL */
const struct manifest *manifests_next(const struct manifests *m, enum manifest_kind kind,
				      const struct manifest *of);

/* Prints an error; line 0: of the file as a whole. */
void manifest_error(struct manifests *m, const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The text of a map's key, or NULL if it is absent or no scalar */
const char *node_text(const struct node *map, const char *key);
/* The list of a map's key, an empty one if it is absent or no list */
const struct node *node_list(const struct node *map, const char *key);
/* The map of a map's key, NULL if it is absent, no map, or empty */
const struct node *node_map(const struct node *map, const char *key);

/* ---- quantity.c: amounts as Kubernetes writes them: 8, 500m, 1.5, 512Gi, 2e3 ---- */

/* The quantity in parts of `unit` (1: a count; 1048576: bytes as MB; to get
 * thousandths, use quantity_milli), rounded down; *exact is true if no rounding
 * was needed. -1 if the text is no quantity, is negative, or is above 2^53. */
int quantity_parse(const char *text, int64_t unit, int64_t *amount, bool *exact);

/* The same in thousandths */
int quantity_milli(const char *text, int64_t *thousandths, bool *exact);

/* ---- yaml_text.c: comments and words of the result ---- */

struct import {
	struct manifests m;
	const struct manifest *of;	/* the object that is written now */
	FILE *out;
	int64_t raise;		/* added to all priorities, so that none is < 0 */
	bool vendors;		/* GPUs of several vendors: types tell them apart */
	/* resources whose name is to be checked, and has been said to */
	const char *checked[IMPORT_CHECKED_MAX];
	size_t nchecked;
};

/* Prints an error about a node of the object. */
#define import_error(im_, at_, ...) \
	manifest_error(&(im_)->m, (im_)->of->file, (at_)->line, __VA_ARGS__)

/* Prints a heading the first time: *heading is NULL then. */
void import_head(struct import *im, const char **heading);

/* A comment, wrapped; unprintable characters (printable.h) become \xNN, so that
 * no name ends it. */
void import_note(struct import *im, int indent, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Something of the object that Slurm has not: the same comment after "no
 * counterpart: ", with file and line of `at`, and a message. `why` comes after
 * that, or NULL. */
void import_lost(struct import *im, const struct node *at, int indent, const char *why,
		 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* A note for each key of the spec that is not in `known` (NULL ends it) */
void import_note_rest(struct import *im, const char *const *known);

/* A text as YAML: as it is, or in double quotes, without line breaks. Valid for
 * the next three calls; cut to about 1000 bytes, which is more than any name
 * may have. */
const char *yaml_word(const char *text);

/* A key whose value is a word, if the map has it: it is copied */
void import_write_word(struct import *im, const struct node *map, const char *key, int indent);

/* The priority under `key`, which has 32 bits; 0 if the map has none. False: it is wrong,
 * which was reported. */
bool import_read_priority(struct import *im, const struct node *map, const char *key,
			  int64_t *number);

/* ---- quota.c: resourceGroups, weights ---- */

/* Do the manifests have GPUs of several vendors? */
bool import_has_vendors(const struct manifests *m);

/* Slurm's name for a resource of Kubernetes, to tres[IMPORT_NAME_SIZE]; false if
 * there is none:
 *	memory			mem
 *	nvidia.com/gpu		gres/gpu, gres/gpu:nvidia beside other vendors'
 *	nvidia.com/mig-1g.5gb	gres/gpu:1g.5gb
 *	example.com/fpga	gres/fpga */
bool import_resource_name(const struct import *im, const char *name, char *tres);

/* Has Slurm the resource of that name, and a ClusterQueue quota of it? */
bool import_is_covered(const struct import *im, const char *name);

/* resourceGroups of the cohort or queue */
void import_write_groups(struct import *im);

/* The weight at a node, the value of `what`: false if it is none, which is reported. A
 * note says if it was rounded. */
bool import_read_weight(struct import *im, const struct node *n, const char *what, int indent,
			double *weight);

/* fairSharing.weight of the cohort or queue, if there is one */
void import_write_weight(struct import *im);

/* ---- queue.c: a ClusterQueue with its LocalQueues ---- */

void import_write_queue(struct import *im);

#endif /* SCOHORT_IMPORT_H */
