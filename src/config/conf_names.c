/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_names.c - names in cohort.yaml that only Slurm can judge
 *
 * The conf's text is read again, so that each name has its own line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "text/report.h"
#include "yaml/document.h"

/* Judges one text: 0, or -1 with a complete message in err */
typedef int (*judge_f)(const struct conf_names *names, char *text, char *err,
		       size_t size);

static int judge(bool (*known)(void *arg, const char *name), void *arg,
		 const char *name, const char *what, char *err, size_t size)
{
	if (!known || known(arg, name))
		return 0;
	snprintf(err, size, "%s is no %s", quote(name).text, what);
	return -1;
}

/* Judges each item of a list; the first that is wrong counts. */
static int judge_each(bool (*known)(void *arg, const char *name), void *arg,
		      char *text, const char *separator, const char *what,
		      char *err, size_t size)
{
	char *save, *name = strtok_r(text, separator, &save);

	for (; name; name = strtok_r(NULL, separator, &save))
		if (judge(known, arg, name, what, err, size) < 0)
			return -1;
	return 0;
}

static int features_judge(const struct conf_names *names, char *text,
			  char *err, size_t size)
{
	return judge_each(names->feature, names->arg, text, "&",
			  "feature of any node", err, size);
}

static int partitions_judge(const struct conf_names *names, char *text,
			    char *err, size_t size)
{
	return judge_each(names->partition, names->arg, text, ",",
			  "partition of this cluster", err, size);
}

static int nodes_judge(const struct conf_names *names, char *text, char *err,
		       size_t size)
{
	char bad[256] = "";

	if (!names->nodes || names->nodes(names->arg, text, bad, sizeof(bad)))
		return 0;
	snprintf(err, size, "%s is not a node of this cluster",
		 quote(*bad ? bad : text).text);
	return -1;
}

static bool pattern_is_plain(const char *text)
{
	return !strpbrk(text, "*?[\\");
}

static int partition_judge(const struct conf_names *names, char *text,
			   char *err, size_t size)
{
	return !pattern_is_plain(text) ? 0 :
		judge(names->partition, names->arg, text,
		      "partition of this cluster", err, size);
}

static int qos_judge(const struct conf_names *names, char *text, char *err,
		     size_t size)
{
	return !pattern_is_plain(text) ? 0 :
		judge(names->qos, names->arg, text, "QOS of this cluster", err,
		      size);
}

static int account_judge(const struct conf_names *names, char *text,
			 char *err, size_t size)
{
	return !pattern_is_plain(text) ? 0 :
		judge(names->account, names->arg, text,
		      "account of this cluster", err, size);
}

static int resource_judge(const struct conf_names *names, char *text,
			  char *err, size_t size)
{
	return judge(names->resource, names->arg, text,
		     "resource of this cluster", err, size);
}

static int program_judge(const struct conf_names *names, char *text,
			 char *err, size_t size)
{
	char why[512];

	if (!names->program || names->program(names->arg, text, why,
					      sizeof(why)))
		return 0;
	snprintf(err, size, "%s %s", quote(text).text, why);
	return -1;
}

static int from_judge(const struct conf_names *names, char *text, char *err,
		      size_t size)
{
	if (strcmp(text, "slurm") != 0 || !names->usage
	    || names->usage(names->arg))
		return 0;
	snprintf(err, size, "slurm needs PriorityType=priority/multifactor and "
		 "AccountingStorageType=accounting_storage/slurmdbd in slurm.conf");
	return -1;
}

/* Users are not looked up. */
#define LOCAL_QUEUE "clusterQueues.localQueues.name"

static const struct {
	const char *path;	/* path without indexes */
	judge_f judge;
} rows[] = {
	{ "notify.program", program_judge },
	{ "flavors.features", features_judge },
	{ "flavors.nodes", nodes_judge },
	{ "flavors.partitions", partitions_judge },
	{ "clusterQueues.match.partition", partition_judge },
	{ "clusterQueues.match.qos", qos_judge },
	{ "clusterQueues.match.account", account_judge },
	{ LOCAL_QUEUE, account_judge },
	{ "admissionFairSharing.usageFrom", from_judge },
	{ "clusterQueues.nonPreemptible.match.partition", partition_judge },
	{ "clusterQueues.nonPreemptible.match.qos", qos_judge },
	{ "clusterQueues.nonPreemptible.match.account", account_judge },
	{ "clusterQueues.resourceGroups.coveredResources", resource_judge },
	{ "cohorts.resourceGroups.coveredResources", resource_judge },
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

struct judging {
	const struct conf *conf;
	const struct conf_names *names;
	struct report *report;
};

static bool is_user(const struct judging *j, const char *path)
{
	return j->conf->local_queue == CONF_LOCAL_USER
	       && !strcmp(path, LOCAL_QUEUE);
}

static void scalar_check(const struct node *n, const struct place *at,
			 const struct judging *j)
{
	char path[128], err[640], *text;
	size_t i = 0;

	place_format(at, false, path, sizeof(path));
	while (i < NROWS && strcmp(rows[i].path, path) != 0)
		i++;
	if (i == NROWS || is_user(j, path))
		return;
	text = strdup(n->text);	/* a judge may take it apart */
	if (!text)
		report_nomem(j->report);
	else if (rows[i].judge(j->names, text, err, sizeof(err)) < 0)
		report_error(j->report, at, n->line, "%s", err);
	free(text);
}

static void node_check(const struct node *n, const struct place *at,
		       const struct judging *j)
{
	if (n->kind == NODE_SCALAR) {
		scalar_check(n, at, j);
		return;
	}
	for (size_t i = 0; i < n->nitems; i++) {
		struct place here = { .up = at, .index = i };

		if (n->kind == NODE_MAP)
			here.key = n->items[i++]->text;
		node_check(n->items[i], &here, j);
	}
}

int conf_check_names(const struct conf *conf, const struct conf_names *names,
		     conf_report_f report, void *arg)
{
	struct report *messages = report_create(conf->file);
	const struct judging j = { conf, names, messages };
	struct document *doc;
	int errors;

	if (!messages) {
		if (report)
			report(arg, false, "out of memory");
		return 1;
	}
	doc = document_load(conf->source, strlen(conf->source), messages);
	if (doc)
		node_check(document_root(doc), NULL, &j);
	document_destroy(doc);
	report_emit(messages, report, arg);
	errors = (int) report_errors(messages);
	report_destroy(messages);
	return errors;
}
