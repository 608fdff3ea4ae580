/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  store.c - StateSaveLocation/cohort_state
 *
 *  JSON with a version, written beside and renamed. It holds what job records
 *  can't give back: the place in the FIFO order of jobs that came back from a
 *  run, how often they were evicted and when because of their turn, which
 *  flavor a running job is charged on where its nodes leave that open, whose the
 *  freed quota and nodes are, and the counters. A lost or damaged file costs order,
 *  never a job.
\*****************************************************************************/
#include <fcntl.h>
#include <json-c/json.h>
#include <sys/stat.h>
#include <unistd.h>

#include "statefile/store.h"

#include "state/job.h"
#include "slurm/control.h"
#include "slurm/file.h"
#include "slurm/waker.h"
#include "request/charge.h"
#include "record/count.h"
#include "books/books.h"
#include "books/hold.h"
#include "books/jobs.h"

#include "value/tres.h"

#define STORE_VERSION 1
/* Some 200 bytes a job */
#define BYTES_MAX (256 * 1024 * 1024)

static struct {
	pthread_mutex_t lock;		/* one writes at a time */
	char *written;			/* what the state file says */
	uint32_t term;			/* since which it does */
	char *good;			/* not written yet, or NULL */
	uint32_t good_term;		/* in which it was */
	/* under the job lock */
	char *keep;			/* will be good */
	bool damaged;			/* what is there is to be kept aside */
} store = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

/* ---- writing ---- */

static struct json_object *_charges_json(const struct charge *charges, size_t n)
{
	const struct spec *spec = ctld.conf->spec;
	struct json_object *object = json_object_new_object();

	for (size_t i = 0; i < n; i++) {
		char key[256];

		snprintf(key, sizeof(key), "%s@%s",
			 spec->resources[charges[i].resource],
			 spec->flavors[charges[i].flavor]);
		json_object_object_add(object, key, json_object_new_int64(
					       charges[i].amount));
	}
	return object;
}

static struct json_object *_charged_json(const struct workload *w)
{
	size_t n;
	const struct charge *charges = workload_charges(w, &n);

	return _charges_json(charges, n);
}

static bool _flavor_is_open(const struct job *job, const job_record_t *job_ptr)
{
	size_t n = ctld.conf->spec->nresources;
	int *flavors;
	bool open;

	if (!job->first.flavors || !job_ptr->node_bitmap)
		return false;
	flavors = xcalloc(n + 1, sizeof(int));
	books_flavors_by_nodes(workload_queue(job->first.work),
			       job_ptr->node_bitmap, flavors);
	open = memcmp(flavors, job->first.flavors, n * sizeof(int));
	xfree(flavors);
	return open;
}

/* The entry that owns freed quota, or NULL */
static const struct entry *_owner(const struct job *job)
{
	for_each_entry(e, job) {
		if (e->work && workload_owns(e->work))
			return e;
	}
	return NULL;
}

static void _dump_owner(const struct entry *owner, struct json_object *o)
{
	const struct spec *spec = ctld.conf->spec;
	struct charge *owned = xcalloc(spec->nflavors * spec->nresources + 1,
				       sizeof(*owned));
	size_t n = engine_owned(ctld.engine, owner->work, owned);

	json_object_object_add(o, "owns", _charges_json(owned, n));
	xfree(owned);
	json_object_object_add(o, "ownsIn", json_object_new_string(
				spec->queues[owner->queue].name));
	json_object_object_add(o, "ownUntil",
			       json_object_new_int64(owner->own_until));
	hold_dump(owner, o);
}

static void _dump_job(const struct job *job, const job_record_t *job_ptr,
		      struct json_object *jobs)
{
	bool moved = job_ptr->details &&
		(job->order_at != job_ptr->details->submit_time);
	bool running = job_runs(job);
	const struct entry *owner = running ? NULL : _owner(job);
	bool open = running && _flavor_is_open(job, job_ptr);
	struct json_object *o;

	if (!moved && !job->evictions && !owner && !open)
		return;
	o = json_object_new_object();
	json_object_object_add(o, "id", json_object_new_int64(job->job_id));
	json_object_object_add(o, "queueOrderAt",
			       json_object_new_int64(job->order_at));
	json_object_object_add(o, "evictions",
			       json_object_new_int64(job->evictions));
	if (job->turn_over)
		json_object_object_add(o, "turnOver",
				       json_object_new_int64(job->turn_over));
	if (open)
		json_object_object_add(o, "charged",
				       _charged_json(job->first.work));
	if (owner)
		_dump_owner(owner, o);
	json_object_array_add(jobs, o);
}

