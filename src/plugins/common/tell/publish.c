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

#include "tell/tell.h"

#include "state/json.h"
#include "slurm/worker.h"
#include "match/match.h"
#include "events/events.h"
#include "record/record.h"
#include "tally/tally.h"
#include "books/books.h"

#define PUBLISH_VERSION 1
#define DEFAULT_NAME "cohort_status.json"

struct publication {
	char *path;
	uint32_t term;			/* the term of control in which it was made */
	struct json_object *document;
	struct config_seen *seen;
	struct account_copy *account;
};

static const char *const priority_names[] = {
	[CONF_PRIORITY_DEFAULT] = "default", [CONF_PRIORITY_QOS] = "qos",
	[CONF_PRIORITY_PARTITION] = "partition", [CONF_PRIORITY_JOB] = "job",
};

static struct json_object *_document(time_t now)
{
	const struct conf *conf = ctld.conf;
	struct json_object *o = json_object_new_object();

	json_add_number(o, "version", PUBLISH_VERSION);
	json_add_number(o, "time", now);
	json_add_number(o, "pid", getpid());
	json_add_text(o, "enforcement", conf->observe ? "observe" : "enforce");
	json_add_text(o, "priority", priority_names[conf->priority]);
	json_add_text(o, "localQueue",
		     conf->local_queue == CONF_LOCAL_USER ? "user" : "account");
	json_add_text(o, "usageFrom", conf->slurm_usage ? "slurm" : "cohort");
	json_add_bool(o, "fairSharing", conf->spec->fair_sharing);
	json_add_number(o, "updateInterval", conf->update_interval / SPEC_SEC);
	json_add_number(o, "maxPosition", conf->max_position);
	publish_nodes(o, now);
	json_add(o, "cohorts", publish_cohorts());
	json_add(o, "clusterQueues", publish_queues(ns_of(now)));
	json_add(o, "counters", count_json());
	json_add(o, "events", events_json());
	/* the size of our tables, which follow those of slurmctld */
	json_add_number(json_member(o, "memory"), "records", ctld.njobs);
	json_add_number(json_member(o, "memory"), "localQueues", local_queue_count());
	json_add(o, "work", count_work_json());
	json_add(o, "asked", asked_json());
	json_add(o, "configuration", config_told_json());
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
	p->account = account_to_publish();
	p->seen = config_told_seen();
	return p;
}

static struct written_file file = {
	.name = " (visibility.publish)",
	.loss = "; scohort can't show quota and usage",
};

/* What is behind the time is news. */
static void _publish(struct publication *p)
{
	char *text;

	config_told_look(p->seen, p->document);
	account_publish(p->account, p->document);
	text = xstrdup_printf("%s\n", json_object_to_json_string_ext(p->document,
		JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(p->document);
	(void) file_put_news(&file, p->path, text, strstr(text, "\"pid\""), 0644, p->term);
	xfree(text);
	xfree(p->path);
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
