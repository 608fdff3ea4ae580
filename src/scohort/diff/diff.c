/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.c - scohort diff: what another cohort.yaml would change
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "cli/options.h"
#include "diff/diff.h"
#include "input/json_members.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "slurm/conf_path.h"

#define LINES_MAX 20		/* of jobs; a document has all */

static const struct cli cli = {
	.operands = "[FILE]", .max = 1,
	.about = "Compares FILE (default: the cohort.yaml beside slurm.conf) "
		 "with the configuration in\nforce: quotas, rules, queues of "
		 "jobs, new borrowers, jobs that could newly be evicted.\nExit "
		 "status 1: the file is not valid.\n",
	.output = CLI_DATA,
};

/* ---- what is in force ---- */

struct conf *diff_in_force(const struct published *p, const struct controller *controller,
			   char *err, size_t size)
{
	struct json_object *c = json_member(p->document, "configuration");
	bool on_disk = json_truth(c, "valid") && !strcmp(json_text(c, "onDisk"), "same");
	char path[PATH_MAX];
	struct conf *conf;

	if (c && !json_number(c, "since"))
		return conf_read_text("", CONF_OF_NO_QUEUES, strlen(CONF_OF_NO_QUEUES), NULL, NULL);
	if (on_disk)
		snprintf(path, sizeof(path), "%s", json_text(c, "file"));
	else
		snprintf(path, sizeof(path), "%s/cohort.yaml.good", controller->state_dir);
	errno = 0;
	conf = conf_load(path, NULL, NULL);
	if (!conf)
		snprintf(err, size, "%s, which is in force, cannot be read: %s", path,
			 errno ? strerror(errno) : "it has errors");
	return conf;
}

/* ---- the document ---- */

struct json_object *diff_make(const struct conf *from, const struct conf *to,
			      const struct published *p, char *err, size_t size)
{
	struct view_list views;
	struct json_object *o, *keys;

	if (views_load(&views, 0, err, size))
		return NULL;
	o = json_object_new_object();
	keys = diff_keys(from->source, to->source);
	diff_defaults(keys, from, to, p);
	json_object_object_add(o, "quotas", diff_quotas(from, to));
	json_object_object_add(o, "keys", keys);
	diff_jobs(o, from, to, p, &views);
	views_free(&views);
	return o;
}

/* ---- text ---- */

static const char *or_none(const char *text, const char *none)
{
	return *text ? text : none;
}

static void amount_text(struct json_object *o, const char *key, char *buf, size_t size)
{
	if (json_member(o, key))
		text_amount(buf, size, json_text(o, "resource"), json_number(o, key));
	else
		snprintf(buf, size, "none");
}

static void quota_line(FILE *out, struct json_object *o)
{
	char from[TEXT_SIZE], to[TEXT_SIZE], now[TEXT_SIZE], at[TEXT_SIZE];
	int64_t until = json_number(o, "until");

	amount_text(o, "from", from, sizeof(from));
	amount_text(o, "to", to, sizeof(to));
	fprintf(out, "  %s %s, flavor %s: %s of %s %s -> %s",
		!strcmp(json_text(o, "kind"), "cohort") ? "cohort" : "queue",
		json_text(o, "name"), json_text(o, "flavor"),
		json_text(o, "key"), json_text(o, "resource"), from, to);
	if (json_member(o, "temporary")) {
		amount_text(o, "temporary", now, sizeof(now));
		fprintf(out, " (a temporaryQuota of %s holds%s%s)", now, until ? " until "
			: " for good", until ? text_date(at, sizeof(at), until) : "");
	}
	putc('\n', out);
}

static void key_line(FILE *out, struct json_object *o)
{
	const char *implied = or_none(json_text(o, "default"), "none");
	const char *from = json_text(o, "from"), *to = json_text(o, "to");
	const char *mark = json_member(o, "default") ? " (default)" : "";

	fprintf(out, "  %s: %s%s -> %s%s\n", json_text(o, "path"), or_none(from, implied),
		*from ? "" : mark, or_none(to, implied), *to ? "" : mark);
}

static void move_line(FILE *out, struct json_object *o)
{
	fprintf(out, "  %s, %s: %s -> %s\n", json_text(o, "jobId"),
		json_text(o, "state"), or_none(json_text(o, "from"), "no queue"),
		or_none(json_text(o, "to"), "no queue"));
}

static void borrower_line(FILE *out, struct json_object *o)
{
	char amount[TEXT_SIZE];

	fprintf(out, "  %s: %s of flavor %s\n", json_text(o, "clusterQueue"),
		text_amount_of(amount, sizeof(amount), json_text(o, "resource"),
			       json_number(o, "borrowed")),
		json_text(o, "flavor"));
}

static void evictable_line(FILE *out, struct json_object *o)
{
	fprintf(out, "  %s of queue %s\n", json_text(o, "jobId"), json_text(o, "clusterQueue"));
}

static const struct {
	const char *key, *heading;
	void (*line)(FILE *out, struct json_object *o);
} parts[] = {
	{ "quotas", "Quotas:", quota_line },
	{ "keys", "Rules and settings:", key_line },
	{ "jobs", "Jobs that would be in another queue:", move_line },
	{ "borrowers", "Queues that would newly borrow:",
	  borrower_line },
	{ "evictable", "Running jobs that could newly be evicted:",
	  evictable_line },
};

void diff_print(const struct output *out, struct json_object *diff)
{
	size_t printed = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		size_t n = json_items(diff, parts[i].key), k = 0;
		size_t most = i < 2 ? n : LINES_MAX;

		if (n)
			fprintf(out->file, "%s\n", parts[i].heading);
		for (; k < n && k < most; k++)
			parts[i].line(out->file, json_item(diff, parts[i].key, k));
		if (k < n)
			fprintf(out->file, "  and %zu more (--json has all)\n", n - k);
		printed += n;
	}
	if (!printed)
		fputs("Nothing would change.\n", out->file);
}

/* ---- the command ---- */

static int diff_run(const struct call *call, const struct published *p,
		    const struct controller *controller, const char *path)
{
	struct conf *to = acceptable_load(path, controller), *from;
	struct json_object *diff = NULL;
	char err[PATH_MAX + 256];

	if (!to)
		return STATUS_FAILED;
	from = diff_in_force(p, controller, err, sizeof(err));
	if (from)
		diff = diff_make(from, to, p, err, sizeof(err));
	if (!diff)
		complain("%s", err);
	else if (output_is_data(&call->out))
		output_document(&call->out, diff);
	else
		diff_print(&call->out, diff);
	conf_destroy(from);
	conf_destroy(to);
	json_object_put(diff);
	return diff ? STATUS_OK : STATUS_FAILED;
}

int cmd_diff(int argc, char **argv)
{
	struct controller controller;
	char beside[CONF_PATH_MAX];
	struct published p;
	struct call call;
	int status;

	if (!cli_parse(&cli, argc, argv, NULL, &call))
		return call.status;
	conf_path("cohort.yaml", beside, sizeof(beside));
	status = published_open_live(&p, &controller, argv[0]);
	if (!status)
		status = diff_run(&call, &p, &controller, call.nargs ? call.args[0] : beside);
	published_close(&p);
	controller_close(&controller);
	return status;
}
