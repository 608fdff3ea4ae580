/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish.c - what only the plugin knows, in a file that all users may read
 *
 *  visibility.publish, by default cohort_status.json in StateSaveLocation. It
 *  holds the ledger, counts, counters, and which places in line belong to one
 *  local queue. It has no names of users, and job ids only where all users may see
 *  all jobs: facts about single jobs come from slurmctld, with the rights of the
 *  user who asks. scohort(1) has the form.
 *
 *  The document is made under the job lock, and written without any lock, beside
 *  the old one and renamed, when its text is new and at most once per
 *  visibility.updateInterval, or soon after a user has asked what if. The
 *  thread does nothing else: the file may lie on a file system of the network,
 *  and when that hangs no other thread must hang.
\*****************************************************************************/
#include <json-c/json.h>
#include <unistd.h>

#include "tell/publish.h"

#include "state/state.h"
#include "slurm/control.h"
#include "slurm/file.h"
#include "slurm/worker.h"
#include "match/feature_constraint.h"
#include "match/fingerprint.h"
#include "match/flavor_nodes.h"
#include "match/queue_of_job.h"
#include "events/events.h"
#include "record/count.h"
#include "tally/accounts.h"
#include "books/history.h"
#include "tell/asked.h"
#include "tell/config_told.h"
#include "state/publish_json.h"
#include "tell/publish_parts.h"
#include "tell/questions.h"

#define PUBLISH_VERSION 1
#define DEFAULT_NAME "cohort_status.json"

struct publication {
	char *path;
	uint32_t term;			/* the term of control in which it was made */
	struct json_object *document;
	struct config_seen *seen;
	struct sums *sums;		/* or NULL */
};

static const char *const priority_names[] = {
	[CONF_PRIORITY_DEFAULT] = "default", [CONF_PRIORITY_QOS] = "qos",
	[CONF_PRIORITY_PARTITION] = "partition", [CONF_PRIORITY_JOB] = "job",
};

/* The size of our tables, which follow those of slurmctld */
static struct json_object *_memory_json(void)
{
	struct json_object *o = json_object_new_object();

	publish_number(o, "records", ctld.njobs);
	publish_number(o, "localQueues", local_queue_count());
	return o;
}

/* Work that passes and users have caused, since slurmctld was started */
static struct json_object *_work_json(void)
{
	struct json_object *o = json_object_new_object();

	publish_number(o, "looks", count_of_work(WORK_LOOK));
	publish_number(o, "matches", queue_matches());
	publish_number(o, "booked", count_of_work(WORK_BOOKED));
	publish_number(o, "candidates", count_of_work(WORK_CANDIDATE));
	publish_number(o, "texts", count_of_work(WORK_TEXT));
	publish_number(o, "untried", count_of_work(WORK_UNTRIED));
	publish_number(o, "cutPlans", (int64_t) engine_cut_plans(ctld.engine));
	publish_number(o, "saved", count_of_work(WORK_SAVE));
	publish_add(o, "longestPassSeconds", json_object_new_double(count_longest_pass()));
	publish_add(o, "lockSeconds", count_holds_json());
	publish_number(o, "nodeSets", constraint_steps());
	publish_number(o, "hostLists", flavor_host_lists());
	publish_add(o, "questions", questions_json());
	publish_add(o, "estimates", estimates_json());
	return o;
}

static struct json_object *_document(time_t now)
{
	const struct conf *conf = ctld.conf;
	struct json_object *o = json_object_new_object();

	publish_number(o, "version", PUBLISH_VERSION);
	publish_number(o, "time", now);
	publish_number(o, "pid", getpid());
	publish_text(o, "enforcement", conf->observe ? "observe" : "enforce");
	publish_text(o, "priority", priority_names[conf->priority]);
	publish_text(o, "localQueue",
		     conf->local_queue == CONF_LOCAL_USER ? "user" : "account");
	publish_text(o, "usageFrom", conf->slurm_usage ? "slurm" : "cohort");
	publish_bool(o, "fairSharing", conf->spec->fair_sharing);
	publish_number(o, "updateInterval", conf->update_interval / SPEC_SEC);
	publish_number(o, "maxPosition", conf->max_position);
	publish_nodes(o, now);
	publish_add(o, "cohorts", publish_cohorts());
	publish_add(o, "clusterQueues", publish_queues(ns_of(now)));
	publish_add(o, "counters", count_json());
	publish_add(o, "events", events_json());
	publish_add(o, "memory", _memory_json());
	publish_add(o, "work", _work_json());
	publish_add(o, "asked", asked_json());
	publish_add(o, "configuration", config_told_json());
	return o;
}

static struct publication *_make(void)
{
	struct publication *p = xmalloc(sizeof(*p));

	p->path = ctld.conf->publish ? xstrdup(ctld.conf->publish) :
		file_state_path(DEFAULT_NAME);
	p->term = control_term();
	history_advance_now();
	p->document = _document(time(NULL));
	p->sums = account_publish(p->document);
	p->seen = config_told_seen();
	return p;
}

static struct written_file file = {
	.name = " (visibility.publish)",
	.loss = "; scohort can't show quota and usage",
};

/* The text behind the time, as a hash: it grows with the jobs that wait. Path NULL: it is
 * not known. */
static struct {
	uint64_t text;
	char *path;
	uint32_t term;
} written;

static bool _is_news(const struct publication *p, uint64_t hash)
{
	return (written.term != p->term) || (written.text != hash) ||
		xstrcmp(p->path, written.path) || access(p->path, F_OK);
}

static void _write(struct publication *p, const char *text, uint64_t hash)
{
	char *line = xstrdup_printf("%s\n", text);

	xfree(written.path);
	if (!file_put(&file, p->path, line, 0644, p->term)) {
		written.text = hash;
		written.path = xstrdup(p->path);
		written.term = p->term;
	}
	xfree(line);
}

static void _publish(struct publication *p)
{
	const char *text, *behind_time;
	uint64_t hash;

	config_told_look(p->seen, p->document);
	if (p->sums)
		sums_publish(p->sums, json_object_object_get(p->document, "cohorts"),
			     json_object_object_get(p->document, "clusterQueues"));
	text = json_object_to_json_string_ext(p->document,
		JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	behind_time = strstr(text, "\"pid\"");
	hash = fingerprint_mix_text(strlen(behind_time), behind_time);
	if (_is_news(p, hash))
		_write(p, text, hash);
	xfree(p->path);
	json_object_put(p->document);
	sums_free(p->sums);
	xfree(p);
}

/* ---- the thread ---- */

#define PAUSE_NS 300000000	/* between two documents, however many users ask */

static int64_t _round(void)
{
	struct publication *p = NULL;
	int64_t interval = SPEC_SEC;

	if (control_lock()) {
		interval = MAX(ctld.conf->update_interval, SPEC_SEC);
		p = _make();
		control_unlock();
	}
	if (p)
		_publish(p);
	events_complain();
	return interval;
}

static struct worker worker = WORKER(.name = "cohort_publish", .round = _round, .pause = PAUSE_NS);

extern void publish_soon(void)
{
	worker_wake(&worker);
}

extern void publish_start(void)
{
	worker_start(&worker);
}
