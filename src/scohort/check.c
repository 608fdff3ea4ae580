/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.c - scohort check: is this cohort.yaml right?
 *
 * Says the same as slurmctld would at start, without Slurm: every error and
 * warning with its line on standard error, a summary on standard output.
 */
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json_object.h>

#include "conf.h"
#include "config.h"
#include "scohort.h"

#define DEFAULT_PATH COHORT_SLURM_SYSCONFDIR "/cohort.yaml"

/* What the messages are turned into: lines at once, or a list for --json */
struct findings {
	struct json_object *errors;
	struct json_object *warnings;
};

static void finding_print(void *arg, bool warning, const char *message)
{
	(void) arg;
	(void) warning;
	fprintf(stderr, "%s\n", message);
}

static void finding_collect(void *arg, bool warning, const char *message)
{
	struct findings *f = arg;

	json_object_array_add(warning ? f->warnings : f->errors,
			      json_object_new_string(message));
}

/* cohort.yaml lies beside slurm.conf. */
static void path_default(char *path, size_t size)
{
	const char *env = getenv("SLURM_CONF");
	char copy[PATH_MAX];

	if (!env || !*env) {
		snprintf(path, size, "%s", DEFAULT_PATH);
		return;
	}
	snprintf(copy, sizeof(copy), "%s", env);
	snprintf(path, size, "%s/cohort.yaml", dirname(copy));
}

static int check_print(const char *path)
{
	struct conf *conf = conf_load(path, finding_print, NULL);
	const struct spec *spec;

	if (!conf)
		return STATUS_FAILED;
	spec = conf->spec;
	printf("%s: %zu cohort%s, %zu cluster queue%s, %zu flavor%s\n", path,
	       spec->ncohorts, spec->ncohorts == 1 ? "" : "s",
	       spec->nqueues, spec->nqueues == 1 ? "" : "s",
	       spec->nflavors, spec->nflavors == 1 ? "" : "s");
	conf_destroy(conf);
	return STATUS_OK;
}

static int check_json(const char *path)
{
	struct json_object *out = json_object_new_object();
	struct findings f = { json_object_new_array(),
			      json_object_new_array() };
	struct conf *conf = conf_load(path, finding_collect, &f);
	int status = conf ? STATUS_OK : STATUS_FAILED;

	json_object_object_add(out, "file", json_object_new_string(path));
	json_object_object_add(out, "valid", json_object_new_boolean(!!conf));
	if (conf) {
		json_object_object_add(out, "cohorts",
			json_object_new_int64(conf->spec->ncohorts));
		json_object_object_add(out, "clusterQueues",
			json_object_new_int64(conf->spec->nqueues));
		json_object_object_add(out, "flavors",
			json_object_new_int64(conf->spec->nflavors));
	}
	json_object_object_add(out, "errors", f.errors);
	json_object_object_add(out, "warnings", f.warnings);
	puts(json_object_to_json_string_ext(out, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(out);
	conf_destroy(conf);
	return status;
}

static void usage_print(FILE *out)
{
	fputs("Usage: scohort check [--json] [FILE]\n"
	      "\n"
	      "Reads FILE (default: cohort.yaml beside $SLURM_CONF, or\n"
	      DEFAULT_PATH ") and reports every error and warning in it.\n"
	      "Exit status 0: it can be used; 1: it cannot.\n"
	      "\n"
	      "  --json         one JSON object with all of it\n"
	      "  -h, --help     this text\n", out);
}

int cmd_check(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	char beside[PATH_MAX + sizeof("/cohort.yaml")];
	const char *path = beside;
	bool json = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (opt) {
		case 'j':
			json = true;
			break;
		case 'h':
			usage_print(stdout);
			return STATUS_OK;
		default:
			usage_print(stderr);
			return STATUS_USAGE;
		}
	}
	if (argc - optind > 1) {
		usage_print(stderr);
		return STATUS_USAGE;
	}
	if (optind < argc)
		path = argv[optind];
	else
		path_default(beside, sizeof(beside));
	return json ? check_json(path) : check_print(path);
}
