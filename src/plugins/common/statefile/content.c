/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  content.c - what is in the state file
 *
 *  The file that is read may be damaged, or of another cluster: parts that make
 *  no sense are ignored.
\*****************************************************************************/
#include <json-c/json.h>
#include <sys/stat.h>

#include "statefile/store.h"

#include "state/json.h"
#include "match/match.h"
#include "request/request.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "tally/tally.h"
#include "books/books.h"

#include "value/tres.h"

#define STATE_VERSION 1

/* Some 200 bytes a job; who lent to whom has 64 MB at most (tally/accounts.c) */
#define BYTES_MAX (256 * 1024 * 1024)

/* Seconds that ns_of() can hold, with as much again for the sums that are made
 * of them: larger values in a damaged file are ignored. */
#define TIME_MAX (INT64_MAX / SPEC_SEC / 2)

/* What is told to the books when they have all jobs: from the file, or from the books before.
 * Until content_restore() */
static struct json_object *kept;

/* ---- writing ---- */

/* What is not so is not written. */
static void _add_if(struct json_object *o, const char *key, bool is)
{
	if (is)
		json_add_bool(o, key, true);
}

/* Do the nodes of a running job leave open on which flavor it is charged? */
static bool _flavor_is_open(const struct job *job, const job_record_t *job_ptr)
{
	size_t n = ctld.conf->spec->nresources;
	int *flavors;
	bool open;

	if (!job->first.flavors || !job_ptr->node_bitmap)
		return false;
	flavors = xcalloc(n + 1, sizeof(int));
	memset(flavors, -1, n * sizeof(int));
	charge_fill_flavors(workload_queue(job->first.work), job_ptr->node_bitmap, flavors);
	open = memcmp(flavors, job->first.flavors, n * sizeof(int));
	xfree(flavors);
	return open;
}

static void _add_owner(struct json_object *o, const struct entry *owner)
{
	struct workload_memory m;

	workload_recall(owner->work, &m);
	json_add(o, "owns", json_pairs(ctld.conf->spec, m.owned, m.nowned, 1));
	json_add(o, "ownsIn", json_object_new_string(
				ctld.conf->spec->queues[owner->queue].name));
	json_add_number(o, "ownUntil", owner->own_until);
}

/* By cluster queue, since when it could evict jobs of others (reclaimDelay). False: it never could */
static bool _add_could_evict(struct json_object *o, const struct job *job)
{
	struct json_object *list = NULL;
	struct workload_memory m;

	for_each_entry(e, job) {
		if (!e->work)
			continue;
		workload_recall(e->work, &m);
		if (!m.could_evict)
			continue;
		list = json_member(o, "couldEvict");
		json_object_object_add(list, ctld.conf->spec->queues[e->queue].name,
				       json_object_new_int64(time_of(m.could_evict)));
	}
	return list;
}

static void _add_run(struct json_object *o, const struct run *run)
{
	json_add_number(o, "evictions", run->evictions.count);
	json_add_number(o, "lost", run->evictions.lost);
	json_add_number(o, "turns", run->evictions.turns);
	if (run->evicted_in)
		json_add_number(o, "evictedIn", run->evicted_in);
	_add_if(o, "told", run->told);
	if (run->turn_over)
		json_add_number(o, "turnOver", run->turn_over);
}

/* False: there is nothing to tell of it. What a run began as (kept) counts as long as it
 * runs, whatever the rules then say. */
static bool _dump_job(const struct job *job, const job_record_t *job_ptr,
		      struct json_object *jobs)
{
	const struct run *run = run_of(job);
	bool running = job_runs(job);
	const struct entry *owner = running ? NULL : job_owner(job);
	bool open = running && _flavor_is_open(job, job_ptr);
	bool kept = running && workload_is_nonpreemptible(job->first.work);
	struct json_object *o = json_object_new_object(), *evicted;
	const struct charge *charges;
	size_t n;

	if (!_add_could_evict(o, job) && !job_has_moved(job, job_ptr) && !run->evictions.count &&
	    !run->evictions.turns && !owner && !open && !kept) {
		json_object_put(o);
		return false;
	}
	json_add_number(o, "id", job->job_id);
	json_add_number(o, "queueOrderAt", job->order_at);
	_add_run(o, run);
	_add_if(o, "nonPreemptible", kept);
	_add_if(o, "settled", running && workload_settled(job->first.work));
	if (open) {
		charges = workload_charges(job->first.work, &n);
		json_add(o, "charged", json_pairs(ctld.conf->spec, charges, n, 1));
	}
	if (owner) {
		_add_owner(o, owner);
		hold_dump(owner, o);
	}
	if ((evicted = eviction_dump(job)))
		json_add(o, "evicted", evicted);
	json_object_array_add(jobs, o);
	return true;
}

