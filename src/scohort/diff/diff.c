/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.c - scohort diff: what another cohort.yaml would change
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "diff/diff.h"
#include "input/json_members.h"
#include "output/exit_status.h"
#include "output/table.h"
#include "output/text.h"
#include "slurm/conf_path.h"

#define LINES_MAX 20		/* of jobs; a document has all */
#define USERS_MAX 10

static const struct cli cli = {
	.operands = "[FILE]", .max = 1,
	.about = "Compares FILE (default: the cohort.yaml beside slurm.conf) with the "
		 "configuration in\nforce: quotas, rules, queues of jobs, new borrowers, jobs that "
		 "could newly be evicted.\nExit status 1: the file is not valid.\n",
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

/* ---- amounts of quota that differ ---- */

/* A cluster queue or cohort; one that is not there has no quotas */
struct owner {
	const struct spec *spec;
	bool is_cohort;
	int node;
	const char *name;
	const struct spec_quota *of;
	size_t n;
};

static struct owner owner_of(const struct spec *spec, bool is_cohort, const char *name)
{
	struct owner o = { .spec = spec, .is_cohort = is_cohort, .name = name };

	o.node = is_cohort ? spec_find_cohort(spec, name) : spec_find_queue(spec, name);
	if (o.node != SPEC_NONE) {
		o.of = is_cohort ? spec->cohorts[o.node].quotas : spec->queues[o.node].quotas;
		o.n = is_cohort ? spec->cohorts[o.node].nquotas : spec->queues[o.node].nquotas;
	}
	return o;
}

static const char *flavor_name(const struct owner *o, const struct spec_quota *q)
{
	return o->spec->flavors[q->flavor];
}

static const char *resource_name(const struct owner *o, const struct spec_quota *q)
{
	return o->spec->resources[q->resource];
}

/* The quota of the owner o that `twin` is one of the owner `of`; NULL: it has none */
static const struct spec_quota *quota_find(const struct owner *o, const struct owner *of,
					   const struct spec_quota *twin)
{
	for (size_t i = 0; i < o->n; i++)
		if (!strcmp(flavor_name(o, &o->of[i]), flavor_name(of, twin))
		    && !strcmp(resource_name(o, &o->of[i]), resource_name(of, twin)))
			return &o->of[i];
	return NULL;
}

static const struct {
	const char *key;
	size_t offset;
} amounts[] = {
	{ "nominalQuota", offsetof(struct spec_quota, nominal) },	/* the first: below */
	{ "borrowingLimit", offsetof(struct spec_quota, borrowing_limit) },
	{ "lendingLimit", offsetof(struct spec_quota, lending_limit) },
};

static int64_t amount_of(const struct spec_quota *q, size_t offset)
{
	return q ? *(const int64_t *) (const void *) ((const char *) q + offset) : SPEC_NO_LIMIT;
}

static void amount_add(struct json_object *o, const char *key, int64_t amount)
{
	json_object_object_add(o, key, amount == SPEC_NO_LIMIT ? NULL
			       : json_object_new_int64(amount));
}

/* A temporaryQuota that holds now, and until when: then nominalQuota does not */
static void temporary_add(struct json_object *o, const struct owner *of,
			  const struct spec_quota *quota)
{
	int64_t now = (int64_t) time(NULL) * SPEC_SEC;
	const struct spec_period *p = spec_find_period(of->spec, of->is_cohort, of->node,
						       quota, now);

	if (!p || p->from > now)
		return;
	json_add_number(o, "temporary", p->nominal);
	if (p->until != INT64_MAX)
		json_add_number(o, "until", p->until / SPEC_SEC);
}

/* a and b are quotas of x and y for the same pair, one of them may be NULL. */
static void pair_compare(struct json_object *list, const struct owner *x,
			 const struct spec_quota *a, const struct owner *y,
			 const struct spec_quota *b)
{
	const struct owner *is = a ? x : y;
	const struct spec_quota *quota = a ? a : b;

	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++) {
		int64_t from = amount_of(a, amounts[i].offset);
		int64_t to = amount_of(b, amounts[i].offset);
		struct json_object *o;

		if (from == to)
			continue;
		o = json_append(list);
		json_add_text(o, "kind", is->is_cohort ? "cohort" : "clusterQueue");
		json_add_text(o, "name", is->name);
		json_add_text(o, "flavor", flavor_name(is, quota));
		json_add_text(o, "resource", resource_name(is, quota));
		json_add_text(o, "key", amounts[i].key);
		amount_add(o, "from", from);
		amount_add(o, "to", to);
		if (b && !i)
			temporary_add(o, y, b);
	}
}

static void quotas_compare(struct json_object *list, const struct owner *x, const struct owner *y)
{
	for (size_t i = 0; i < x->n; i++)
		pair_compare(list, x, &x->of[i], y, quota_find(y, x, &x->of[i]));
	for (size_t i = 0; i < y->n; i++)
		if (!quota_find(x, y, &y->of[i]))
			pair_compare(list, x, NULL, y, &y->of[i]);
}

/* All that are in `of`: first those of a, then what only b has */
static void owners_compare(struct json_object *list, const struct spec *a, const struct spec *b,
			   const struct spec *of, bool is_cohort)
{
	size_t n = is_cohort ? of->ncohorts : of->nqueues;

	for (size_t i = 0; i < n; i++) {
		const char *name = is_cohort ? of->cohorts[i].name : of->queues[i].name;
		struct owner x = owner_of(a, is_cohort, name), y = owner_of(b, is_cohort, name);

		if (of == a || x.node == SPEC_NONE)
			quotas_compare(list, &x, &y);
	}
}

