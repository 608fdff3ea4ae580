/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.c - scohort import: Kueue's manifests to cohort.yaml
 *
 * ResourceFlavor, ClusterQueue, Cohort, LocalQueue, WorkloadPriorityClass
 * (v1beta1 and v1beta2) and the controller's Configuration. The result goes to
 * standard output, and is read once more as slurmctld would; the messages of
 * that go to standard error. A setting that has no counterpart, or has to be
 * checked by hand, is a comment in the place where it would have been.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "conf.h"
#include "import/import.h"
#include "must.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "output/text.h"
#include "text/printable.h"

/* The next object of that kind, which is written from now on; false: it was the last one */
static bool next(struct import *im, enum manifest_kind kind, const struct manifest **of)
{
	im->of = *of = manifests_next(im, kind, *of);
	return *of;
}

/* ---- priorities ---- */

/* Finds what is added to all priorities, so that none is below 0, and writes them. */
static void classes_write(struct import *im)
{
	const struct manifest *of = NULL;

	if (!manifests_next(im, MANIFEST_CLASS, NULL))
		return;
	while (next(im, MANIFEST_CLASS, &of)) {
		const struct node *value = node_find(of->root, "value");
		int64_t number = value ? import_read_priority(im, value, "value") : 0;

		im->raise = -number > im->raise ? -number : im->raise;
	}
	fputc('\n', im->out);
	import_note(im, 0, "The priority of a job is that of its QOS. For each "
		    "WorkloadPriorityClass:");
	while (next(im, MANIFEST_CLASS, &of)) {
		const char *value = node_text(of->root, "value");

		fprintf(im->out, "#   sacctmgr add qos %s Priority=%lld\n", yaml_word(of->name),
			(long long) ((value ? strtoll(value, NULL, 10) : 0) + im->raise));
	}
	if (im->raise)
		import_note(im, 0, "All of them, and maxPriorityThreshold, are raised by %lld: "
			    "none can be below 0 in Slurm.", (long long) im->raise);
	fputs("priority: qos\n", im->out);
}

/* ---- the controller's configuration ---- */

static void fair_sharing_write(struct import *im)
{
	const struct node *fair = node_find(im->of->root, "fairSharing");
	const struct node *list = node_list(fair, "preemptionStrategies");
	const char *enable = node_text(fair, "enable");

	/* From v1beta2 on the key alone means yes. */
	if (!fair || (enable && strcmp(enable, "true") != 0))
		return;
	fputs("fairSharing:\n  enable: true\n", im->out);
	if (list->nitems)
		fputs("  preemptionStrategies:\n", im->out);
	for (size_t i = 0; i < list->nitems; i++)
		if (list->items[i]->kind == NODE_SCALAR)
			fprintf(im->out, "    - %s\n", yaml_word(list->items[i]->text));
}

/* Kueue's admission fair sharing (KEP-4136): usage history inside cluster queues */
static void history_write(struct import *im)
{
	const struct node *map = node_map(im->of->root, "admissionFairSharing");
	const struct node *weights = node_map(map, "resourceWeights");
	const char *half_life = node_text(map, "usageHalfLifeTime");
	const char *sampling = node_text(map, "usageSamplingInterval");
	const char *heading = "  resourceWeights:\n";
	char tres[RESOURCE_NAME_MAX + 1];
	double weight;

	if (!map)
		return;
	/* Kueue's default, too */
	fprintf(im->out, "admissionFairSharing:\n  usageHalfLifeTime: %s\n",
		half_life ? yaml_word(half_life) : "0s");
	if (sampling)
		fprintf(im->out, "  usageSamplingInterval: %s\n", yaml_word(sampling));
	for (size_t i = 0; weights && i + 1 < weights->nitems; i += 2) {
		const struct node *key = weights->items[i];

		if (!import_resource_name(key->text, tres)) {
			import_lost(im, key, 4, "resourceWeights of %s", quote(key->text).text);
			continue;
		}
		if (!import_read_weight(im, weights->items[i + 1], "resourceWeights", 4, &weight))
			continue;
		if (heading)
			import_note(im, 2, "check: what was used is divided by the most that the "
				    "cluster queue could ever use, then weighted; Kueue weights "
				    "cores and bytes");
		import_head(im, &heading);
		fprintf(im->out, "    %s: %.15g\n", tres, weight);
	}
}