static void _dump_known(struct job *job, void *arg)
{
	/* job->job_ptr is as of the last scan, and may be gone since */
	const job_record_t *job_ptr = find_job_record(job->job_id);

	if (job_ptr)
		_dump_job(job, job_ptr, arg);
}

static char *_dump(void)
{
	struct json_object *root = json_object_new_object();
	struct json_object *jobs = json_object_new_array();
	char *text;

	json_object_object_add(root, "version",
			       json_object_new_int(STORE_VERSION));
	json_object_object_add(root, "jobs", jobs);
	jobs_each(_dump_known, jobs);
	json_object_object_add(root, "counters", count_dump());
	text = xstrdup(json_object_to_json_string_ext(
			       root, JSON_C_TO_STRING_PRETTY));
	json_object_put(root);
	return text;
}

static struct written_file state_file = {
	.name = "", .loss = ": what it keeps is lost at a restart",
};
static struct written_file good_file = { .name = "", .loss = "" };

/* What this term found there and could not read is for people to look at. */
static void _keep_aside(const char *path)
{
	char *aside = NULL;

	xstrfmtcat(aside, "%s.damaged", path);
	if (!rename(path, aside))
		info(PREFIX "the damaged %s is kept as %s", path, aside);
	else if (errno != ENOENT)
		error(PREFIX "can't keep the damaged %s as %s: %m", path, aside);
	xfree(aside);
}

/* Only if it says anything new: most starts and ends do not change it. The text is
 * taken over. */
static int _save_state(char *text, const char *path, uint32_t term)
{
	int rc = 0;

	if ((term != store.term) || xstrcmp(text, store.written)) {
		xfree(store.written);
		rc = file_put(&state_file, path, text, 0600, term);
	}
	if (rc) {
		xfree(text);
		return rc;
	}
	xfree(store.written);
	store.written = text;
	store.term = term;
	return 0;
}

static int _save_good(const char *path, uint32_t term)
{
	if (!store.good)
		return 0;
	if (file_put(&good_file, path, store.good, 0600, term))
		return -1;
	xfree(store.good);
	return 0;
}

/* What is to be written: taken under the job lock, used without it */
struct saving {
	char *text, *path, *good_path;
	bool damaged;
	uint32_t term;
};

static bool _take(struct saving *s)
{
	if (!control_lock())
		return false;
	*s = (struct saving) {
		.text = _dump(), .path = file_state_path("cohort_state"),
		.good_path = file_state_path(STORE_LAST_GOOD),
		.damaged = store.damaged, .term = control_term(),
	};
	store.damaged = false;
	if (store.keep || (store.good_term != s->term))
		xfree(store.good);
	if (store.keep)
		store.good = store.keep;
	store.keep = NULL;
	store.good_term = s->term;
	control_unlock();
	return true;
}

static int _save(struct saving *s)
{
	int rc;

	if (s->damaged && control_is_in(s->term))
		_keep_aside(s->path);
	rc = _save_state(s->text, s->path, s->term);
	rc |= _save_good(s->good_path, s->term);
	xfree(s->path);
	xfree(s->good_path);
	return rc;
}

extern int store_save(void)
{
	struct saving saving;
	int rc = 0;

	slurm_mutex_lock(&store.lock);
	if (_take(&saving))
		rc = _save(&saving);
	slurm_mutex_unlock(&store.lock);
	return rc;
}

extern void store_keep(const char *source)
{
	xfree(store.keep);
	store.keep = xstrdup(source);
	if (source)
		waker_save();
}

/* ---- reading ---- */

static int64_t _number(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ?
		json_object_get_int64(value) : 0;
}

/* Seconds that ns_of() can hold, with as much again for what is reckoned from
 * them: whatever else a damaged file has is as if it was not there. */
#define TIME_MAX (INT64_MAX / SPEC_SEC / 2)

static void _load_time(struct json_object *o, const char *key, time_t *when)
{
	int64_t number = _number(o, key);

	if ((number > 0) && (number <= TIME_MAX))
		*when = number;
}

/* "gres/gpu@a100" -> flavor and resource of the configuration in force */
static bool _parse_key(const char *key, struct charge *charge)
{
	char *copy = xstrdup(key), *at = strrchr(copy, '@');

	charge->flavor = charge->resource = SPEC_NONE;
	if (at) {
		*at = '\0';
		charge->flavor = spec_find_flavor(ctld.conf->spec, at + 1);
		charge->resource = spec_find_resource(ctld.conf->spec, copy);
	}
	xfree(copy);
	return (charge->flavor >= 0) && (charge->resource >= 0);
}

