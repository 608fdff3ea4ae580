/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manifest.c - Kubernetes objects from files
 */
#include <errno.h>
#include <fts.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "import/import.h"
#include "must.h"
#include "output/output.h"
#include "yaml/file.h"

static const struct {
	const char *group;	/* apiVersion is group/version */
	const char *name;
	enum manifest_kind kind;
} kinds[] = {
	{ "kueue.x-k8s.io", "ResourceFlavor", MANIFEST_FLAVOR },
	{ "kueue.x-k8s.io", "Cohort", MANIFEST_COHORT },
	{ "kueue.x-k8s.io", "ClusterQueue", MANIFEST_QUEUE },
	{ "kueue.x-k8s.io", "LocalQueue", MANIFEST_LOCAL_QUEUE },
	{ "kueue.x-k8s.io", "WorkloadPriorityClass", MANIFEST_CLASS },
	{ "config.kueue.x-k8s.io", "Configuration", MANIFEST_CONFIG },
};

void manifests_fini(struct manifests *m)
{
	for (size_t i = 0; i < m->nfiles; i++) {
		document_destroy(m->files[i].doc);
		free(m->files[i].name);
	}
	free(m->files);
	free(m->items);
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

const struct manifest *manifests_find(const struct manifests *m, enum manifest_kind kind,
				      const char *name, const char *space)
{
	const struct manifest *of = manifests_next(m, kind, NULL);

	while (of && (strcmp(of->name, name) || (space && strcmp(of->space, space))))
		of = manifests_next(m, kind, of);
	return of;
}

const struct manifest *manifests_next(const struct manifests *m, enum manifest_kind kind,
				      const struct manifest *of)
{
	size_t i = of ? (size_t) (of - m->items) + 1 : 0;

	while (i < m->n && m->items[i].kind != kind)
		i++;
	return i < m->n ? &m->items[i] : NULL;
}

/* ---- errors ---- */

static void message_print(void *arg, bool warning, const char *message)
{
	struct manifests *m = arg;

	m->errors += !warning;
	stderr_line("%s", message);
}

void manifest_error(struct manifests *m, const char *file, int line, const char *fmt, ...)
{
	char text[512], number[24] = "";
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (line)
		snprintf(number, sizeof(number), ":%d", line);
	m->errors++;
	stderr_line("%.400s%s: %s", file, number, text);
}

/* ---- objects ---- */

static enum manifest_kind kind_of(const char *version, const char *name)
{
	size_t len = strcspn(version, "/");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name) && strlen(kinds[i].group) == len
		    && !strncmp(kinds[i].group, version, len))
			return kinds[i].kind;
	return MANIFEST_OTHER;
}

/* The first of two keys of the spec that has a text */
static const char *either(const struct node *spec, const char *old, const char *new)
{
	const char *text = node_text(spec, old);

	if (!text || !*text)
		text = node_text(spec, new);
	return text && *text ? text : NULL;
}

/* What it belongs to, by the key of either API version; NULL: nothing */
static const char *parent_of(const struct manifest *of)
{
	switch (of->kind) {
	case MANIFEST_COHORT:
		return either(of->spec, "parent", "parentName");
	case MANIFEST_QUEUE:
		return either(of->spec, "cohort", "cohortName");
	case MANIFEST_LOCAL_QUEUE:
		return node_text(of->spec, "clusterQueue");
	default:
		return NULL;
	}
}

static void object_take(struct manifests *m, const char *file, const struct node *root,
			bool in_list)
{
	const struct node *meta = node_find(root, "metadata"), *items = node_list(root, "items");
	const char *version = node_text(root, "apiVersion"), *kind = node_text(root, "kind");
	const char *name = node_text(meta, "name"), *space = node_text(meta, "namespace");
	const struct manifest *twin = NULL;
	struct manifest of = {
		.root = root, .file = file, .kind_name = kind, .name = name ? name : "",
		.space = space ? space : "default", .spec = node_find(root, "spec"),
	};

	if (!version || !kind) {
		manifest_error(m, file, root->line, "is not a Kubernetes object: it has "
			       "no apiVersion or no kind");
		return;
	}
	if (node_find(root, "items") == items && !in_list) {
		for (size_t i = 0; i < items->nitems; i++)
			object_take(m, file, items->items[i], true);
		return;
	}
	of.kind = kind_of(version, kind);
	if (!name && of.kind != MANIFEST_OTHER && of.kind != MANIFEST_CONFIG) {
		manifest_error(m, file, root->line, "%s without metadata.name", kind);
		return;
	}
	of.parent = parent_of(&of);
	/* names of local queues are by namespace; many other objects may have one name */
	if (of.kind != MANIFEST_OTHER)
		twin = manifests_find(m, of.kind, of.name,
				      of.kind == MANIFEST_LOCAL_QUEUE ? of.space : NULL);
	if (twin) {
		manifest_error(m, file, root->line, "%s %s is already defined in %s:%d", kind,
			       quote(of.name).text, twin->file, twin->root->line);
		return;
	}
	m->items = must_grow(m->items, m->n, sizeof(*m->items));
	m->items[m->n++] = of;
}

static void file_load(struct manifests *m, const char *path)
{
	char *name = must(strdup(strcmp(path, "-") ? path : "(standard input)"));
	struct report *report;
	struct manifest_file *file;
	const struct node *root;
	size_t len;
	char *text;

	m->files = must_grow(m->files, m->nfiles, sizeof(*m->files));
	file = &m->files[m->nfiles++];
	*file = (struct manifest_file) { .name = name };
	text = file_read(path, &len);
	if (!text) {
		manifest_error(m, name, 0, "cannot be read: %s", strerror(errno));
		return;
	}
	report = must(report_create(name));
	file->doc = document_load_stream(text, len, report);
	report_emit(report, message_print, m);
	report_destroy(report);
	free(text);
	if (!file->doc)
		return;
	root = document_root(file->doc);
	if (!root->nitems)
		manifest_error(m, name, 0, "contains no objects");
	for (size_t i = 0; i < root->nitems; i++)
		object_take(m, name, root->items[i], false);
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

static void folder_load(struct manifests *m, char *folder)
{
	char *const paths[] = { folder, NULL };
	FTS *fts = must(fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name));
	size_t errors = m->errors, files = 0;
	FTSENT *entry;

	while ((entry = fts_read(fts))) {
		int kind = entry->fts_info;

		if (entry->fts_level && *entry->fts_name == '.') {
			fts_set(fts, entry, FTS_SKIP);
		} else if (kind == FTS_DNR || kind == FTS_DC || kind == FTS_ERR) {
			manifest_error(m, entry->fts_path, 0, "cannot be read: %s",
				       strerror(kind == FTS_DC ? ELOOP : entry->fts_errno));
		} else if (kind != FTS_D && kind != FTS_DP && is_manifest_name(entry->fts_path)) {
			file_load(m, entry->fts_path);
			files++;
		}
	}
	fts_close(fts);
	if (!files && m->errors == errors)
		manifest_error(m, folder, 0, "contains no file *.yaml, *.yml or *.json");
}

void manifests_load(struct manifests *m, char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		folder_load(m, path);
	else
		file_load(m, path);
}