/* In the order of the files */
static void others_write(struct import *im)
{
	for (size_t i = 0; i < im->n; i++) {
		const struct manifest *of = im->of = &im->items[i];

		if (of->kind == MANIFEST_OTHER)
			import_lost(im, of->root, 0, "%s %s", of->kind_name, of->name);
		if (of->kind != MANIFEST_CONFIG)
			continue;
		import_lost(im, of->root, 0, "what else is in Configuration");
		fair_sharing_write(im);
		history_write(im);
	}
}

/* ---- flavors ---- */

/* NULL ends the words. */
static bool is_one_of(const char *value, const char *const *words)
{
	while (*words && strcasecmp(*words, value))
		words++;
	return *words;
}

/* Nodes of Kubernetes have labels with values, nodes of Slurm have features:
 * take the value; the key if the value is yes; both if it is no. */
static void feature_make(const char *key, const char *value, char *buf, size_t size)
{
	static const char *const yes[] = { "", "true", "on", "yes", "1", "enabled", "present", NULL };
	static const char *const no[] = { "false", "off", "no", "0", "disabled", "absent", NULL };
	const char *slash = strrchr(key, '/');

	key = slash ? slash + 1 : key;
	if (is_one_of(value, yes))
		snprintf(buf, size, "%s", key);
	else if (is_one_of(value, no))
		snprintf(buf, size, "%s-%s", key, value);
	else
		snprintf(buf, size, "%s", value);
}

static void flavor_write(struct import *im)
{
	static const struct field fields[] = { { .key = "nodeLabels" }, { .key = NULL } };
	const struct node *labels = node_map(im->of->spec, "nodeLabels");
	char features[512] = "", feature[512];

	fprintf(im->out, "  - name: %s\n", yaml_word(im->of->name));
	fields_check(im, im->of->spec, fields, 4);
	if (!labels) {
		import_note(im, 4, "check: it has no nodeLabels, so it includes every node");
		return;
	}
	for (size_t i = 0; i + 1 < labels->nitems; i += 2) {
		const char *key = labels->items[i]->text, *value = node_text(labels, key);

		value = value ? value : "";
		feature_make(key, value, feature, sizeof(feature));
		import_note(im, 4, "check: nodes labelled %s=%s need feature %s", key, value,
			    feature);
		text_append(features, sizeof(features), "%s%s", *features ? "&" : "", feature);
	}
	if (strlen(features) + 1 == sizeof(features))
		import_error(im, labels, "nodeLabels are too long for features of %zu bytes",
			     sizeof(features) - 2);
	fprintf(im->out, "    features: %s\n", yaml_word(features));
}

/* ---- cohorts ---- */

static bool is_member(const struct manifest *of)
{
	return of->parent && (of->kind == MANIFEST_COHORT || of->kind == MANIFEST_QUEUE);
}

/* Cohorts need no object of their own in Kueue. Is the parent of this object one that has
 * none, and that no object before has named? */
static bool is_bare(const struct import *im, const struct manifest *of)
{
	if (!is_member(of) || manifests_find(im, MANIFEST_COHORT, of->parent))
		return false;
	for (const struct manifest *other = im->items; other < of; other++)
		if (is_member(other) && !strcmp(other->parent, of->parent))
			return false;
	return true;
}

static void cohort_write(struct import *im)
{
	static const struct field fields[] = {
		{ "parent", field_elsewhere, NULL },
		{ "parentName", field_elsewhere, NULL },
		{ "resourceGroups", import_write_groups, NULL },
		{ "fairSharing", import_write_weight, NULL },
		{ NULL, NULL, NULL }
	};

	fprintf(im->out, "  - name: %s\n", yaml_word(im->of->name));
	fields_check(im, im->of->spec, fields, 4);
	if (im->of->parent)
		fprintf(im->out, "    parent: %s\n", yaml_word(im->of->parent));
	fields_write(im, im->of->spec, fields, 4);
}

