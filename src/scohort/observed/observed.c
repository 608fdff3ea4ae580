/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * observed.c - scohort observed: what enforcement would have done, from the file of events
 *
 * While quota is only observed, slurmctld puts what it would do there (cohort.yaml(5), events).
 * Nobody goes, so the same comes again: a wait counts once for a job, an eviction once for a run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "conf.h"
#include "input/json_members.h"
#include "input/lines.h"
#include "ledger/published.h"
#include "must.h"
#include "output/exit_status.h"
#include "output/text.h"
#include "slurm/conf_path.h"
#include "value/times.h"

#define USERS_MAX 10
#define OLDER_MAX 1000		/* as cohort.yaml allows */

static const struct cli_option options[] = {
	{ "last", 0, "TIME", "of that time: 12h, 7d (1d)", CLI_TEXT, 0, 0 },
	{ .name = NULL }
};

static const struct cli cli = {
	.operands = "",
	.about = "What enforcement would have done while quota was only observed: how many jobs "
		 "would\nhave waited, and which would have been evicted for whom.\n",
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
	COLUMN("ROOM", "room", "jobs for which others would have been evicted",
	       .flags = COLUMN_RIGHT),
	{ .name = NULL }
};

/* The document, and objects by their keys: what has been counted, rows, people. first: the
 * oldest event that the files still have */
struct sums {
	int64_t from, first;
	struct json_object *o, *known, *rows, *users;
};

/* ---- one event ---- */

static void count(struct json_object *o, const char *key, int64_t n)
{
	json_object_object_add(o, key, json_object_new_int64(json_number(o, key) + n));
}

/* The object of that key, a new one if there is none. The key is freed. */
static struct json_object *member_get(struct json_object *all, char *key)
{
	struct json_object *o = json_member(all, key);

	if (!o)
		json_object_object_add(all, key, o = json_object_new_object());
	free(key);
	return o;
}

/* Once for that word and numbers: in all, and for the user of the job. False: it was counted */
static bool count_once(struct sums *s, struct json_object *job, const char *word, int64_t second,
		       int64_t n)
{
	struct json_object *known = member_get(s->known, must_format(
		"%s %ld %ld", word, (long) json_number(job, "job"), (long) second));
	const char *name = json_text(job, "user");
	struct json_object *user;
	char uid[24];

	if (json_truth(known, "counted"))
		return false;
	json_add_truth(known, "counted", true);
	snprintf(uid, sizeof(uid), "%ld", (long) json_number(job, "uid"));
	name = *name ? name : uid;
	user = member_get(s->users, must_format("%s", name));
	json_add_text(user, "user", name);
	for (const struct column *c = user_columns + 1; c->name; c++)
		count(user, c->key, strcmp(c->key, word) ? 0 : n);
	count(s->o, word, n);
	return true;
}

static void eviction_take(struct sums *s, struct json_object *event)
{
	struct json_object *by = json_member(event, "by"), *row;
	const char *queue = json_text(event, "queue"), *by_queue = json_text(by, "queue");
	const char *rule = json_text(event, "rule");

	(void) count_once(s, by, "room", 0, 1);
	if (!count_once(s, event, "evicted", json_number(event, "started"), 1))
		return;
	row = member_get(s->rows, must_format("%s %s %s", queue, by_queue, rule));
	json_add_text(row, "clusterQueue", queue);
	json_add_text(row, "byClusterQueue", by_queue);
	json_add_text(row, "rule", rule);
	count(row, "evicted", 1);
}

static void line_take(struct sums *s, const char *line, size_t len)
{
	struct json_tokener *tokener = must(json_tokener_new());
	struct json_object *event = json_tokener_parse_ex(tokener, line, (int) len);
	bool object = json_object_is_type(event, json_type_object);
	const char *what = object ? json_text(event, "observed") : "";
	int64_t decided = object ? json_number(event, "decided") : 0;

	if (decided > 0 && decided < s->first)
		s->first = decided;
	if (*what && decided >= s->from) {
		if (!strcmp(what, "evict"))
			eviction_take(s, event);
		else
			count_once(s, event, "waited", 0, json_number(event, "tasks"));
	}
	json_object_put(event);
	json_tokener_free(tokener);
}

/* ---- the files ---- */

/* slurmctld may rename them meanwhile: from the newest on none is missed. Where there are `keep`
 * older ones, others were removed. False after a message */