struct dump {
	struct json_object *jobs;
	bool all;
};

/* Most jobs have nothing in the file. */
static void _dump_if_any(struct job *job, void *arg)
{
	const struct dump *dump = arg;
	const job_record_t *job_ptr;

	if (!dump->all && !run_of(job)->keep)
		return;
	count_work(WORK_SAVE);
	/* job->job_ptr is as of the last walk, and may be freed since */
	job_ptr = find_job_record(job->job_id);
	if (job_ptr && _dump_job(job, job_ptr, dump->jobs))
		job_keep(job);
	else if (job->run)
		job->run->keep = false;
}

/* Where nodes have other flavors than before, what jobs are charged on may be another
 * flavor than that of their nodes. All jobs are looked at then. */
static struct json_object *_jobs_json(bool last)
{
	static uint64_t flavors = 0;
	struct dump dump = {
		json_object_new_array(), last || (flavors != ctld.node_sets),
	};

	jobs_each(_dump_if_any, &dump);
	flavors = ctld.node_sets;
	return dump.jobs;
}

extern struct json_object *content_dump(bool last)
{
	struct json_object *root = json_object_new_object(), *part;

	json_add_number(root, "version", STATE_VERSION);
	json_add(root, "jobs", _jobs_json(last));
	json_add(root, "counters", count_dump());
	if ((part = history_dump()))
		json_add(root, "history", part);
	return root;
}

/* ---- reading ---- */

static time_t _time(struct json_object *o, const char *key, time_t otherwise)
{
	int64_t number = json_number(o, key);

	return (number > 0) && (number <= TIME_MAX) ? number : otherwise;
}

static bool _is_true(struct json_object *o, const char *key)
{
	return json_object_get_boolean(json_object_object_get(o, key));
}

static size_t _charges_of(struct json_object *o, const char *key,
			  struct charge *charges)
{
	size_t n = 0;

	json_object_object_foreach(json_object_of(o, key), name, value) {
		if ((n == ctld.conf->spec->nresources) ||
		    !pair_key_find(name, &charges[n].flavor,
				   &charges[n].resource))
			continue;
		charges[n].amount = json_object_get_int64(value);
		if ((charges[n].amount > 0) && (charges[n].amount <= AMOUNT_MAX))
			n++;
	}
	return n;
}

/* At least what is known already; most: no more than that. Otherwise: there is no such
 * number in the file. */
static void _load_count(struct json_object *o, const char *key, uint32_t most,
			uint32_t otherwise, uint32_t *count)
{
	int64_t n = json_object_object_get(o, key) ? json_number(o, key) : otherwise;

	if ((n > *count) && (n <= most))
		*count = n;
}

/* A file of a version that did not know of evictions that don't count: all do. */
static void _load_run(struct json_object *o, struct run *run)
{
	struct evictions *e = &run->evictions;

	_load_count(o, "evictions", UINT32_MAX / 2, 0, &e->count);
	_load_count(o, "lost", e->count, e->count, &e->lost);
	_load_count(o, "turns", UINT32_MAX / 2, 0, &e->turns);
	run->evicted_in = _time(o, "evictedIn", run->evicted_in);
	run->told = _is_true(o, "told");
	run->turn_over = _time(o, "turnOver", run->turn_over);
	if (_is_true(o, "nonPreemptible"))
		run->kind = RUN_IS_NONPREEMPTIBLE;
	run->settled = _is_true(o, "settled");
}

static void _load_job(struct json_object *o)
{
	job_record_t *job_ptr = find_job_record(json_number(o, "id"));
	struct json_object *evicted;
	struct charge *charges;
	struct job *job;
	size_t n;

	if (!job_ptr)
		return;
	job = jobs_get(job_ptr);
	job_keep(job);
	job->order_at = job_time(_time(o, "queueOrderAt", job->order_at));
	_load_run(o, job->run);
	if (json_object_object_get_ex(o, "evicted", &evicted))
		eviction_load(job, evicted);
	charges = xcalloc(ctld.conf->spec->nresources + 1, sizeof(*charges));
	if ((n = _charges_of(o, "charged", charges)))
		entry_take_flavors(&job->first, charges, n);
	xfree(charges);
}

/* NULL, or a message about what is wrong with it */
static const char *_load(struct json_object *root)
{
	struct json_object *jobs, *part;

	if ((json_number(root, "version") != STATE_VERSION) ||
	    !json_object_object_get_ex(root, "jobs", &jobs) ||
	    !json_object_is_type(jobs, json_type_array))
		return "is of another version";
	for (size_t i = 0; i < json_object_array_length(jobs); i++)
		_load_job(json_object_array_get_idx(jobs, i));
	if (json_object_object_get_ex(root, "counters", &part))
		count_load(part);
	kept = json_object_get(root);
	return NULL;
}

