/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - scohort report: who owned, used, borrowed and lent what, and when
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "charts/charts.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "input/json_members.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "report/ask.h"
#include "status/status.h"

#define BUSY_MS 10000
#define HOURS_MAX (4 * 86400)	/* charts of more have days */

struct options {
	const char *path, *start, *end, *by, *resource, *html;
	int64_t costliest;		/* how many */
	bool matrix, evictions, list, csv;
};

static const struct cli_option options[] = {
	{ "db", 0, "FILE", "the database of scohort record (" DB_DEFAULT ")", OPTION(TEXT, path) },
	{ "start", 0, "TIME", "from then on (yesterday, 0:00); times as sreport has "
	  "them", OPTION(TEXT, start) },
	{ "end", 0, "TIME", "until then (today, 0:00)", OPTION(TEXT, end) },
	{ "by", 0, "PERIOD", "a row for each hour, day, week or month", OPTION(TEXT, by) },
	{ "matrix", 0, NULL, "who lent to whom", OPTION(FLAG, matrix) },
	{ "evictions", 0, NULL, "who was evicted for whom, by which rule",
	  OPTION(FLAG, evictions) },
	{ "costliest", 0, "NUMBER", "so many evictions that have lost most",
	  OPTION_SEEN(NUMBER, costliest, list) },
	{ "resource", 'r', "TRES", "only that one", OPTION(TEXT, resource) },
	{ "csv", 0, NULL, "as comma-separated values", OPTION(FLAG, csv) },
	{ "html", 0, "FILE", "write a page with charts of use and borrowing", OPTION(TEXT, html) },
	{ .name = NULL }
};

#define CLI(columns_) { \
	.operands = "[QUEUE...]", .max = CLI_ANY, \
	.about = "Who owned, used, borrowed and lent what, in hours of the " \
		 "resource.\n", \
	.options = options, .output = CLI_TABLE, .columns = columns_, \
}
/* What is told: the last one if none of the others is asked for */
static const struct view {
	const char *option;
	const char *title;
	struct cli cli;
} views[] = {
	{ "--matrix", "Who lent to whom", CLI(matrix_columns) },
	{ "--evictions", "Evictions", CLI(eviction_columns) },
	{ "--costliest", "Costliest evictions", CLI(costliest_columns) },
	{ NULL, "Cluster queues", CLI(use_columns) },
};

/* -o and -e are about the columns of the view, wherever its option stands. */
static const struct view *view_of(int argc, char **argv)
{
	const struct view *view = views;

	for (; view->option; view++) {
		for (int i = 1; i < argc; i++) {
			size_t n = strcspn(argv[i], "=");

			if (n > 2 && !strncmp(argv[i], view->option, n))
				return view;
		}
	}
	return view;
}

struct report {
	struct options o;
	struct call call;
	const struct view *view;
	struct ask ask;
	struct range range;
	struct json_object *document, *rows, *totals;
};

/* ---- what is asked ---- */

static bool time_of(const char *option, const char *text, int64_t now, int64_t *at)
{
	return span_time(text, now, at)
	       || complain("--%s=%s is no time: YYYY-MM-DD[THH:MM], MM/DD[/YY], HH:MM, today, "
			   "yesterday or now-COUNTdays would be one", option, text);
}

/* As sreport does, times are rounded to hours, and there is one at least. But an end in
 * the hour of now is that hour's: what is recorded of it so far is told. */
static int64_t end_of(int64_t end, int64_t now)
{
	int64_t hour = span_begin(SPAN_HOUR, now);
	int64_t next = span_next(SPAN_HOUR, hour);

	return end > hour && end <= next ? next : span_round(end);
}

static bool range_of(struct report *r)
{
	const char *from = r->o.start ? r->o.start : "yesterday";
	const char *to = r->o.end ? r->o.end : "today";
	int64_t now = (int64_t) time(NULL), start, end;

	if (!time_of("start", from, now, &start) || !time_of("end", to, now, &end))
		return false;
	if (start > end)
		return complain("--start=%s is later than --end=%s", from, to);
	start = span_round(start);
	end = end_of(end, now);
	r->range.start = start;
	r->range.end = end > start ? end : start + 3600;
	return true;
}

