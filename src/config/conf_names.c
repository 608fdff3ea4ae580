/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_names.c - names in cohort.yaml that only Slurm can judge
 *
 * The conf's text is read again, so that each name has its own line.
 */
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "text/report.h"
#include "yaml/document.h"

typedef bool (*known_f)(void *arg, const char *name);

/* Judges one text: 0, or -1 with a complete message in err */
typedef int (*judge_f)(const struct conf_names *names, const char *text, char *err, size_t size);

static int nodes_judge(const struct conf_names *names, const char *text, char *err, size_t size)
{
	char bad[256] = "";

	if (!names->nodes || names->nodes(names->arg, text, bad, sizeof(bad)))
		return 0;
	return errprintf(err, size, "%s is not a node of this cluster",
			 quote(*bad ? bad : text).text);
}

static int program_judge(const struct conf_names *names, const char *text, char *err, size_t size)
{
	char why[512];

	if (!names->program || names->program(names->arg, text, why, sizeof(why)))
		return 0;
	return errprintf(err, size, "%s %s", quote(text).text, why);
}

static int from_judge(const struct conf_names *names, const char *text, char *err, size_t size)
{
	if (strcmp(text, "slurm") != 0 || !names->usage || names->usage(names->arg))
		return 0;
	return errprintf(err, size, "slurm needs PriorityType=priority/multifactor and "
			 "AccountingStorageType=accounting_storage/slurmdbd in slurm.conf");
}

/* Users are not looked up. */
#define LOCAL_QUEUE "clusterQueues.localQueues.name"

#define NAMES(member) offsetof(struct conf_names, member)
#define PARTITION NAMES(partition), "partition of this cluster"
#define QOS NAMES(qos), "QOS of this cluster"
#define ACCOUNT NAMES(account), "account of this cluster"
#define RESOURCE NAMES(resource), "resource of this cluster"

static const struct {
	const char *path;	/* path without indexes */
	judge_f judge;		/* or NULL: it is, or lists, what is known */
	size_t known;		/* offset of the known_f */
	const char *what;
	const char *separator;	/* of a list; "": one name or pattern */
} rows[] = {
	{ "notify.program", program_judge, 0, "", "" },
	{ "flavors.features", NULL, NAMES(feature), "feature of any node", "&" },
	{ "flavors.nodes", nodes_judge, 0, "", "" },
	{ "flavors.partitions", NULL, PARTITION, "," },
	{ "clusterQueues.match.partition", NULL, PARTITION, "" },
	{ "clusterQueues.match.qos", NULL, QOS, "" },
	{ "clusterQueues.match.account", NULL, ACCOUNT, "" },
	{ LOCAL_QUEUE, NULL, ACCOUNT, "" },
	{ "admissionFairSharing.usageFrom", from_judge, 0, "", "" },
	{ "clusterQueues.nonPreemptible.match.partition", NULL, PARTITION, "" },
	{ "clusterQueues.nonPreemptible.match.qos", NULL, QOS, "" },
	{ "clusterQueues.nonPreemptible.match.account", NULL, ACCOUNT, "" },
	{ "clusterQueues.resourceGroups.coveredResources", NULL, RESOURCE, "" },
	{ "cohorts.resourceGroups.coveredResources", NULL, RESOURCE, "" },
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

struct judging {
	const struct conf *conf;
	const struct conf_names *names;
	struct report *report;
};

/* Judges each name of a list; the first that is wrong counts. A pattern is not judged. */
static int names_judge(const struct judging *j, size_t row, char *text, char *err, size_t size)
{
	const char *separator = rows[row].separator;
	char *save, *name = strtok_r(text, separator, &save);
	known_f known;

	memcpy(&known, (const char *) j->names + rows[row].known, sizeof(known));
	if (!known || (!*separator && strpbrk(text, "*?[\\")))
		return 0;
	for (; name; name = strtok_r(NULL, separator, &save)) {
		if (!known(j->names->arg, name))
			return errprintf(err, size, "%s is no %s", quote(name).text,
					 rows[row].what);
	}
	return 0;
}

static void scalar_check(const struct judging *j, const struct node *n)
{
	char path[128], err[640], *text;
	size_t i = 0;
	int rc;

	place_format(&n->at, false, path, sizeof(path));
	while (i < NROWS && strcmp(rows[i].path, path) != 0)
		i++;
	if (i == NROWS || (j->conf->local_queue == CONF_LOCAL_USER && !strcmp(path, LOCAL_QUEUE)))
		return;
	text = strdup(n->text);	/* a list is taken apart */
	if (!text) {
		report_nomem(j->report);
		return;
	}
	rc = rows[i].judge ? rows[i].judge(j->names, text, err, sizeof(err))
			   : names_judge(j, i, text, err, sizeof(err));
	if (rc < 0)
		report_error(j->report, &n->at, n->line, "%s", err);
	free(text);
}

static void node_check(const struct judging *j, const struct node *n)
{
	if (n->kind == NODE_SCALAR)
		scalar_check(j, n);
	for (size_t i = 0; i < node_length(n); i++)
		node_check(j, node_item(n, i));
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
		node_check(&j, document_root(doc));
	document_destroy(doc);
	report_emit(messages, report, arg);
	errors = (int) report_errors(messages);
	report_destroy(messages);
	return errors;
}
