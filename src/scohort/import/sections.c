/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections.c - flavors, cohorts and cluster queues of cohort.yaml
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/import.h"

static bool is_one_of(const char *value, const char *const *words)
{
	while (*words && strcasecmp(*words, value) != 0)
		words++;
	return *words;
}

/* Nodes of Kubernetes have labels with values, nodes of Slurm have features:
 * take the value; the key if the value is yes; both if it is no. */
static void feature_make(const char *key, const char *value, char *buf,
			 size_t size)
{
	static const char *const yes[] = { "", "true", "on", "yes", "1",
					   "enabled", "present", NULL };
	static const char *const no[] = { "false", "off", "no", "0",
					  "disabled", "absent", NULL };
	const char *slash = strrchr(key, '/');

	key = slash ? slash + 1 : key;
	if (is_one_of(value, yes))
		snprintf(buf, size, "%s", key);
	else if (is_one_of(value, no))
		snprintf(buf, size, "%s-%s", key, value);
	else
		snprintf(buf, size, "%s", value);
}

static void flavor_write(struct import *im, const struct manifest *of)
{
	static const char *const known[] = { "nodeLabels", NULL };
	const struct node *labels = node_find(of->spec, "nodeLabels");
	char features[512] = "", feature[512];
	size_t n = 0;

	fprintf(im->out, "  - name: %s\n", yaml_word(of->name));
	import_note_rest(im, of, 4, known);
	if (!labels || labels->kind != NODE_MAP || !labels->nitems) {
		import_note(im, 4, "check: it has no nodeLabels, so it "
			    "includes every node");
		return;
	}
	for (size_t i = 0; i + 1 < labels->nitems; i += 2) {
		const char *value = labels->items[i + 1]->kind == NODE_SCALAR ?
			labels->items[i + 1]->text : "";

		feature_make(labels->items[i]->text, value, feature,
			     sizeof(feature));
		import_note(im, 4, "check: nodes labelled %s=%s need feature "
			    "%s", labels->items[i]->text, value, feature);
		if (n < sizeof(features))
			n += (size_t) snprintf(features + n,
					       sizeof(features) - n, "%s%s",
					       n ? "&" : "", feature);
	}
	if (n >= sizeof(features))
		manifest_error(&im->m, of, labels, "nodeLabels are too long "
			       "for features of %zu bytes",
			       sizeof(features) - 1);
	fprintf(im->out, "    features: %s\n", yaml_word(features));
}

static void flavors_write(struct import *im)
{
	size_t n = 0;

	for (size_t i = 0; i < im->m.n; i++) {
		if (im->m.items[i].kind != MANIFEST_FLAVOR)
			continue;
		if (!n++)
			fputs("\nflavors:\n", im->out);
		flavor_write(im, &im->m.items[i]);
	}
}

/* Cohorts need no object of their own in Kueue. */
static bool cohort_named(const struct import *im, size_t end, const char *name)
{
	for (size_t i = 0; i < end; i++) {
		const char *other = im->m.items[i].kind == MANIFEST_COHORT ||
			im->m.items[i].kind == MANIFEST_QUEUE ?
			manifest_parent(&im->m.items[i]) : NULL;

		if (other && !strcmp(other, name))
			return true;
	}
	return false;
}

static void cohort_write(struct import *im, const struct manifest *of)
{
	static const char *const known[] = { "parent", "parentName",
					     "resourceGroups", "fairSharing",
					     NULL };
	const char *parent = manifest_parent(of);

	fprintf(im->out, "  - name: %s\n", yaml_word(of->name));
	import_note_rest(im, of, 4, known);
	if (parent)
		fprintf(im->out, "    parent: %s\n", yaml_word(parent));
	import_write_groups(im, of, 4);
	import_write_weight(im, of, 4);
}

static void cohorts_write(struct import *im)
{
	size_t n = 0;

	for (size_t i = 0; i < im->m.n; i++) {
		const struct manifest *of = &im->m.items[i];
		const char *parent = of->kind == MANIFEST_COHORT ||
			of->kind == MANIFEST_QUEUE ? manifest_parent(of) : NULL;
		bool bare = parent && !cohort_named(im, i, parent) &&
			!manifests_find(&im->m, MANIFEST_COHORT, parent);

		if (!n && (bare || of->kind == MANIFEST_COHORT))
			fputs("\ncohorts:\n", im->out);
		n += bare || of->kind == MANIFEST_COHORT;
		if (bare)
			fprintf(im->out, "  - name: %s\n", yaml_word(parent));
		if (of->kind == MANIFEST_COHORT)
			cohort_write(im, of);
	}
}

static void queues_write(struct import *im)
{
	size_t n = 0;

	for (size_t i = 0; i < im->m.n; i++) {
		if (im->m.items[i].kind != MANIFEST_QUEUE)
			continue;
		if (!n++)
			fputs("\nclusterQueues:\n", im->out);
		import_write_queue(im, &im->m.items[i]);
	}
	if (!n)
		fputs("\nclusterQueues: []\n", im->out);
}

void import_write_sections(struct import *im)
{
	flavors_write(im);
	cohorts_write(im);
	queues_write(im);
}