static bool options_check(struct report *r)
{
	const struct options *o = &r->o;

	if (o->matrix + o->evictions + o->list > 1)
		return complain("--matrix, --evictions and --costliest exclude each other");
	if (o->html && (o->evictions || o->list))
		return complain("--html shows use, not evictions");
	if (o->by && o->list)
		return complain("--costliest has a row for each eviction: --by is for --evictions");
	if (o->list && !o->costliest)
		return complain("--costliest=0: at least 1");
	if (o->csv && r->call.out.kind != OUTPUT_TEXT)
		return complain("--csv is another form of output");
	if (o->csv && r->call.out.format && !r->call.out.format_is_env)
		return complain("--csv has all columns: -o is for tables");
	if (o->by && !span_by_name(o->by, &r->range.by))
		return complain("--by=%s is none of hour, day, week and month", o->by);
	return true;
}

/* ---- printing ---- */

/* A field with what separates fields or records is quoted. */
static void csv_field_print(FILE *f, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (; *text; text++)
		fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', f);
}

static void csv_rows_print(FILE *f, const struct column *list, struct json_object *rows)
{
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i), *value;

		for (const struct column *c = list; c->name; c++) {
			if (c != list)
				fputc(',', f);
			if ((value = json_member(row, c->key)))
				csv_field_print(f, json_object_get_string(value));
		}
		fputc('\n', f);
	}
}

static void csv_print(const struct report *r, const struct column *list)
{
	FILE *f = r->call.out.file;

	for (const struct column *c = list; c->name && !r->call.out.no_header; c++)
		fprintf(f, "%s%s%s", c == list ? "" : ",", c->key, c[1].name ? "" : "\n");
	csv_rows_print(f, list, r->rows);
	csv_rows_print(f, list, r->totals);
}

static void title_print(const struct report *r)
{
	fprintf(r->call.out.file, "%s %s - %s (%lld secs), in hours of the "
		"resource\n", r->view->title, text_date(TEXT_BUF, r->range.start),
		text_date(TEXT_BUF, r->range.end - 1), (long long) (r->range.end - r->range.start));
}

static void text_print(const struct report *r, const struct column *list)
{
	const struct output *out = &r->call.out;
	bool plain = out->kind == OUTPUT_TEXT && !out->no_header;
	struct table *table = table_create(list, out, NULL, 0);
	char names[256];

	table_add_all(table, r->rows);
	table_add_all(table, r->totals);
	if (plain)
		title_print(r);
	table_print(table, out);
	if (plain && table_left_out(table, out, names, sizeof(names)))
		fprintf(out->file, "Columns for which the line is too narrow: %s\n", names);
	table_destroy(table);
}

/* What is not known is told on the way that has room for it. */
static void notes_print(const struct report *r)
{
	bool plain = r->call.out.kind == OUTPUT_TEXT && !r->o.csv;
	FILE *f = plain ? r->call.out.file : stderr;
	struct json_object *notes = json_object_new_array();

	if (strcmp(r->ask.last.zone, r->ask.here) != 0)
		fprintf(f, "All times are of the time zone %s, as those of the "
			"record.\n", r->ask.last.zone);
	ask_notes(&r->ask, r->document, notes);
	for (size_t i = 0; i < json_object_array_length(notes); i++)
		fprintf(f, "%s\n", json_object_get_string(json_object_array_get_idx(notes, i)));
	json_object_put(notes);
}

static void report_print(const struct report *r)
{
	const struct column *list = r->view->cli.columns;

	if (output_is_data(&r->call.out)) {
		output_document(&r->call.out, r->document);
		return;
	}
	if (r->o.csv)
		csv_print(r, list);
	else
		text_print(r, list);
	fflush(r->call.out.file);
	notes_print(r);
}

/* ---- charts ---- */

