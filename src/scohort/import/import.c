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
#define _GNU_SOURCE	/* open_memstream */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "import/import.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "text/printable.h"

static void finding_print(void *arg, bool warning, const char *message)
{
	(void) arg;
	(void) warning;
	stderr_line("%s", message);
}

/* No value counts as 0; a wrong value has been reported. */
static int64_t class_value(const struct manifest *of)
{
	const struct node *value = node_find(of->root, "value");
	int64_t number = 0;

	if (value)
		(void) import_read_priority(value, &number);
	return number;
}

/* The amount added to all priorities, so that none is below 0 */
static int64_t raise_find(struct import *im)
{
	int64_t raise = 0;

	for (size_t i = 0; i < im->m.n; i++) {
		const struct manifest *of = &im->m.items[i];
		const struct node *value = node_find(of->root, "value");
		int64_t number;

		if (of->kind != MANIFEST_CLASS || !value)
			continue;
		if (!import_read_priority(value, &number))
			manifest_error(&im->m, of, value,
				       "value " IMPORT_PRIORITY_IS);
		else if (-number > raise)
			raise = -number;
	}
	return raise;
}

static void classes_write(struct import *im)
{
	size_t n = 0;

	for (size_t i = 0; i < im->m.n; i++) {
		const struct manifest *of = &im->m.items[i];

		if (of->kind != MANIFEST_CLASS)
			continue;
		if (!n++) {
			fputc('\n', im->out);
			import_note(im, 0, "The priority of a job is that of "
				    "its QOS. For each WorkloadPriorityClass:");
		}
		fprintf(im->out, "#   sacctmgr add qos %s Priority=%lld\n",
			yaml_word(of->name),
			(long long) (class_value(of) + im->raise));
	}
	if (n && im->raise)
		import_note(im, 0, "All of them, and maxPriorityThreshold, are "
			    "raised by %lld: none can be below 0 in Slurm.",
			    (long long) im->raise);
	if (n)
		fputs("priority: qos\n", im->out);
}

static void fair_sharing_write(struct import *im, const struct manifest *of)
{
	const struct node *fair = node_find(of->root, "fairSharing");
	const struct node *list = node_find(fair, "preemptionStrategies");
	const char *enable = node_text(fair, "enable");

	/* From v1beta2 on the key alone means yes. */
	if (!fair || (enable && strcmp(enable, "true") != 0))
		return;
	fputs("fairSharing:\n  enable: true\n", im->out);
	if (!list || list->kind != NODE_LIST || !list->nitems)
		return;
	fputs("  preemptionStrategies:\n", im->out);
	for (size_t i = 0; i < list->nitems; i++)
		if (list->items[i]->kind == NODE_SCALAR)
			fprintf(im->out, "    - %s\n",
				yaml_word(list->items[i]->text));
}

static void config_write(struct import *im, const struct manifest *of)
{
	import_lost(im, of, of->root, 0, NULL,
		    "what else is in Configuration");
	fair_sharing_write(im, of);
	import_write_history(im, of);
}

static void others_write(struct import *im)
{
	for (size_t i = 0; i < im->m.n; i++) {
		const struct manifest *of = &im->m.items[i];

		if (of->kind == MANIFEST_OTHER)
			import_lost(im, of, of->root, 0, NULL, "%s %s",
				    of->kind_name, of->name);
		if (of->kind == MANIFEST_CONFIG)
			config_write(im, of);
	}
}

static void local_queues_check(struct import *im)
{
	for (size_t i = 0; i < im->m.n; i++) {
		const struct manifest *of = &im->m.items[i];
		const char *queue;

		if (of->kind != MANIFEST_LOCAL_QUEUE)
			continue;
		queue = node_text(of->spec, "clusterQueue");
		if (!queue || !manifests_find(&im->m, MANIFEST_QUEUE, queue))
			import_note(im, 0, "check: LocalQueue %s/%s (%s:%d) "
				    "names cluster queue %s, which is not in "
				    "these files", of->space, of->name,
				    of->file, of->root->line,
				    quote(queue ? queue : "").text);
	}
}

static void import_write(struct import *im, int argc, char **argv)
{
	im->vendors = import_has_vendors(&im->m);
	im->raise = raise_find(im);
	fputs("# Made by scohort import of", im->out);
	for (int i = 0; i < argc; i++) {
		putc(' ', im->out);
		printable_put(argv[i], im->out);
	}
	putc('\n', im->out);
	import_note(im, 0, "\"no counterpart\" marks what Kueue has and Slurm "
		    "does not; \"check\" marks what somebody who knows the "
		    "cluster should review.");
	others_write(im);
	local_queues_check(im);
	classes_write(im);
	import_write_sections(im);
}

static int import_run(int argc, char **argv)
{
	struct import im = { .raise = 0 };
	char *text = NULL;
	size_t len = 0;
	int status = STATUS_FAILED;
	struct conf *conf;

	manifests_init(&im.m, finding_print, NULL);
	for (int i = 0; i < argc; i++)
		manifests_load(&im.m, argv[i]);
	im.out = open_memstream(&text, &len);
	if (!im.out) {
		perror("scohort import");
	} else {
		import_write(&im, argc, argv);
		fclose(im.out);
	}
	if (text && !im.m.errors) {
		fwrite(text, 1, len, stdout);
		conf = conf_read_text("(the result)", text, len, finding_print,
				  NULL);
		status = conf ? STATUS_OK : STATUS_FAILED;
		conf_destroy(conf);
	}
	free(text);
	manifests_fini(&im.m);
	return status;
}

static void usage_print(FILE *out)
{
	fputs("Usage: scohort import FILE|FOLDER...\n\nReads manifests of "
	      "Kueue (YAML or JSON; - is standard input; of a\nfolder it reads "
	      "all files *.yaml, *.yml and *.json) and writes the\nequivalent "
	      "cohort.yaml to standard output. What has no counterpart\nis "
	      "reported on standard error.\nExit status 0: the result is "
	      "valid; 1: it is not, or a file is wrong.\n\n  -h, --help     "
	      "this text\n", out);
}

int cmd_import(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		usage_print(opt == 'h' ? stdout : stderr);
		return opt == 'h' ? STATUS_OK : STATUS_USAGE;
	}
	if (optind == argc) {
		usage_print(stderr);
		return STATUS_USAGE;
	}
	return import_run(argc - optind, argv + optind);
}
