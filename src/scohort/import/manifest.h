/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manifest.h - Kubernetes objects from files, of which some are Kueue's
 *
 * A file holds any number of YAML documents, or JSON; an object of kind List
 * stands for its items.
 */
#ifndef SCOHORT_MANIFEST_H
#define SCOHORT_MANIFEST_H

#include "yaml/document.h"

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
	const struct node *root;
	const struct node *spec;	/* NULL if it has none */
	const char *file;
};

struct manifests {
	struct manifest *items;
	size_t n;
	struct document **docs;	/* the documents that all of them point into */
	size_t ndocs;
	char **paths;		/* of files found in folders */
	size_t npaths;
	size_t errors;		/* each was reported */
	conf_report_f report;
	void *arg;
};

void manifests_init(struct manifests *m, conf_report_f report, void *arg);
void manifests_fini(struct manifests *m);

/* Adds the objects of a file ("-": standard input), or of all files in a folder
 * and those below it whose names end in .yaml, .yml or .json, in the order of
 * their names; errors are reported and counted. `path` must live as long as
 * m. */
void manifests_load(struct manifests *m, const char *path);

/* The object of that kind and name, or NULL */
const struct manifest *manifests_find(const struct manifests *m,
				      enum manifest_kind kind,
				      const char *name);

/* Reports an error at a node of an object. */
void manifest_error(struct manifests *m, const struct manifest *of,
		    const struct node *at, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The text of a map's key, or NULL if it is absent or no scalar */
const char *node_text(const struct node *map, const char *key);

/* The cohort of a queue or cohort, by the key of either API version; NULL if it
 * has none. */
const char *manifest_parent(const struct manifest *of);

/* Is it a LocalQueue that belongs to this cluster queue? */
bool manifest_serves(const struct manifest *local, const char *queue);

#endif /* SCOHORT_MANIFEST_H */
