/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  publish.c - what only the plugin knows, in a file that everybody may read
 *
 *  visibility.publish, by default cohort_status.json in StateSaveLocation. It
 *  holds the ledger, counts, counters, and which places in line belong to one
 *  local queue; no job ids, and nobody's name: what concerns single jobs comes
 *  from slurmctld, with the rights of whoever asks. scohort(1) has the form.
 *
 *  The document is made under the job lock and written without any lock, beside
 *  the old one and renamed, when it says anything new and at most once per
 *  visibility.updateInterval, or soon after somebody has asked what if. The thread
 *  does nothing else: the file may lie on a file system of the network, and when
 *  that hangs nobody else must.
\*****************************************************************************/
#include <fcntl.h>
#include <json-c/json.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctld_priv.h"
#include "publish.h"
#include "utf8.h"

#define DEFAULT_NAME "cohort_status.json"

struct publication {
	char *path;
	struct json_object *document;
};

extern struct json_object *publish_string(const char *text)
{
	struct json_object *o;
	char *mended;

	if (!text)
		return NULL;
	if (!text[utf8_span(text, strlen(text))])
		return json_object_new_string(text);
	if (!(mended = utf8_mend(text)))
		return NULL;
	o = json_object_new_string(mended);
	free(mended);
	return o;
}

static struct json_object *_flavors_json(void)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < spec->nflavors; i++) {
		struct json_object *o = json_object_new_object();
		bitstr_t *nodes = flavor_nodes(i);
		char *names = nodes ? bitmap2node_name(nodes) : NULL;

		publish_text(o, "name", spec->flavors[i]);
		publish_text(o, "nodes", names);	/* null: every node */
		xfree(names);
		json_object_array_add(list, o);
	}
	return list;
}

static const char *_priority_name(enum conf_priority priority)
{
	static const char *const names[] = {
		[CONF_PRIORITY_DEFAULT] = "default",
		[CONF_PRIORITY_QOS] = "qos",
		[CONF_PRIORITY_PARTITION] = "partition",
		[CONF_PRIORITY_JOB] = "job",
	};

	return names[priority];
}

/* What is kept in memory, which follows what slurmctld has */
static struct json_object *_memory_json(void)
{
	struct json_object *o = json_object_new_object();

	publish_number(o, "records", jobs_count());
	publish_number(o, "localQueues", who_local_queues());
	return o;
}

/* What users have caused, since slurmctld was started */
static struct json_object *_work_json(void)
{
	struct json_object *o = json_object_new_object();

	publish_number(o, "nodeSets", constraint_steps());
	publish_add(o, "questions", ask_json());
	return o;
}

static struct json_object *_document(void)
{
	const struct conf *conf = ctld.conf;
	struct json_object *o = json_object_new_object();

	publish_number(o, "version", PUBLISH_VERSION);
	publish_number(o, "time", 0);	/* when it is written */
	publish_number(o, "pid", getpid());
	publish_text(o, "enforcement", conf->observe ? "observe" : "enforce");
	publish_text(o, "priority", _priority_name(conf->priority));
	publish_text(o, "localQueue",
		     conf->local_queue == CONF_LOCAL_USER ? "user" : "account");
	publish_add(o, "fairSharing",
		    json_object_new_boolean(conf->spec->fair_sharing));
	publish_number(o, "updateInterval", conf->update_interval / SPEC_SEC);
	publish_number(o, "maxPosition", conf->max_position);
	publish_add(o, "flavors", _flavors_json());
	publish_add(o, "cohorts", publish_cohorts());
	publish_add(o, "clusterQueues", publish_queues(ns_of(time(NULL))));
	publish_add(o, "counters", count_json());
	publish_add(o, "memory", _memory_json());
	publish_add(o, "work", _work_json());
	publish_add(o, "asked", asked_json());
	return o;
}

static struct publication *_make(void)
{
	struct publication *p = xmalloc(sizeof(*p));

	p->path = ctld.conf->publish ? xstrdup(ctld.conf->publish) :
		store_path(DEFAULT_NAME);
	p->document = _document();
	return p;
}

static char *_text(struct json_object *document)
{
	char *text = NULL;

	xstrfmtcat(text, "%s\n", json_object_to_json_string_ext(
			   document, JSON_C_TO_STRING_PLAIN |
			   JSON_C_TO_STRING_NOSLASHESCAPE));
	return text;
}

static int _write(const char *path, const char *text)
{
	char *temp = NULL;
	int rc;

	xstrfmtcat(temp, "%s.new", path);
	/* others may write to the folder: not through a link of theirs */
	(void) unlink(temp);
	if (!(rc = store_write_file(temp, text, O_EXCL | O_NOFOLLOW, 0644)))
		rc = rename(temp, path);
	xfree(temp);
	return rc;
}

/* One that can't be written is tried again in silence: one warning. */
static void _put(const char *path, const char *text)
{
	static bool warned;

	if (!_write(path, text)) {
		if (warned)
			info(PREFIX "%s is written again", path);
		warned = false;
	} else if (!warned) {
		error(PREFIX "can't write %s (visibility.publish): %m; scohort will not know of quota and usage",
		      path);
		warned = true;
	}
}

static void _publish(struct publication *p)
{
	static char *written, *written_to;
	char *text = _text(p->document);

	if (xstrcmp(text, written) || xstrcmp(p->path, written_to) ||
	    access(p->path, F_OK)) {
		xfree(written);
		xfree(written_to);
		written = text;
		written_to = xstrdup(p->path);
		publish_number(p->document, "time", time(NULL));
		text = _text(p->document);
		_put(p->path, text);
	}
	xfree(text);
	xfree(p->path);
	json_object_put(p->document);
	xfree(p);
}

/* ---- the thread ---- */

#define PAUSE_NS 300000000	/* between two, however many ask */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool started, soon;
} thread = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.cond = PTHREAD_COND_INITIALIZER,
};

extern void publish_soon(void)
{
	slurm_mutex_lock(&thread.lock);
	thread.soon = true;
	slurm_cond_signal(&thread.cond);
	slurm_mutex_unlock(&thread.lock);
}

static void _wait(unsigned seconds)
{
	struct timespec until = { .tv_sec = time(NULL) + seconds };
	struct timespec pause = { .tv_nsec = PAUSE_NS };

	nanosleep(&pause, NULL);
	slurm_mutex_lock(&thread.lock);
	while (!thread.soon && (time(NULL) < until.tv_sec))
		slurm_cond_timedwait(&thread.cond, &thread.lock, &until);
	thread.soon = false;
	slurm_mutex_unlock(&thread.lock);
}

static void *_run(void *arg UNUSED)
{
	while (!slurmctld_config.shutdown_time) {
		struct publication *p = NULL;
		unsigned interval = 1;

		waker_lock();
		if (ctld_works()) {
			interval = ctld.conf->update_interval / SPEC_SEC;
			p = _make();
		}
		waker_unlock();
		if (p)
			_publish(p);
		_wait(MAX(interval, 1));
	}
	thread_ends(&thread.started);
	return NULL;
}

extern void publish_start(void)
{
	if (thread_begins(&thread.started))
		compat_thread("cohort_publish", _run, NULL);
}
