/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manifest.c - Kubernetes objects from files
 */
#define _GNU_SOURCE	/* asprintf */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "import/manifest.h"
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

void manifests_init(struct manifests *m, conf_report_f report, void *arg)
{
	memset(m, 0, sizeof(*m));
	m->report = report;
	m->arg = arg;
}

void manifests_fini(struct manifests *m)
{
	for (size_t i = 0; i < m->ndocs; i++)
		document_destroy(m->docs[i]);
	for (size_t i = 0; i < m->npaths; i++)
		free(m->paths[i]);
	free(m->paths);
	free(m->docs);
	free(m->items);
}

const char *node_text(const struct node *map, const char *key)
{
	const struct node *n = node_find(map, key);

	return n && n->kind == NODE_SCALAR ? n->text : NULL;
}

static void message_give(void *arg, bool warning, const char *message)
{
	struct manifests *m = arg;

	m->errors += !warning;
	m->report(m->arg, warning, message);
}

static void error_give(struct manifests *m, const char *file, int line,
		       const char *fmt, va_list ap)
{
	char text[512], message[1024];

	vsnprintf(text, sizeof(text), fmt, ap);
	if (line)
		snprintf(message, sizeof(message), "%.400s:%d: %s", file, line,
			 text);
	else
		snprintf(message, sizeof(message), "%.400s: %s", file, text);
	message_give(m, false, message);
}

static void __attribute__((format(printf, 4, 5)))
file_error(struct manifests *m, const char *file, int line, const char *fmt,
	   ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_give(m, file, line, fmt, ap);
	va_end(ap);
}

void manifest_error(struct manifests *m, const struct manifest *of,
		    const struct node *at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	error_give(m, of->file, at->line, fmt, ap);
	va_end(ap);
}

const struct manifest *manifests_find(const struct manifests *m,
				      enum manifest_kind kind,
				      const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].kind == kind &&
		    !strcmp(m->items[i].name, name))
			return &m->items[i];
	return NULL;
}

static enum manifest_kind kind_of(const char *version, const char *name)
{
	size_t len = strcspn(version, "/");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name) &&
		    strlen(kinds[i].group) == len &&
		    !strncmp(kinds[i].group, version, len))
			return kinds[i].kind;
	return MANIFEST_OTHER;
}

/* Names of local queues are by namespace; many may have one name. */
static const struct manifest *twin_find(const struct manifests *m,
					const struct manifest *of)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].kind == of->kind &&
		    !strcmp(m->items[i].name, of->name) &&
		    (of->kind != MANIFEST_LOCAL_QUEUE ||
		     !strcmp(m->items[i].space, of->space)))
			return &m->items[i];
	return NULL;
}

static void manifest_add(struct manifests *m, const struct manifest *new)
{
	const struct manifest *twin = NULL;
	struct manifest *items;

	if (new->kind != MANIFEST_OTHER)
		twin = twin_find(m, new);
	if (twin) {
		manifest_error(m, new, new->root, "%s %s is already defined in "
			       "%s:%d", new->kind_name,
			       quote(new->name).text, twin->file,
			       twin->root->line);
		return;
	}
	items = realloc(m->items, (m->n + 1) * sizeof(*items));
	if (!items) {
		file_error(m, new->file, 0, "%s", strerror(errno));
		return;
	}
	m->items = items;
	m->items[m->n++] = *new;
}

static void object_take(struct manifests *m, const char *file,
			const struct node *root, bool in_list)
{
	const struct node *meta = node_find(root, "metadata");
	const struct node *items = node_find(root, "items");
	const char *version = node_text(root, "apiVersion");
	const char *kind = node_text(root, "kind");
	struct manifest of = { .root = root, .file = file };

	if (!version || !kind) {
		file_error(m, file, root->line, "is not a Kubernetes object: "
			   "it has no apiVersion or no kind");
		return;
	}
	if (items && items->kind == NODE_LIST && !in_list) {
		for (size_t i = 0; i < items->nitems; i++)
			object_take(m, file, items->items[i], true);
		return;
	}
	of.kind = kind_of(version, kind);
	of.kind_name = kind;
	of.name = node_text(meta, "name");
	of.space = node_text(meta, "namespace");
	of.spec = node_find(root, "spec");
	if (!of.name && of.kind != MANIFEST_OTHER && of.kind != MANIFEST_CONFIG) {
		file_error(m, file, root->line, "%s without metadata.name",
			   kind);
		return;
	}
	of.name = of.name ? of.name : "";
	of.space = of.space ? of.space : "default";
	manifest_add(m, &of);
}