extern const char *content_load(int fd)
{
	struct json_object *root;
	const char *wrong;
	struct stat st;

	if (fstat(fd, &st))
		return "can't be read";
	if (!S_ISREG(st.st_mode))
		return "is not a regular file";
	if (st.st_size > BYTES_MAX)
		return "is too large";
	if (!(root = json_object_from_fd(fd)))
		return "is damaged";
	wrong = _load(root);
	json_object_put(root);
	return wrong;
}

/* ---- when the books are made anew ---- */

static void _carry_job(struct job *job, void *jobs)
{
	const struct entry *owner = job_runs(job) ? NULL : job_owner(job);
	struct json_object *o = json_object_new_object();
	struct workload_memory m;

	if (!_add_could_evict(o, job) && !owner) {
		json_object_put(o);
		return;
	}
	json_object_array_add(jobs, o);
	json_add_number(o, "id", job->job_id);
	if (!owner)
		return;
	_add_owner(o, owner);
	workload_recall(owner->work, &m);
	json_add_number(o, "ownsSince", (int64_t) m.owns_since);
	_add_if(o, "ownedSettled", m.owned_settled);
	_add_if(o, "ownedNonPreemptible", m.owned_nonpreemptible);
}

extern void content_carry(void)
{
	struct json_object *jobs = json_object_new_array();

	jobs_each(_carry_job, jobs);
	kept = json_object_new_object();
	json_add(kept, "jobs", jobs);
	json_add(kept, "history", history_dump());
	json_add(kept, "account", account_now());
}

/* Its entry in the queue of that name, or NULL */
static struct entry *_entry_in(struct job *job, const char *name)
{
	for_each_entry(e, job) {
		if (name && (e->queue != SPEC_NONE) &&
		    !xstrcmp(ctld.conf->spec->queues[e->queue].name, name))
			return e;
	}
	return NULL;
}

/* The entry that owned the quota: of a job in several queues, that in
 * "ownsIn" */
static struct entry *_owning_entry(struct job *job, struct json_object *o)
{
	struct entry *entry = _entry_in(job, json_object_get_string(
						json_object_object_get(o, "ownsIn")));

	return entry ? entry : &job->first;
}

/* In another queue than then it begins anew. A clock that was set back must not make the
 * delay longer. */
static void _restore_could_evict(struct job *job, const char *name, time_t since)
{
	struct entry *entry = _entry_in(job, name);
	struct workload_memory m;

	if (!entry || !entry->work || workload_running(entry->work))
		return;
	workload_recall(entry->work, &m);
	m.could_evict = ns_of(MIN(since, time(NULL)));
	if (engine_remind(ctld.engine, entry->work, &m))
		error(PREFIX "%pJ: %m", job->job_ptr);
}

/* False: it is not to be had. */
static bool _own(struct entry *entry, const struct charge *owned, size_t n, struct json_object *o)
{
	struct workload_memory m;

	if (!entry->work || workload_running(entry->work))
		return false;
	workload_recall(entry->work, &m);
	m.owns = true;
	m.owns_since = json_number(o, "ownsSince");
	m.owned = owned;
	m.nowned = n;
	m.owned_settled = _is_true(o, "ownedSettled");
	m.owned_nonpreemptible = _is_true(o, "ownedNonPreemptible");
	return !engine_remind(ctld.engine, entry->work, &m);
}

static void _restore_job(struct json_object *o)
{
	struct charge *owned = xcalloc(ctld.conf->spec->nresources + 1, sizeof(*owned));
	size_t n = _charges_of(o, "owns", owned);
	struct job *job = jobs_find(json_number(o, "id"));
	time_t until = _time(o, "ownUntil", 0);
	struct entry *entry;

	if (!job || !jobs_record(job)) {
		xfree(owned);
		return;
	}
	json_object_object_foreach(json_object_of(o, "couldEvict"), name, unused) {
		(void) unused;
		(void) books_sync(job->job_ptr);
		_restore_could_evict(job, name, _time(json_object_of(o, "couldEvict"), name, 0));
	}
	if (until && n) {
		(void) books_sync(job->job_ptr);
		entry = _owning_entry(job, o);
		if (_own(entry, owned, n, o)) {
			jobs_set_own(entry, until);
			hold_load(entry, o);
		}
	}
	xfree(owned);
}

extern void content_restore(void)
{
	struct json_object *jobs = json_object_object_get(kept, "jobs");

	for (size_t i = 0; kept && (i < json_object_array_length(jobs)); i++)
		_restore_job(json_object_array_get_idx(jobs, i));
	history_restore(json_object_of(kept, "history"));
	account_restore(json_object_of(kept, "account"));
	json_object_put(kept);
	kept = NULL;
}