static bool files_take(struct sums *s, const char *path, int64_t keep)
{
	char name[CONF_PATH_MAX + 16], err[CONF_PATH_MAX + 256];
	bool any = false, removed = false;
	const char *line;
	int rc = 0;
	size_t len;

	for (int i = 0; i <= OLDER_MAX && !rc; i++) {
		struct lines *lines;

		snprintf(name, sizeof(name), i ? "%s.%d" : "%s", path, i);
		if (access(name, F_OK) && errno == ENOENT)
			continue;
		any = true;
		removed = i >= keep;
		lines = lines_open(name, err, sizeof(err));
		rc = lines ? 0 : -1;
		while (lines && (rc = lines_next(lines, &line, &len, err, sizeof(err))) > 0)
			line_take(s, line, len);
		lines_close(lines);
	}
	if (!any)
		complain("%s: there is no such file; slurmctld makes it with the first event", path);
	if (removed && s->first > s->from && s->first != INT64_MAX)
		s->from = s->first;
	return !rc || complain("%s: %s", name, err);
}

/* keep: so many older files. False after a message: slurmctld writes none */
static bool events_find(char *path, size_t size, int64_t *keep)
{
	struct conf *conf = local_conf_load();
	char state_dir[PATH_MAX] = "/var/spool";	/* Slurm's default */
	bool enabled = !conf || conf->events.enable;

	*keep = conf ? conf->events.keep : OLDER_MAX;
	conf_value("StateSaveLocation", state_dir, sizeof(state_dir), NULL);
	if (conf && conf->events.file)
		snprintf(path, size, "%s", conf->events.file);
	else
		snprintf(path, size, "%s/cohort_events.jsonl", state_dir);
	conf_destroy(conf);
	return enabled || complain("events.enable of cohort.yaml is false: nothing is recorded");
}

/* ---- what is told ---- */

static int by_number(const void *x, const void *y)
{
	struct json_object *const *a = x, *const *b = y;
	int64_t more = json_number(*b, "evicted") + json_number(*b, "waited")
		       - json_number(*a, "evicted") - json_number(*a, "waited");

	return more ? (more > 0) - (more < 0) : strcmp(json_text(*a, "user"), json_text(*b, "user"));
}

static void list_add(struct json_object *o, const char *key, struct json_object *all)
{
	struct json_object *list = json_add_list(o, key);

	json_object_object_foreach(all, name, value) {
		(void) name;
		json_object_array_add(list, json_object_get(value));
	}
	json_object_array_sort(list, by_number);
	json_object_put(all);
}

static void text_print(const struct output *out, struct json_object *o)
{
	int64_t waited = json_number(o, "waited"), evicted = json_number(o, "evicted");
	int64_t room = json_number(o, "room");

	fprintf(out->file, "Since %s enforcement would have\n- kept %ld job%s waiting\n"
		"- evicted %ld running job%s, to make room for %ld job%s\n",
		text_date(TEXT_BUF, json_number(o, "from")), (long) waited, text_s(waited),
		(long) evicted, text_s(evicted), (long) room, text_s(room));
	table_print_list(row_columns, out, json_member(o, "evictions"), SIZE_MAX);
	table_print_list(user_columns, out, json_member(o, "users"), USERS_MAX);
	output_wrap(out, 0, 0, "Nobody was evicted, so nobody knows what would have followed: how "
		    "long jobs would have waited, how much earlier others would have started, and "
		    "which evictions would have come after these. Evictions for nodes are not "
		    "known, and jobs that would have waited may have lacked nodes anyway.");
}

int cmd_observed(int argc, char **argv)
{
	const char *last = "1d";
	char path[CONF_PATH_MAX], err[256];
	struct call call;
	struct sums s;
	int64_t span, keep;
	bool good;

	if (!cli_parse(&cli, argc, argv, &last, &call))
		return call.status;
	if (duration_parse(last, &span, err, sizeof(err)) < 0) {
		complain("--last=%s %s", last, err);
		return STATUS_USAGE;
	}
	if (!events_find(path, sizeof(path), &keep))
		return STATUS_FAILED;
	s = (struct sums) { (int64_t) time(NULL) - span / SPEC_SEC, INT64_MAX,
			    json_object_new_object(), json_object_new_object(),
			    json_object_new_object(), json_object_new_object() };
	for (const struct column *c = user_columns + 1; c->name; c++)
		count(s.o, c->key, 0);
	good = files_take(&s, path, keep);
	json_add_time(s.o, "from", s.from);
	list_add(s.o, "evictions", s.rows);
	list_add(s.o, "users", s.users);
	if (good && output_is_data(&call.out))
		output_document(&call.out, s.o);
	else if (good)
		text_print(&call.out, s.o);
	json_object_put(s.o);
	json_object_put(s.known);
	return good ? STATUS_OK : STATUS_FAILED;
}
