/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz published - the file that the plugins publish, and texts of a job
 *
 * The input is the file, then, behind a NUL each, what Slurm shows of a job:
 * REASON, system comment, TRES, account.
 */
#include "input.h"
#include "input/json_members.h"
#include "ledger/published.h"
#include "metrics/metrics.h"
#include "output/exit_status.h"
#include "pages/pages.h"
#include "slurm/nodes.h"
#include "status/status.h"
#include "status/queue.h"
#include "text/printable.h"
#include "why/why.h"

enum text { DOCUMENT, REASON, COMMENT, TRES, ACCOUNT, TEXTS };

static const struct output outputs[] = {
	{ .kind = OUTPUT_JSON }, { .kind = OUTPUT_YAML },
};

static void print(struct json_object *document)
{
	for (size_t i = 0; i < 2; i++) {
		struct output out = outputs[i];
		char *text = NULL;
		size_t len;

		out.file = open_memstream(&text, &len);
		output_document(&out, document);
		fclose(out.file);
		require(len && utf8_span(text, len) == len);
		free(text);
	}
	json_object_put(document);
}

static void table_try(const struct published *p)
{
	static const struct output kinds[] = {
		{ .kind = OUTPUT_TEXT, .width = 80 },
		{ .kind = OUTPUT_PARSABLE },
	};

	for (size_t i = 0; i < 4; i++) {
		struct output out = kinds[i % 2];
		char err[256], *text = NULL;
		struct status_rows rows = {
			.table = table_create(status_columns, &out, err, sizeof(err)),
			.shown = { .all = i / 2, .resource = NULL }, .once = i % 2 == 0,
			.notes = json_object_new_array(), .pairs = json_object_new_object(),
		};
		size_t len;

		require(rows.table);
		status_fill(&rows, p, NULL, 0);
		promised_add(p, rows.pairs, rows.notes);
		json_object_put(rows.pairs);
		json_object_put(rows.notes);
		require(!rows.hidden || !rows.shown.all);
		out.file = open_memstream(&text, &len);
		table_print(rows.table, &out);
		fclose(out.file);
		require(len && utf8_span(text, len) == len);
		require(!memchr(text, '\033', len));
		free(text);
		table_destroy(rows.table);
	}
}

/* Instead of slurmctld's: it is not there, and to wait for it takes seconds. The
 * linker puts these in place of the real ones (--wrap). */
int __wrap_node_views_load(struct node_view_list *list, const char *partition, char *err,
			   size_t size);
void __wrap_node_views_free(struct node_view_list *list);

static struct node_view nodes[2] = {
	{ .name = "n1", .up = true, .cpus = 8, .free_cpus = 2, .memory = 4000 },
	{ .name = "n2", .cpus = 8, .free_cpus = 8 },
};

int __wrap_node_views_load(struct node_view_list *list, const char *partition, char *err,
			   size_t size)
{
	(void) partition;
	(void) err;
	(void) size;
	list->views = nodes;
	list->n = 2;
	return STATUS_OK;
}

void __wrap_node_views_free(struct node_view_list *list)
{
	list->n = 0;
}

/* A job that waits, one that runs, one that was evicted */
static void views_fill(struct view *views, char **texts)
{
	for (size_t i = 0; i < 3; i++)
		views[i] = (struct view) {
			.id = (uint32_t) (7 + i), .tasks = 1,
			.state = i == 1 ? VIEW_RUNNING : VIEW_PENDING,
			.state_name = "STATE", .text = texts[REASON],
			.account = texts[ACCOUNT], .partition = "main",
			.preemptable = 1700000000,
			.qos = "normal", .user = "ann", .name = texts[ACCOUNT],
			.submitted = 1700000000, .eligible = 1700000001,
			.start = i == 1 ? 1700000002 : 0, .nnodes = 1,
			.preempted = i == 2 ? 1700000003 : 0,
			.restarts = i == 2, .tres_asked = texts[TRES],
			.tres_given = texts[TRES], .gres_given = texts[TRES],
			.nodes = i == 1 ? "n1" : NULL,
			.system_comment = texts[COMMENT],
		};
}

/* All pages of scohort web, that of the first queue among them */
static void pages_try(const struct published *p)
{
	const struct page_source source = { .p = p, .error = "",
					    .now = 1700000100 };
	struct json_object *queue = json_item(p->document, "clusterQueues", 0);

	for (int page = 0; page < 4; page++) {
		size_t size;
		char *text;
		struct html h = { open_memstream(&text, &size), "" };

		require(h.file);
		if (page < 2)
			tree_page(&h, &source, page);
		else if (page == 2)
			evictions_page(&h, &source);
		else if (!queue_page(&h, &source, json_text(queue, "name")))
			missing_page(&h, &source);
		require(!fclose(h.file) && utf8_span(text, size) == size);
		require(!memchr(text, '\033', size));
		free(text);
	}
}

static void line_try(const struct published *p, struct view_list *list,
		     bool by_local)
{
	struct pending_list l;

	pending_list_make(&l, p, list, true, NULL, 0, by_local);
	for (size_t i = 0; i < l.n; i++)
		print(pending_job_json(&l, &l.jobs[i], true, 1700000100));
	pending_list_free(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char **texts = input_texts(data, size, TEXTS), err[8192], *text;
	struct view views[3];
	struct view_list list = { .views = views, .n = 3 };
	struct controller controller = { .state_dir = NULL };
	struct published p;
	FILE *f;
	size_t len;

	setenv("SLURM_CONF", "/nowhere/slurm.conf", 1);
	setenv("SCOHORT_PUBLISH",
	       input_file((uint8_t *) texts[DOCUMENT], strlen(texts[DOCUMENT])),
	       1);
	views_fill(views, texts);
	for (size_t i = 0; i < 2; i++)
		nodes[i].gres = nodes[i].gres_used = texts[TRES];
	if (!published_open(&p, &controller, err, sizeof(err))) {
		table_try(&p);
		pages_try(&p);
		print(status_document(&p, NULL, 0));
		f = open_memstream(&text, &len);
		metrics_print(p.document, size & 1, f);
		fclose(f);
		require(utf8_span(text, len) == len);
		free(text);
	}
	for (size_t i = 0; i < list.n; i++)
		print(why_tell(&p, &views[i], 1700000100));
	line_try(&p, &list, false);
	line_try(&p, &list, true);
	published_close(&p);
	input_texts_free(texts, TEXTS);
	return 0;
}
