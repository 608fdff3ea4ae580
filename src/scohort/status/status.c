/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status.c - scohort status: the ledger, as a tree of cohorts
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "input/json_members.h"
#include "ledger/published.h"
#include "ledger/lookup.h"
#include "lib/sat.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "output/watch.h"
#include "slurm/nodes.h"
#include "status/status.h"
#include "story/story.h"

struct options {
	bool watch;
	int64_t seconds;
	bool names;
	struct shown shown;
};

static const struct cli_option options[] = {
	{ "watch", 'w', "[SECONDS]", "show it again every 2 SECONDS, in place",
	  OPTION_SEEN(NUMBER, seconds, watch) },
	{ "all", 'a', NULL, "a line for each flavor and resource", OPTION(FLAG, shown.all) },
	{ "resource", 'r', "TRES", "of this resource", OPTION(TEXT, shown.resource) },
	{ "names", 0, NULL, "names only, without asking slurmctld", OPTION(FLAG, names) },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "[QUEUE...]", .max = CLI_ANY,
	.about = "Quota and usage of all cohorts and cluster queues, or of "
		 "those named and the\ncohorts above them. Each has one line, "
		 "for its scarcest resource.\n",
	.options = options, .output = CLI_TABLE, .columns = status_columns,
};

static bool has_quota_of(const struct published *p, const char *list, const char *resource)
{
	for (size_t i = 0; i < json_items(p->document, list); i++)
		if (published_quota(json_item(p->document, list, i), "", resource))
			return true;
	return false;
}

/* resource: NULL if none was asked for */
static bool resource_check(const struct published *p, const char *resource)
{
	return !resource || has_quota_of(p, "clusterQueues", resource)
	       || has_quota_of(p, "cohorts", resource)
	       || complain("no queue has quota of \"%s\"", resource);
}

/* ---- quotas that promise more than the nodes have ---- */

/* What those of one list of the document own */
static int64_t owned_sum(const struct published *p, const char *list,
			 const char *flavor, const char *resource)
{
	int64_t sum = 0;

	for (size_t i = 0; i < json_items(p->document, list); i++)
		sum = sat_add(sum, json_number(published_quota(
			json_item(p->document, list, i), flavor, resource), "nominal"));
	return sum;
}

/* -1: nodes have none of it */
static int64_t nodes_sum(const struct node_view_list *nodes,
			 struct node_set *set, const char *resource)
{
	int64_t sum = node_amount(resource, 0, 0, NULL);

	for (size_t i = 0; sum >= 0 && i < nodes->n; i++) {
		const struct node_view *v = &nodes->views[i];

		if (node_set_has(set, v->name))
			sum = sat_add(sum, node_amount(resource, v->cpus, v->memory, v->gres));
	}
	return sum;
}

static void pair_check(const struct published *p,
		       const struct node_view_list *nodes, struct node_set *set,
		       const char *flavor, const char *resource, struct json_object *notes)
{
	int64_t have = nodes_sum(nodes, set, resource);
	int64_t owned = sat_add(owned_sum(p, "clusterQueues", flavor, resource),
				owned_sum(p, "cohorts", flavor, resource));
	char line[512];

	if (have < 0 || owned <= have)
		return;
	snprintf(line, sizeof(line), "The quotas of flavor %s sum to %s, and its nodes have %s: "
		 "not all that is free can be used.", flavor,
		 text_amount_of(TEXT_BUF, resource, owned), text_amount(TEXT_BUF, resource, have));
	json_object_array_add(notes, json_object_new_string(line));
}

void promised_add(const struct published *p, struct json_object *pairs, struct json_object *notes)
{
	struct node_view_list nodes = { .n = 0 };
	char err[256];

	/* none: PrivateData hides them, or slurmctld is busy */
	if (node_views_load(&nodes, NULL, err, sizeof(err)) || !nodes.n) {
		node_views_free(&nodes);
		return;
	}
	json_object_object_foreach(pairs, flavor, resources) {
		const char *of = json_text(published_flavor(p, flavor), "nodes");
		struct node_set *set = node_set_make(*of ? of : NULL);

		json_object_object_foreach(resources, resource, quota) {
			(void) quota;
			pair_check(p, &nodes, set, flavor, resource, notes);
		}
		node_set_free(set);
	}
	node_views_free(&nodes);
}

/* ---- the table ---- */