static void cohorts_write(struct import *im)
{
	const char *heading = "\ncohorts:\n";

	for (size_t i = 0; i < im->n; i++) {
		const struct manifest *of = im->of = &im->items[i];
		bool bare = is_bare(im, of);

		if (bare || of->kind == MANIFEST_COHORT)
			import_head(im, &heading);
		if (bare)
			fprintf(im->out, "  - name: %s\n", yaml_word(of->parent));
		if (of->kind == MANIFEST_COHORT)
			cohort_write(im);
	}
}

/* ---- queues ---- */

static void local_queues_check(struct import *im)
{
	const struct manifest *of = NULL;

	while (next(im, MANIFEST_LOCAL_QUEUE, &of))
		if (!of->parent || !manifests_find(im, MANIFEST_QUEUE, of->parent))
			import_note(im, 0, "check: LocalQueue %s/%s (%s:%d) names cluster queue "
				    "%s, which is not in these files", of->space,
				    of->name, of->file->name, of->root->line,
				    quote(of->parent ? of->parent : "").text);
}

/* All objects of a kind below a heading */
static void kind_write(struct import *im, enum manifest_kind kind, const char *heading,
		       void (*write)(struct import *im))
{
	const struct manifest *of = NULL;

	while (next(im, kind, &of)) {
		import_head(im, &heading);
		write(im);
	}
}

/* ---- the command ---- */

static void import_write(struct import *im, int argc, char **argv)
{
	fputs("# Made by scohort import of", im->out);
	for (int i = 0; i < argc; i++) {
		putc(' ', im->out);
		printable_put(argv[i], im->out);
	}
	putc('\n', im->out);
	import_note(im, 0, "\"no counterpart\" marks what Kueue has and Slurm does not; \"check\" "
		    "marks what somebody who knows the cluster should review.");
	others_write(im);
	local_queues_check(im);
	classes_write(im);
	kind_write(im, MANIFEST_FLAVOR, "\nflavors:\n", flavor_write);
	cohorts_write(im);
	if (!manifests_next(im, MANIFEST_QUEUE, NULL))
		fputs("\nclusterQueues: []\n", im->out);
	kind_write(im, MANIFEST_QUEUE, "\nclusterQueues:\n", import_write_queue);
}

static void finding_print(void *arg, bool warning, const char *message)
{
	(void) arg;
	(void) warning;
	stderr_line("%s", message);
}

static int import_run(int argc, char **argv)
{
	struct import im = { .raise = 0 };
	struct conf *conf = NULL;
	char *text = NULL;
	size_t len = 0, errors = 0;

	for (int i = 0; i < argc; i++)
		manifests_load(&im, argv[i]);
	im.out = must(open_memstream(&text, &len));
	import_write(&im, argc, argv);
	fclose(im.out);
	must(text);
	for (size_t i = 0; i < im.nfiles; i++) {
		report_emit(im.files[i]->report, finding_print, NULL);
		errors += report_errors(im.files[i]->report);
	}
	if (!errors) {
		fwrite(text, 1, len, stdout);
		conf = conf_read_text("(the result)", text, len, finding_print, NULL);
	}
	free(text);
	manifests_fini(&im);
	conf_destroy(conf);
	return conf ? STATUS_OK : STATUS_FAILED;
}

int cmd_import(int argc, char **argv)
{
	static const struct cli cli = {
		.operands = "FILE|FOLDER...", .min = 1, .max = CLI_ANY,
		.about = "Reads manifests of Kueue (YAML or JSON; - is standard input; of a folder "
			 "it reads\nall files *.yaml, *.yml and *.json) and writes the equivalent "
			 "cohort.yaml to\nstandard output. What has no counterpart is reported on "
			 "standard error.\nExit status 0: the result is valid; 1: it is not, or a "
			 "file is wrong.\n",
		.output = CLI_PLAIN,
	};
	struct call call;

	if (!cli_parse(&cli, argc, argv, NULL, &call))
		return call.status;
	return import_run(call.nargs, call.args);
}