/* A list of {kind, name, flavor, resource, key, from, to, temporary, until}: amounts that
 * differ; null: no such quota, or no limit. temporary: a temporaryQuota that holds now
 * instead of nominalQuota, until: its end in seconds; both only if there are. */
static struct json_object *quotas_compared(const struct conf *from, const struct conf *to)
{
	struct json_object *list = json_object_new_array();

	for (int is_cohort = 1; is_cohort >= 0; is_cohort--) {
		owners_compare(list, from->spec, to->spec, from->spec, is_cohort);
		owners_compare(list, from->spec, to->spec, to->spec, is_cohort);
	}
	return list;
}

/* ---- the document ---- */

struct json_object *diff_make(const struct conf *from, const struct conf *to,
			      const struct published *p, const struct controller *controller,
			      char *err, size_t size)
{
	struct cluster cluster;
	struct json_object *o = NULL, *keys;

	if (cluster_load(&cluster, to, controller, err, size))
		return NULL;
	if (cluster.jobs.message) {
		o = json_object_new_object();
		keys = diff_keys(from->source, to->source);
		diff_defaults(keys, from, to, p);
		json_object_object_add(o, "quotas", quotas_compared(from, to));
		json_object_object_add(o, "keys", keys);
		diff_jobs(o, from, to, p, &cluster);
	} else {
		snprintf(err, size, "slurmctld does not tell which jobs there are");
	}
	cluster_free(&cluster);
	return o;
}

/* ---- text ---- */

static const char *or_none(const char *text, const char *none)
{
	return *text ? text : none;
}

static const char *amount_text(char *buf, size_t size, struct json_object *o, const char *key)
{
	if (!json_member(o, key))
		return "none";
	return text_amount(buf, size, json_text(o, "resource"), json_number(o, key));
}

static void quota_line(FILE *out, struct json_object *o)
{
	int64_t until = json_number(o, "until");

	fprintf(out, "  %s %s, flavor %s: %s of %s %s -> %s",
		!strcmp(json_text(o, "kind"), "cohort") ? "cohort" : "queue",
		json_text(o, "name"), json_text(o, "flavor"), json_text(o, "key"),
		json_text(o, "resource"), amount_text(TEXT_BUF, o, "from"),
		amount_text(TEXT_BUF, o, "to"));
	if (json_member(o, "temporary"))
		fprintf(out, " (a temporaryQuota of %s holds%s%s)",
			amount_text(TEXT_BUF, o, "temporary"), until ? " until " : " for good",
			until ? text_date(TEXT_BUF, until) : "");
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
	fprintf(out, "  %s: %s of flavor %s\n", json_text(o, "clusterQueue"),
		text_amount_of(TEXT_BUF, json_text(o, "resource"),
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
	{ "borrowers", "Queues that would newly borrow:", borrower_line },
	{ "evictable", "Running jobs that could newly be evicted:", evictable_line },
};

/* ---- the summary ---- */

#define NUMBER(name, key, help) \
	COLUMN(name, key, help, .flags = COLUMN_RIGHT | COLUMN_IF_ANY)
static const struct column user_columns[] = {
	COLUMN("USER", "user", "whose jobs"),
	NUMBER("JOBS", "jobs", "that are concerned"),
	NUMBER("EVICTABLE", "evictable", "become evictable"),
	NUMBER("MOVED", "moved", "get another queue"),
	NUMBER("UNMATCHED", "unmatched", "get no queue"),
	NUMBER("LATER", "later", "get a later place"),
	{ .name = NULL }
};

static const struct {
	const char *key, *one, *several;
} counts[] = {
	{ "evictable", "running job becomes evictable", "running jobs become evictable" },
	{ "moved", "job changes its queue", "jobs change their queue" },
	{ "unmatched", "job matches no queue any more", "jobs match no queue any more" },
	{ "later", "waiting job gets a later place", "waiting jobs get a later place" },
	{ "earlier", "waiting job gets an earlier place", "waiting jobs get an earlier place" },
};

static void summary_print(FILE *f, struct json_object *summary)
{
	struct json_object *o;
	bool any = false;

	fputs("In short:\n", f);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		int64_t n = json_number(summary, counts[i].key);

		if (n)
			fprintf(f, "  %ld %s", (long) n, n == 1 ? counts[i].one : counts[i].several);
		for (size_t k = 0; !i && (o = json_item(summary, "evictableFor", k)); k++)
			fprintf(f, "%s %s %ld", k ? "," : ", for jobs of:",
				json_text(o, "clusterQueue"), (long) json_number(o, "jobs"));
		fputs(n ? "\n" : "", f);
		any |= n;
	}
	if (!any)
		fputs("  no job becomes evictable, and none changes its queue or place\n", f);
}

bool diff_print(const struct output *out, struct json_object *diff)
{
	const struct output text = { .kind = OUTPUT_TEXT, .file = out->file };
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
	if (printed)
		summary_print(out->file, json_member(diff, "summary"));
	else
		fputs("Nothing would change.\n", out->file);
	table_print_list(user_columns, &text, json_member(diff, "users"), USERS_MAX);
	return printed;
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
		diff = diff_make(from, to, p, controller, err, sizeof(err));
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
	status = published_open_live(&p, &controller);
	if (!status)
		status = diff_run(&call, &p, &controller, call.nargs ? call.args[0] : beside);
	published_close(&p);
	controller_close(&controller);
	return status;
}
