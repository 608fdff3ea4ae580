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

enum manifest_kind {
	MANIFEST_OTHER,
	MANIFEST_FLAVOR,
	MANIFEST_COHORT,
	MANIFEST_QUEUE,
	MANIFEST_LOCAL_QUEUE,
	MANIFEST_CLASS,
	MANIFEST_CONFIG,	/* of Kueue's controller */
};

struct manifest_file {
	char *name;
	struct document *doc;	/* what its objects point into, or NULL */
	struct report *report;
};

/* A Kubernetes object */
struct manifest {
	enum manifest_kind kind;
	const char *kind_name;
	const char *name;	/* metadata.name, "" for a configuration */
	const char *space;	/* metadata.namespace, or "default" */
	const char *parent;	/* of a cohort or queue its cohort, of a LocalQueue its queue;
				 * or NULL */
	const struct node *root;
	const struct node *spec;	/* NULL if it has none */
	const struct manifest_file *file;
};

struct import {
	struct manifest *items;
	size_t n;
	struct manifest_file **files;
	size_t nfiles;
	const struct manifest *of;	/* the object that is written now */
	FILE *out;
	int64_t raise;		/* added to all priorities, so that none is < 0 */
	/* resources whose name is to be checked, and has been said to */
	const char *checked[IMPORT_CHECKED_MAX];
	size_t nchecked;
};

/* ---- manifest.c ---- */

/* Adds the objects of a file ("-": standard input), or of all files in a folder
 * and those below it whose names end in .yaml, .yml or .json, in the order of
 * their names. A file holds any number of YAML documents, or JSON; an object of
 * kind List stands for its items. */
void manifests_load(struct import *im, char *path);
void manifests_fini(struct import *im);

/* The first object of that kind after `of` (NULL: of all), or NULL */
const struct manifest *manifests_next(const struct import *im, enum manifest_kind kind,
				      const struct manifest *of);

/* The object of that kind and name, or NULL */
const struct manifest *manifests_find(const struct import *im, enum manifest_kind kind,
				      const char *name);

/* The text of a map's key, or NULL if it is absent or no scalar */
const char *node_text(const struct node *map, const char *key);
/* The list of a map's key, an empty one if it is absent or no list */
const struct node *node_list(const struct node *map, const char *key);
/* The map of a map's key, NULL if it is absent, no map, or empty */
const struct node *node_map(const struct node *map, const char *key);

/* ---- write.c: comments, words and fields of the result ---- */

/* An error about a node of the object that is written */
#define import_error(im_, at_, ...) \
	report_error((im_)->of->file->report, NULL, (at_)->line, __VA_ARGS__)

/* Prints a heading the first time: *heading is NULL then. */
void import_head(struct import *im, const char **heading);

/* A comment, wrapped; unprintable characters (printable.h) become \xNN, so that
 * no name ends it. */
void import_note(struct import *im, int indent, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Something of the object that Slurm has not: the same comment after "no
 * counterpart: ", with file and line of `at`, and a warning */
void import_lost(struct import *im, const struct node *at, int indent, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A text as YAML: as it is, or in double quotes, without line breaks. Valid for
 * the next three calls; cut to about 1000 bytes, which is more than any name
 * may have. */
const char *yaml_word(const char *text);

/* How a key of a map is converted */
struct field {
	const char *key;	/* NULL ends a table */
	/* NULL: the value is a word, which is copied, or a map with these fields. */
	void (*write)(struct import *im, const struct node *value, int indent);
	const struct field *fields;
};

/* For a key that is converted elsewhere */
void field_elsewhere(struct import *im, const struct node *value, int indent);

/* Says which keys of the map are not in the table: all that asks for anything is lost. */
void fields_check(struct import *im, const struct node *map, const struct field *fields,
		  int indent);
/* Writes those that are, in the order of the table. */
void fields_write(struct import *im, const struct node *map, const struct field *fields,
		  int indent);

/* ---- quota.c: resourceGroups, weights ---- */

/* An amount as Kubernetes writes them (8, 500m, 1.5, 512Gi, 2e3), times `times`, in
 * parts of `unit`, rounded down; *exact is true if no rounding was needed. -1 if the text
 * is no quantity, is negative, or is above 2^53. */
int quantity_parse(const char *text, int64_t times, int64_t unit, int64_t *amount, bool *exact);

/* Slurm's name for a resource of Kubernetes, to tres[RESOURCE_NAME_MAX + 1]; false if
 * there is none:
 *	memory			mem
 *	nvidia.com/gpu		gres/gpu
 *	nvidia.com/mig-1g.5gb	gres/gpu:1g.5gb
 *	example.com/fpga	gres/fpga */
bool import_resource_name(const char *name, char *tres);

/* The weight at a node, the value of `what`: false if it is none, which is reported. A
 * note says if it was rounded. */
bool import_read_weight(struct import *im, const struct node *n, const char *what, int indent,
			double *weight);

/* Each is the write() of a field: resourceGroups, and fairSharing with a weight */
void import_write_groups(struct import *im, const struct node *groups, int indent);
void import_write_weight(struct import *im, const struct node *fair, int indent);

/* ---- queue.c: a ClusterQueue with its LocalQueues; priorities ---- */

void import_write_queue(struct import *im);

/* The priority at a node, which has 32 bits; 0: it is none, which is reported */
int64_t import_read_priority(struct import *im, const struct node *n, const char *key);

#endif /* SCOHORT_IMPORT_H */
