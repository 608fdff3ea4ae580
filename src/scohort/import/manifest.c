/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manifest.c - Kubernetes objects from files
 */
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "import/import.h"
#include "must.h"
#include "yaml/file.h"

#define KUEUE "kueue.x-k8s.io"

static const struct {
	const char *group;	/* apiVersion is group/version */
	const char *name;
	enum manifest_kind kind;
	const char *parent[2];	/* the key of the spec that says what the object belongs to:
				 * in v1beta1, from v1beta2 on */
} kinds[] = {
	{ KUEUE, "ResourceFlavor", MANIFEST_FLAVOR, { "" } },
	{ KUEUE, "Cohort", MANIFEST_COHORT, { "parent", "parentName" } },
	{ KUEUE, "ClusterQueue", MANIFEST_QUEUE, { "cohort", "cohortName" } },
	{ KUEUE, "LocalQueue", MANIFEST_LOCAL_QUEUE, { "clusterQueue" } },
	{ KUEUE, "WorkloadPriorityClass", MANIFEST_CLASS, { "" } },
	{ "config." KUEUE, "Configuration", MANIFEST_CONFIG, { "" } },
};

void manifests_fini(struct import *im)
{
	for (size_t i = 0; i < im->nfiles; i++) {
		document_destroy(im->files[i]->doc);
		report_destroy(im->files[i]->report);
		free(im->files[i]->name);
		free(im->files[i]);
	}
	free(im->files);
	free(im->items);
}

/* ---- values ---- */

const char *node_text(const struct node *map, const char *key)
{
	const struct node *n = node_find(map, key);

	return n && n->kind == NODE_SCALAR ? n->text : NULL;
}

const struct node *node_list(const struct node *map, const char *key)
{
	static const struct node none = { .kind = NODE_LIST };
	const struct node *n = node_find(map, key);

	return n && n->kind == NODE_LIST ? n : &none;
}

const struct node *node_map(const struct node *map, const char *key)
{
	const struct node *n = node_find(map, key);

	return n && n->kind == NODE_MAP && n->nitems ? n : NULL;
}

/* ---- look-up ---- */

const struct manifest *manifests_next(const struct import *im, enum manifest_kind kind,
				      const struct manifest *of)
{
	size_t i = of ? (size_t) (of - im->items) + 1 : 0;

	while (i < im->n && im->items[i].kind != kind)
		i++;
	return i < im->n ? &im->items[i] : NULL;
}

const struct manifest *manifests_find(const struct import *im, enum manifest_kind kind,
				      const char *name)
{
	const struct manifest *of = manifests_next(im, kind, NULL);

	while (of && strcmp(of->name, name))
		of = manifests_next(im, kind, of);
	return of;
}

/* ---- objects ---- */

/* Its kind, and what it belongs to */
static void kind_find(struct manifest *of, const char *version)
{
	size_t len = strcspn(version, "/");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, of->kind_name) || strlen(kinds[i].group) != len
		    || strncmp(kinds[i].group, version, len))
			continue;
		of->kind = kinds[i].kind;
		for (int v = 0; v < 2 && kinds[i].parent[v] && !of->parent; v++) {
			of->parent = node_text(of->spec, kinds[i].parent[v]);
			if (of->parent && !*of->parent)
				of->parent = NULL;
		}
	}
}

static void object_take(struct import *im, const struct manifest_file *file,
			const struct node *root, bool in_list)
{
	const struct node *meta = node_find(root, "metadata"), *items = node_list(root, "items");
	const char *version = node_text(root, "apiVersion"), *kind = node_text(root, "kind");
	const char *name = node_text(meta, "name"), *space = node_text(meta, "namespace");
	struct manifest of = {
		.root = root, .file = file, .kind_name = kind, .name = name ? name : "",
		.space = space ? space : "default", .spec = node_find(root, "spec"),
	};

	if (!version || !kind) {
		report_error(file->report, NULL, root->line, "is not a Kubernetes object: it has "
			     "no apiVersion or no kind");
		return;
	}
	if (node_find(root, "items") == items && !in_list) {
		for (size_t i = 0; i < items->nitems; i++)
			object_take(im, file, items->items[i], true);
		return;
	}
	kind_find(&of, version);
	if (!name && of.kind != MANIFEST_OTHER && of.kind != MANIFEST_CONFIG) {
		report_error(file->report, NULL, root->line, "%s without metadata.name", kind);
	} else {
		im->items = must_grow(im->items, im->n, sizeof(*im->items));
		im->items[im->n++] = of;
	}
}

static struct manifest_file *file_add(struct import *im, const char *path)
{
	struct manifest_file *file = must(calloc(1, sizeof(*file)));

	im->files = must_grow(im->files, im->nfiles, sizeof(struct manifest_file *));
	im->files[im->nfiles++] = file;
	file->name = must(strdup(strcmp(path, "-") ? path : "(standard input)"));
	file->report = must(report_create(file->name));
	return file;
}

static void file_load(struct import *im, const char *path)
{
	struct manifest_file *file = file_add(im, path);
	const struct node *root;
	size_t len;
	char *text = file_read(path, &len);

	if (!text) {
		report_error(file->report, NULL, 0, "cannot be read: %s", strerror(errno));
		return;
	}
	file->doc = document_load_stream(text, len, file->report);
	free(text);
	if (!file->doc)
		return;
	root = document_root(file->doc);
	if (!root->nitems)
		report_error(file->report, NULL, 0, "contains no objects");
	for (size_t i = 0; i < root->nitems; i++)
		object_take(im, file, root->items[i], false);
}

/* ---- folders ---- */

static bool is_manifest_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml") || !strcmp(dot, ".json"));
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void folder_load(struct import *im, char *folder)
{
	char *const paths[] = { folder, NULL };
	FTS *fts = must(fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name));
	size_t before = im->nfiles;
	FTSENT *entry;

	while ((entry = fts_read(fts))) {
		int kind = entry->fts_info;

		if (entry->fts_level && *entry->fts_name == '.')
			fts_set(fts, entry, FTS_SKIP);
		else if (kind == FTS_DNR || kind == FTS_DC || kind == FTS_ERR)
			report_error(file_add(im, entry->fts_path)->report, NULL, 0,
				     "cannot be read: %s",
				     strerror(kind == FTS_DC ? ELOOP : entry->fts_errno));
		else if (kind != FTS_D && kind != FTS_DP && is_manifest_name(entry->fts_path))
			file_load(im, entry->fts_path);
	}
	fts_close(fts);
	if (im->nfiles == before)
		report_error(file_add(im, folder)->report, NULL, 0,
			     "contains no file *.yaml, *.yml or *.json");
}

void manifests_load(struct import *im, char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		folder_load(im, path);
	else
		file_load(im, path);
}
