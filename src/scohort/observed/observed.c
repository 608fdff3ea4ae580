/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * observed.c - scohort observed: what enforcement would have done, from the file of events
 *
 * While quota is only observed, slurmctld puts what it would do into the file of events
 * (cohort.yaml(5), events). Nobody goes, so the same may be there again: each wait counts once
 * for a job, each preemptor and victim count once together, and each victim once for a run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "conf.h"
#include "input/json_members.h"
#include "input/lines.h"
#include "ledger/published.h"
#include "ledger/reason.h"
#include "must.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "slurm/conf_path.h"
#include "value/times.h"

#define USERS_MAX 10
#define OLDER_MAX 1000		/* as cohort.yaml allows */
#define MISSING_MAX 8		/* a crash leaves out a number */
#define KEY_SIZE 1024
#define AT_ONCE 1		/* seconds: a wait of so much is no wait */

struct observed_options {
	const char *last, *events;
};

static const struct cli_option options[] = {
	{ "last", 0, "TIME", "of that time: 12h, 7d (1d)", CLI_TEXT,
	  offsetof(struct observed_options, last), 0 },
	{ "events", 0, "FILE", "the file of events (events.file of cohort.yaml, or "
	  "cohort_events.jsonl in StateSaveLocation)", CLI_TEXT,
	  offsetof(struct observed_options, events), 0 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "",
	.about = "What enforcement would have done while quota was only observed (enforcement: "
		 "observe):\nwhich jobs would have waited, would have been evicted, would have "
		 "started earlier.\n",
	.options = options, .output = CLI_DATA,
};

static const struct column row_columns[] = {
	COLUMN("QUEUE", "clusterQueue", "of the job that would have been evicted"),
	COLUMN("FOR", "byClusterQueue", "of the job that would have got its place"),
	COLUMN("RULE", "rule", "why"),
	COLUMN("EVICTED", "evicted", "how many", .flags = COLUMN_RIGHT),
	{ .name = NULL }
};

static const struct column user_columns[] = {
	COLUMN("USER", "user", "whose jobs"),
	COLUMN("EVICTED", "evicted", "would have been evicted", .flags = COLUMN_RIGHT),
	COLUMN("WAITED", "waited", "would have waited", .flags = COLUMN_RIGHT),
	COLUMN("EARLIER", "earlier", "would have started earlier", .flags = COLUMN_RIGHT),
	{ .name = NULL }
};

/* What was read so far; by name, to find what is known already */
struct sums {
	int64_t from;
	int64_t first;			/* the oldest time in any of the files, or 0 */
	struct json_object *waits, *victims, *pairs, *preemptors;
	struct json_object *words, *rows, *users;	/* objects of the document, by key */
	int64_t waited, evicted, earlier, earlier_by;
};

/* ---- one event ---- */

/* The object of that name, a new one if there is none */
static struct json_object *known_get(struct json_object *all, const char *key)
{
	struct json_object *o = json_member(all, key);

	if (!o)
		json_object_object_add(all, key, o = json_object_new_object());
	return o;
}

/* False: it was there */
static bool is_first(struct json_object *all, const char *key)
{
	bool first = !json_member(all, key);

	if (first)
		json_object_object_add(all, key, json_object_new_boolean(true));
	return first;
}

static void count(struct json_object *o, const char *key, int64_t n)
{
	json_object_object_add(o, key, json_object_new_int64(json_number(o, key) + n));
}

static void user_count(struct sums *s, struct json_object *job, const char *key, int64_t n)
{
	char uid[24];
	const char *user = json_text(job, "user");
	struct json_object *o;

	snprintf(uid, sizeof(uid), "%ld", (long) json_number(job, "uid"));
	o = known_get(s->users, *user ? user : uid);
	json_add_text(o, "user", *user ? user : uid);
	count(o, key, n);
}

static void wait_take(struct sums *s, struct json_object *event)
{
	int64_t tasks = json_number(event, "tasks");
	char key[KEY_SIZE];
	struct reason r;

	snprintf(key, sizeof(key), "%ld", (long) json_number(event, "job"));
	if (!is_first(s->waits, key))
		return;
	s->waited += tasks;
	user_count(s, event, "waited", tasks);
	count(s->words, reason_parse(json_text(event, "text"), &r) ? reason_forms[r.kind].word
	      : "other", tasks);
}

static void row_count(struct sums *s, struct json_object *event, struct json_object *by)
{
	char key[KEY_SIZE];
	struct json_object *row;

	snprintf(key, sizeof(key), "%s %s %s", json_text(event, "queue"), json_text(by, "queue"),
		 json_text(event, "rule"));
	row = known_get(s->rows, key);
	json_add_text(row, "clusterQueue", json_text(event, "queue"));
	json_add_text(row, "byClusterQueue", json_text(by, "queue"));
	json_add_text(row, "rule", json_text(event, "rule"));
	count(row, "evicted", 1);
}

static void eviction_take(struct sums *s, struct json_object *event)
{
	struct json_object *by = json_member(event, "by"), *preemptor;
	char key[KEY_SIZE];
	size_t run;

	snprintf(key, sizeof(key), "%ld", (long) json_number(by, "job"));
	preemptor = known_get(s->preemptors, key);
	if (!json_member(preemptor, "since"))
		json_add_number(preemptor, "since", json_number(event, "decided"));
	run = (size_t) snprintf(key, sizeof(key), "%ld %ld", (long) json_number(event, "job"),
				(long) json_number(event, "started"));
	snprintf(key + run, sizeof(key) - run, " %ld", (long) json_number(by, "job"));
	(void) is_first(s->pairs, key);
	key[run] = '\0';
	if (!is_first(s->victims, key))
		return;
	s->evicted++;
	user_count(s, event, "evicted", 1);
	row_count(s, event, by);
}

/* A preemptor that started after a wait, without any eviction */
static void start_take(struct sums *s, struct json_object *event)
{
	char key[KEY_SIZE];
	struct json_object *preemptor;
	int64_t waited;

	snprintf(key, sizeof(key), "%ld", (long) json_number(event, "job"));
	preemptor = json_member(s->preemptors, key);
	waited = json_number(event, "decided") - json_number(preemptor, "since");
	if (!preemptor || waited <= AT_ONCE || json_truth(preemptor, "started"))
		return;
	json_add_truth(preemptor, "started", true);
	s->earlier++;
	s->earlier_by += waited;
	user_count(s, event, "earlier", 1);
}

static void event_take(struct sums *s, struct json_object *event)
{
	const char *what = json_text(event, "observed");
	int64_t at = json_number(event, "decided");

	if (at > 0 && (!s->first || at < s->first))
		s->first = at;
	if (at < s->from)
		return;
	if (!strcmp(what, "wait"))
		wait_take(s, event);
	else if (!strcmp(what, "evict"))
		eviction_take(s, event);
	else if (!strcmp(what, "start"))
		start_take(s, event);
}

/* ---- the files ---- */

/* false after a message */
static bool file_take(struct sums *s, struct lines *lines)
{
	struct json_tokener *tokener = must(json_tokener_new());
	const char *line;
	char err[1024];
	size_t len;
	int rc;

	while ((rc = lines_next(lines, &line, &len, err, sizeof(err))) > 0) {
		struct json_object *event;

		json_tokener_reset(tokener);
		event = json_tokener_parse_ex(tokener, line, (int) len);
		if (json_object_is_type(event, json_type_object))
			event_take(s, event);
		json_object_put(event);
	}
	json_tokener_free(tokener);
	return !rc || complain("%s", err);
}

/* slurmctld may rename the files meanwhile: all are open before the first is read. Returns how
 * many there are, the newest first; -1 after a message */
static int files_open(const char *path, struct lines **files)
{
	char name[CONF_PATH_MAX + 16], err[CONF_PATH_MAX + 64];
	struct stat st = { .st_mode = S_IFREG };	/* what can't be seen can't be opened */
	int n = 0;

	for (int i = 0, missing = 0; i <= OLDER_MAX && missing < MISSING_MAX; i++) {
		snprintf(name, sizeof(name), i ? "%s.%d" : "%s", path, i);
		missing++;
		if (stat(name, &st) && errno == ENOENT)
			continue;
		missing = 0;
		if (!S_ISREG(st.st_mode))
			snprintf(err, sizeof(err), "%s: is not a regular file", name);
		else
			files[n] = lines_open(name, err, sizeof(err));
		if (!files[n++]) {
			complain("%s", err);
			return -1;
		}
	}
	return n;
}

/* An exit status, after a message */
static int files_take(struct sums *s, const char *path)
{
	struct lines **files = must(calloc(OLDER_MAX + 1, sizeof(*files)));
	int n = files_open(path, files);
	bool done = n >= 0;

	for (int i = n - 1; i >= 0 && done; i--)
		done = file_take(s, files[i]);
	for (int i = 0; i <= OLDER_MAX; i++)
		lines_close(files[i]);
	free(files);
	return done ? STATUS_OK : STATUS_FAILED;
}

/* False after a message: slurmctld writes none */
static bool events_find(char *path, size_t size)
{
	struct conf *conf = local_conf_load();
	char state_dir[PATH_MAX];
	bool enabled = !conf || conf->events.enable;

	if (conf && conf->events.file)
		snprintf(path, size, "%s", conf->events.file);
	else
		snprintf(path, size, "%s/cohort_events.jsonl",
			 conf_value("StateSaveLocation", state_dir, sizeof(state_dir), NULL)
			 ? state_dir : "/var/spool");
	conf_destroy(conf);
	return enabled || complain("events.enable of cohort.yaml is false: nothing is recorded");
}

/* ---- the document ---- */

static int64_t weight_of(struct json_object *o)
{
	return json_number(o, "evicted") + json_number(o, "waited");
}

static int by_weight(const void *x, const void *y)
{
	struct json_object *const *a = x, *const *b = y;
	int64_t more = weight_of(*b) - weight_of(*a);

	return more ? (more > 0) - (more < 0) : strcmp(json_text(*a, "user"), json_text(*b, "user"));
}

/* The values of an object, those with most first */
static struct json_object *values_sorted(struct json_object *all)
{
	struct json_object *list = json_object_new_array();

	json_object_object_foreach(all, key, value) {
		(void) key;
		for (const char *const *n = (const char *const []) { "evicted", "waited", "earlier",
								      NULL }; *n; n++)
			if (json_member(value, "user"))
				count(value, *n, 0);
		json_object_array_add(list, json_object_get(value));
	}
	json_object_array_sort(list, by_weight);
	return list;
}

static struct json_object *document_make(const struct sums *s, const char *path, int64_t now)
{
	struct json_object *o = json_object_new_object();

	json_add_time(o, "from", s->from);
	json_add_time(o, "until", now);
	json_add_text(o, "file", path);
	json_add_time(o, "fileFrom", s->first);
	json_add_number(o, "waited", s->waited);
	json_object_object_add(o, "waitedFor", json_object_get(s->words));
	json_add_number(o, "evicted", s->evicted);
	json_add_number(o, "pairs", json_object_object_length(s->pairs));
	json_add_number(o, "preemptors", json_object_object_length(s->preemptors));
	json_object_object_add(o, "evictions", values_sorted(s->rows));
	json_add_number(o, "earlier", s->earlier);
	json_add_number(o, "earlierSeconds", s->earlier_by);
	json_object_object_add(o, "users", values_sorted(s->users));
	return o;
}

/* What slurmctld tells of now */
static void now_add(struct json_object *o)
{
	struct published p = { .path = NULL };
	char err[PATH_MAX + 256];

	if (!published_open_alone(&p, err, sizeof(err))) {
		json_add_text(o, "enforcement", json_text(p.document, "enforcement"));
		json_add_number(o, "eventsLost",
				json_number(json_member(p.document, "events"), "lost"));
	}
	published_close(&p);
}

/* ---- text ---- */

static void table_show(const struct output *out, const struct column *columns,
		       struct json_object *o, const char *key, size_t most)
{
	size_t n = json_items(o, key);
	struct table *table = table_create(columns, out, NULL, 0);

	for (size_t i = 0; i < n && i < most; i++)
		table_add(table, json_object_get(json_item(o, key, i)), NULL);
	if (n)
		table_print(table, out);
	if (n > most)
		fprintf(out->file, "and %zu more (--json has all)\n", n - most);
	table_destroy(table);
}

static void waited_print(FILE *f, struct json_object *o)
{
	int64_t n = json_number(o, "waited");
	char list[512] = "";

	json_object_object_foreach(json_member(o, "waitedFor"), word, value)
		text_join(list, sizeof(list), "%s %ld", word, (long) json_object_get_int64(value));
	fprintf(f, "%ld job%s would have waited%s%s\n", (long) n, text_s(n), *list ? ": " : "",
		list);
}

static void notes_print(const struct output *out, struct json_object *o)
{
	char text[512];

	if (json_number(o, "fileFrom") > json_number(o, "from")) {
		snprintf(text, sizeof(text), "The oldest record is of %s.",
			 text_date(TEXT_BUF, json_number(o, "fileFrom")));
		output_wrap(out, 0, 0, text);
	}
	if (!strcmp(json_text(o, "enforcement"), "enforce"))
		output_wrap(out, 0, 0, "Quota is enforced now: this was recorded before.");
	if (json_number(o, "eventsLost"))
		output_wrap(out, 0, 0, "Some events were lost (scohort metrics): there was more.");
	output_wrap(out, 0, 0, "Nobody was evicted, so nobody knows what would have followed: how "
		    "long jobs would have waited, and which evictions and starts would have come "
		    "after these. Evictions for nodes are not known either.");
}

static void text_print(const struct output *out, struct json_object *o)
{
	int64_t n = json_number(o, "evicted"), earlier = json_number(o, "earlier");
	int64_t by = json_number(o, "preemptors");
	FILE *f = out->file;

	fprintf(f, "What enforcement would have done from %s to %s\n",
		text_date(TEXT_BUF, json_number(o, "from")),
		text_date(TEXT_BUF, json_number(o, "until")));
	waited_print(f, o);
	fprintf(f, "%ld running job%s would have been evicted, for %ld job%s\n", (long) n,
		text_s(n), (long) by, text_s(by));
	table_show(out, row_columns, o, "evictions", SIZE_MAX);
	fprintf(f, "%ld job%s would have started earlier by that%s%s%s\n", (long) earlier,
		text_s(earlier), earlier ? ", by " : "", earlier
		? text_duration(TEXT_BUF, json_number(o, "earlierSeconds")) : "",
		earlier > 1 ? " in all" : "");
	table_show(out, user_columns, o, "users", USERS_MAX);
	fflush(f);
	notes_print(out, o);
}

/* ---- the command ---- */

static int observed_run(const struct call *call, const char *path, int64_t span)
{
	struct json_object *all[7], *o;
	int64_t now = (int64_t) time(NULL);
	struct sums s = { .from = now - span };
	int status;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		all[i] = json_object_new_object();
	s.waits = all[0], s.victims = all[1], s.pairs = all[2], s.preemptors = all[3];
	s.words = all[4], s.rows = all[5], s.users = all[6];
	status = files_take(&s, path);
	o = document_make(&s, path, now);
	now_add(o);
	if (!status && output_is_data(&call->out))
		output_document(&call->out, o);
	else if (!status)
		text_print(&call->out, o);
	json_object_put(o);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		json_object_put(all[i]);
	return status;
}

int cmd_observed(int argc, char **argv)
{
	struct observed_options o = { .last = "1d" };
	char path[CONF_PATH_MAX], err[256];
	struct call call;
	int64_t span;

	if (!cli_parse(&cli, argc, argv, &o, &call))
		return call.status;
	if (duration_parse(o.last, &span, err, sizeof(err)) < 0) {
		complain("--last=%s %s", o.last, err);
		return STATUS_USAGE;
	}
	if (!o.events && !events_find(path, sizeof(path)))
		return STATUS_FAILED;
	if (o.events && access(o.events, F_OK)) {
		complain("--events: %s: %s", o.events, strerror(errno));
		return STATUS_FAILED;
	}
	return observed_run(&call, o.events ? o.events : path, span / SPEC_SEC);
}