/* Is the configuration in force, and enforced? */
static void head_print(const struct output *out, const struct published *p)
{
	char text[2048];

	if (!config_is_in_force(p->document, time(NULL), text, sizeof(text))) {
		fputs(paint_begin(out, PAINT_RED), out->file);
		output_wrap(out, 0, 2, text);
		fputs(paint_end(out, PAINT_RED), out->file);
	}
	if (!strcmp(json_text(p->document, "enforcement"), "observe"))
		fprintf(out->file, "%s(observe: nothing is enforced)%s\n",
			paint_begin(out, PAINT_YELLOW), paint_end(out, PAINT_YELLOW));
}

/* Quotas for a time; what is used beside quota; and what is not there: rows, and columns
 * for which the line is too narrow */
static void foot_print(const struct output *out, const struct published *p,
		       const struct status_rows *rows)
{
	const struct shown *shown = &rows->shown;
	char names[256], text[512], outside[1024];

	for (size_t i = 0; i < json_object_array_length(rows->notes); i++)
		output_wrap(out, 0, 2, json_object_get_string(
			json_object_array_get_idx(rows->notes, i)));
	if (*outside_text(outside, sizeof(outside), p, shown->resource))
		output_wrap(out, 0, 2, outside);
	if (rows->hidden && !shown->all)
		fputs(shown->resource
		      ? "(the scarcest flavor of each; --all shows all)\n"
		      : "(the scarcest resource of each; --all shows all)\n", out->file);
	if (table_left_out(rows->table, out, names, sizeof(names))) {
		snprintf(text, sizeof(text), "(no room for: %s; use a wider screen, -o or "
			 "-P)", names);
		output_wrap(out, 0, 1, text);
	}
}

/* What is shown, and how */
struct status_ask {
	struct call call;
	struct options o;
};

static void table_show(const struct output *out, const struct status_ask *r,
		       const struct published *p)
{
	/* programs get all rows, each with all values */
	const bool text = out->kind == OUTPUT_TEXT, around = text && !out->no_header;
	struct status_rows rows = {
		.table = table_create(status_columns, out, NULL, 0),
		.shown = { r->o.shown.all || !text, r->o.shown.resource }, .once = text,
		.notes = json_object_new_array(), .pairs = json_object_new_object(),
	};

	status_fill(&rows, p, r->call.args, r->call.nargs);
	if (text)
		promised_add(p, rows.pairs, rows.notes);
	if (around)
		head_print(out, p);
	table_print(rows.table, out);
	if (around)
		foot_print(out, p, &rows);
	table_destroy(rows.table);
	json_object_put(rows.notes);
	json_object_put(rows.pairs);
}

static int status_show(void *arg, const struct output *out)
{
	const struct status_ask *r = arg;
	struct json_object *document;
	struct published p;
	struct controller controller;
	int status = published_open_live(&p, &controller);

	if (!status
	    && (!published_has_names(&p, r->call.args, r->call.nargs, true)
		|| !resource_check(&p, r->o.shown.resource)))
		status = STATUS_FAILED;
	if (!status && output_is_data(out)) {
		document = status_document(&p, r->call.args, r->call.nargs);
		output_document(out, document);
		json_object_put(document);
	} else if (!status) {
		table_show(out, r, &p);
	}
	published_close(&p);
	controller_close(&controller);
	return status;
}

/* ---- names ---- */

static void list_print(struct json_object *o, const char *list,
		       const char *member, const char *kind)
{
	for (size_t i = 0; i < json_items(o, list); i++)
		printf("%s %s\n", kind, json_text(json_item(o, list, i), member));
}

static void document_print(struct json_object *document)
{
	list_print(document, "cohorts", "name", "cohort");
	list_print(document, "clusterQueues", "name", "queue");
	list_print(document, "flavors", "name", "flavor");
	for (size_t i = 0; i < json_items(document, "clusterQueues"); i++)
		list_print(json_item(document, "clusterQueues", i), "quota",
			   "resource", "resource");
}

/* Names for completion by a shell, "KIND NAME" in a line each, from the published file:
 * slurmctld is not asked, as a shell completes while somebody types. */
static int names_print(void)
{
	char err[PATH_MAX + 256];
	struct published p;
	int status = published_open_alone(&p, err, sizeof(err));

	if (status)
		complain("%s", err);
	else
		document_print(p.document);
	published_close(&p);
	return status;
}

int cmd_status(int argc, char **argv)
{
	struct status_ask r = { .o.seconds = WATCH_SECONDS };

	if (!cli_parse(&cli, argc, argv, &r.o, &r.call))
		return r.call.status;
	if (r.o.names)
		return names_print();
	if (r.o.watch)
		return watch_run(&r.call.out, r.o.seconds, argv[0], status_show, &r);
	return status_show(&r, &r.call.out);
}