/* Each queue with its steps: charts.js makes charts of them. Of the chosen resource: a GRES if
 * there is any and none is chosen. By hour, or by day if the range is long, unless --by says by
 * what */
static int charts_make(struct report *r)
{
	struct json_object *page = json_object_new_object(), *queues;
	struct json_object *rows = json_object_new_array();
	struct range range = r->range;
	const char *resource;
	int rc = ask_rows(&r->ask, rows, ASK_RESOURCE, "");

	if (range.by == SPAN_WHOLE)
		range.by = range.end - range.start > HOURS_MAX ? SPAN_DAY : SPAN_HOUR;
	resource = json_text(json_object_array_get_idx(rows, 0), "resource");
	json_add_text(page, "zone", r->ask.last.zone);
	json_add_text(page, "resource", resource);
	json_add_number(page, "end", r->range.end);
	queues = json_add_list(page, "queues");
	if (!rc && !*resource) {
		complain("%s has nothing to show", r->ask.db.path);
		rc = -1;
	}
	if (!rc)
		rc = ask_rows(&r->ask, queues, ASK_QUEUES, "") < 0
		     || ask_range(&r->ask, &range) < 0
		     || ask_use(&r->ask, true, rows, rows) < 0 ? -1 : 0;
	for (size_t i = 0; !rc && i < json_object_array_length(queues); i++) {
		struct json_object *queue = json_object_array_get_idx(queues, i);
		struct json_object *steps = json_object_new_object();

		json_object_object_add(queue, "steps", steps);
		rc = ask_steps(&r->ask, json_text(queue, "name"), resource, steps);
	}
	if (!rc && !charts_write(r->o.html, page))
		rc = -1;
	json_object_put(page);
	json_object_put(rows);
	return rc;
}

/* ---- the report ---- */

static void document_make(struct report *r)
{
	r->document = json_object_new_object();
	json_add_time(r->document, "start", r->range.start);
	json_add_time(r->document, "end", r->range.end);
	json_add_text(r->document, "zone", r->ask.last.zone);
	r->rows = json_add_list(r->document, "rows");
	r->totals = json_add_list(r->document, "totals");
}

static int rows_make(struct report *r)
{
	struct ask *a = &r->ask;
	int rc;

	if (r->o.matrix)
		rc = ask_loans(a, r->o.resource, r->rows, r->totals);
	else if (r->o.evictions)
		rc = ask_evictions(a, r->o.resource, r->rows, r->totals);
	else if (r->o.list)
		rc = ask_costliest(a, NULL, r->o.costliest, true, r->rows);
	else
		rc = ask_use(a, r->range.by != SPAN_WHOLE, r->rows, r->totals);
	if (rc < 0)
		return -1;
	return r->o.evictions || r->o.list ? ask_evictions_from(a, r->document)
					   : ask_gaps(a, r->document);
}

/* An exit status, after a message */
static int report_make(struct report *r)
{
	struct ask *a = &r->ask;
	const struct choice choice = {
		.queues = r->call.args, .nqueues = (size_t) r->call.nargs,
		.resource = r->o.resource,
	};

	if (ask_open(a, r->o.path, BUSY_MS, NULL, NULL) < 0)
		return STATUS_FAILED;
	if (!range_of(r))
		return STATUS_USAGE;
	document_make(r);
	if (ask_range(a, &r->range) < 0 || ask_choose(a, &choice) < 0
	    || rows_make(r) < 0 || (r->o.html && charts_make(r) < 0))
		return STATUS_FAILED;
	a->range = r->range;
	report_print(r);
	return STATUS_OK;
}

int cmd_report(int argc, char **argv)
{
	struct report r = { .o.path = DB_DEFAULT, .range.by = SPAN_WHOLE };
	int status;

	r.view = view_of(argc, argv);
	if (!cli_parse(&r.view->cli, argc, argv, &r.o, &r.call))
		return r.call.status;
	if (!options_check(&r))
		return STATUS_USAGE;
	status = report_make(&r);
	json_object_put(r.document);
	ask_close(&r.ask);
	return status;
}