static struct document *stream_load(struct manifests *m, const char *path,
				    const char *text, size_t len)
{
	struct report *report = report_create(path);
	struct document *doc = NULL;

	if (report)
		doc = document_load_stream(text, len, report);
	if (report)
		report_emit(report, message_give, m);
	else
		file_error(m, path, 0, "%s", strerror(errno));
	report_destroy(report);
	return doc;
}

static void file_load(struct manifests *m, const char *path)
{
	const char *name = strcmp(path, "-") ? path : "(standard input)";
	const struct node *root;
	struct document **docs, *doc;
	size_t len;
	char *text = file_read(path, &len);

	docs = realloc(m->docs, (m->ndocs + 1) * sizeof(*docs));
	if (docs)
		m->docs = docs;
	if (!text || !docs) {
		file_error(m, name, 0, "cannot be read: %s", strerror(errno));
		free(text);
		return;
	}
	doc = stream_load(m, name, text, len);
	free(text);
	if (!doc)
		return;
	m->docs[m->ndocs++] = doc;
	root = document_root(doc);
	if (!root->nitems)
		file_error(m, name, 0, "contains no objects");
	for (size_t i = 0; i < root->nitems; i++)
		object_take(m, name, root->items[i], false);
}

/* ---- folders ---- */

#define FOLDERS_DEEP 16		/* no repository has more below each other */

static bool is_manifest_name(const char *name)
{
	static const char *const ends[] = { ".yaml", ".yml", ".json" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(ends) / sizeof(*ends); i++)
		if (!strcmp(dot, ends[i]))
			return true;
	return false;
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* A path that lives as long as m; NULL was reported. */
static const char *path_keep(struct manifests *m, const char *folder,
			     const char *name)
{
	char **paths = realloc(m->paths, (m->npaths + 1) * sizeof(*paths));
	char *path = NULL;

	if (paths)
		m->paths = paths;
	if (!paths || asprintf(&path, "%s/%s", folder, name) < 0) {
		file_error(m, folder, 0, "%s", strerror(ENOMEM));
		return NULL;
	}
	m->paths[m->npaths++] = path;
	return path;
}

/* Returns how many files there are. */
static size_t folder_load(struct manifests *m, const char *folder, int deep)
{
	struct dirent **entries;
	int n = deep < FOLDERS_DEEP ? scandir(folder, &entries, is_shown,
					      alphasort) : (errno = ELOOP, -1);
	size_t files = 0;

	if (n < 0)
		file_error(m, folder, 0, "cannot be read: %s",
			   strerror(errno));
	for (int i = 0; i < n; i++) {
		const char *path = path_keep(m, folder, entries[i]->d_name);

		if (path && is_folder(path)) {
			files += folder_load(m, path, deep + 1);
		} else if (path && is_manifest_name(path)) {
			file_load(m, path);
			files++;
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return files;
}

void manifests_load(struct manifests *m, const char *path)
{
	size_t errors = m->errors;

	if (!is_folder(path))
		file_load(m, path);
	else if (!folder_load(m, path, 0) && m->errors == errors)
		file_error(m, path, 0, "contains no file *.yaml, *.yml or "
			   "*.json");
}

const char *manifest_parent(const struct manifest *of)
{
	static const char *const keys[] = { "cohort", "cohortName", "parent",
					    "parentName" };
	bool cohort = of->kind == MANIFEST_COHORT;
	const char *name = node_text(of->spec, keys[2 * cohort]);

	if (!name || !*name)
		name = node_text(of->spec, keys[2 * cohort + 1]);
	return name && *name ? name : NULL;
}

bool manifest_serves(const struct manifest *local, const char *queue)
{
	const char *name = node_text(local->spec, "clusterQueue");

	return local->kind == MANIFEST_LOCAL_QUEUE && name &&
	       !strcmp(name, queue);
}