static size_t _charges_of(struct json_object *o, const char *key,
			  struct charge *charges)
{
	struct json_object *list;
	size_t n = 0;

	if (!json_object_object_get_ex(o, key, &list) ||
	    !json_object_is_type(list, json_type_object))
		return 0;
	json_object_object_foreach(list, name, value) {
		if ((n == ctld.conf->spec->nresources) ||
		    !_parse_key(name, &charges[n]))
			continue;
		charges[n].amount = json_object_get_int64(value);
		if ((charges[n].amount > 0) && (charges[n].amount <= AMOUNT_MAX))
			n++;
	}
	return n;
}

static void _load_flavors(struct job *job, const struct charge *charges,
			  size_t n)
{
	size_t nresources = ctld.conf->spec->nresources;
	int *flavors = xcalloc(nresources + 1, sizeof(int));

	for (size_t i = 0; i < nresources; i++)
		flavors[i] = -1;
	for (size_t i = 0; i < n; i++)
		flavors[charges[i].resource] = charges[i].flavor;
	xfree(job->first.flavors);	/* a damaged file may have a job twice */
	job->first.flavors = flavors;
}

/* The entry that owned it: of a job in several queues, that in "ownsIn" */
static struct entry *_owning_entry(struct job *job, struct json_object *o)
{
	struct json_object *name;

	if (!json_object_object_get_ex(o, "ownsIn", &name))
		return &job->first;
	for_each_entry(e, job) {
		if ((e->queue != SPEC_NONE) &&
		    !xstrcmp(ctld.conf->spec->queues[e->queue].name,
			     json_object_get_string(name)))
			return e;
	}
	return &job->first;
}

static void _load_job(struct json_object *o)
{
	struct charge *charges;
	job_record_t *job_ptr = find_job_record(_number(o, "id"));
	time_t until = 0;
	int64_t evictions;
	struct entry *entry;
	struct job *job;
	size_t n;

	if (!job_ptr)
		return;
	charges = xcalloc(ctld.conf->spec->nresources + 1, sizeof(*charges));
	job = jobs_get(job_ptr);
	_load_time(o, "queueOrderAt", &job->order_at);
	evictions = _number(o, "evictions");
	if ((evictions > job->evictions) && (evictions <= UINT32_MAX))
		job->evictions = evictions;
	_load_time(o, "turnOver", &job->turn_over);
	if ((n = _charges_of(o, "charged", charges)))
		_load_flavors(job, charges, n);
	_load_time(o, "ownUntil", &until);
	if (until && (n = _charges_of(o, "owns", charges))) {
		(void) books_sync(job_ptr);
		entry = _owning_entry(job, o);
		if (entry->work && !workload_running(entry->work) &&
		    !engine_own(ctld.engine, entry->work, charges, n)) {
			jobs_set_own(entry, until);
			hold_load(entry, o);
		}
	}
	xfree(charges);
}

/* What is wrong with it, or NULL */
static const char *_load(struct json_object *root)
{
	struct json_object *jobs, *counters;

	if ((_number(root, "version") != STORE_VERSION) ||
	    !json_object_object_get_ex(root, "jobs", &jobs) ||
	    !json_object_is_type(jobs, json_type_array))
		return "is of another version";
	for (size_t i = 0; i < json_object_array_length(jobs); i++)
		_load_job(json_object_array_get_idx(jobs, i));
	if (json_object_object_get_ex(root, "counters", &counters))
		count_load(counters);
	return NULL;
}

static const char *_load_fd(int fd)
{
	struct json_object *root;
	const char *wrong;
	struct stat st;

	if (fstat(fd, &st))
		return "can't be read";
	if (!S_ISREG(st.st_mode))
		return "is no regular file";
	if (st.st_size > BYTES_MAX)
		return "is too large";
	if (!(root = json_object_from_fd(fd)))
		return "is damaged";
	wrong = _load(root);
	json_object_put(root);
	return wrong;
}

/* slurmctld's locks are held: opening it must not wait for anybody, as that of a
 * FIFO would. */
extern void store_load(void)
{
	char *path = file_state_path("cohort_state");
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	const char *wrong = NULL;

	store.damaged = false;
	if (fd >= 0)
		wrong = _load_fd(fd);
	else if (errno != ENOENT)
		wrong = "can't be opened";
	else
		debug(PREFIX "no state file yet");
	if (wrong) {
		error(PREFIX "%s %s and ignored: jobs that came back from a run may lose their place in line",
		      path, wrong);
		store.damaged = true;
		waker_save();
	}
	if (fd >= 0)
		(void) close(fd);
	xfree(path);
}
