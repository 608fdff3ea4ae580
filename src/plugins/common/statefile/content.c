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

#include "state/job.h"
#include "state/json.h"
#include "match/flavor_nodes.h"
#include "request/charge.h"
#include "record/count.h"
#include "record/event.h"
#include "jobs/jobs.h"
#include "tally/accounts.h"
#include "books/books.h"
#include "books/history.h"

#include "value/tres.h"

#define STATE_VERSION 1

/* Some 200 bytes a job; who lent to whom has 64 MB at most (tally/accounts.c) */
#define BYTES_MAX (256 * 1024 * 1024)

/* Seconds that ns_of() can hold, with as much again for the sums that are made
 * of them: larger values in a damaged file are ignored. */
#define TIME_MAX (INT64_MAX / SPEC_SEC / 2)

/* ---- writing ---- */

/* What is not so is not written. */
static void _add_if(struct json_object *o, const char *key, bool is)
{
	if (is)
		json_add_bool(o, key, true);
}

static void _add_charges(struct json_object *o, const char *key,
			 const struct charge *charges, size_t n)
{
	struct json_object *list = json_object_new_object();
	char pair[PAIR_KEY_BYTES];

	for (size_t i = 0; i < n; i++) {
		pair_key_print(pair, ctld.conf->spec, charges[i].flavor, charges[i].resource);
		json_object_object_add(list, pair, json_object_new_int64(charges[i].amount));
	}
	json_add(o, key, list);
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
	_add_charges(o, "owns", m.owned, m.nowned);
	json_add(o, "ownsIn", json_object_new_string(
				ctld.conf->spec->queues[owner->queue].name));
	json_add_number(o, "ownUntil", owner->own_until);
}

/* By cluster queue, since when it could evict jobs of others (reclaimDelay); NULL: it never could */
static struct json_object *_could_evict(const struct job *job)
{
	struct json_object *o = NULL;
	struct workload_memory m;

	for_each_entry(e, job) {
		if (!e->work)
			continue;
		workload_recall(e->work, &m);
		if (m.could_evict && !o)
			o = json_object_new_object();
		if (m.could_evict)
			json_object_object_add(o, ctld.conf->spec->queues[e->queue].name,
					       json_object_new_int64(time_of(m.could_evict)));
	}
	return o;
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
	struct json_object *o, *evicted, *could_evict = _could_evict(job);
	const struct charge *charges;
	size_t n;

	if (!job_has_moved(job, job_ptr) && !run->evictions.count &&
	    !run->evictions.turns && !owner && !open && !kept && !could_evict)
		return false;
	o = json_object_new_object();
	json_add_number(o, "id", job->job_id);
	json_add_number(o, "queueOrderAt", job->order_at);
	_add_run(o, run);
	_add_if(o, "nonPreemptible", kept);
	_add_if(o, "settled", running && workload_settled(job->first.work));
	if (open) {
		charges = workload_charges(job->first.work, &n);
		_add_charges(o, "charged", charges, n);
	}
	if (owner) {
		_add_owner(o, owner);
		hold_dump(owner, o);
	}
	if (could_evict)
		json_add(o, "couldEvict", could_evict);
	if ((evicted = event_dump(job)))
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
		json_object_new_array(), last || (flavors != flavor_generation()),
	};

	jobs_each(_dump_if_any, &dump);
	flavors = flavor_generation();
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
static void _load_could_evict(struct job *job, struct json_object *o)
{
	struct workload_memory m;

	o = json_object_of(o, "couldEvict");
	if (json_object_object_length(o))
		(void) books_sync(job->job_ptr);
	json_object_object_foreach(o, name, unused) {
		struct entry *entry = _entry_in(job, name);

		(void) unused;
		if (!entry || !entry->work || workload_running(entry->work))
			continue;
		workload_recall(entry->work, &m);
		m.could_evict = ns_of(MIN(_time(o, name, 0), time(NULL)));
		if (engine_remind(ctld.engine, entry->work, &m))
			error(PREFIX "%pJ: %m", job->job_ptr);
	}
}

/* False: it is not to be had. kept: what else is known of it */
static bool _own(struct entry *entry, const struct charge *owned, size_t n,
		 const struct workload_memory *kept)
{
	struct workload_memory m;

	if (!entry->work || workload_running(entry->work))
		return false;
	workload_recall(entry->work, &m);
	m.owns = true;
	m.owns_since = kept->owns_since;
	m.owned = owned;
	m.nowned = n;
	m.owned_settled = kept->owned_settled;
	m.owned_nonpreemptible = kept->owned_nonpreemptible;
	return !engine_remind(ctld.engine, entry->work, &m);
}

/* The entry that owns quota from now on, or NULL */
static struct entry *_load_owner(struct job *job, struct json_object *o,
				 const struct workload_memory *kept)
{
	struct charge *owned = xcalloc(ctld.conf->spec->nresources + 1, sizeof(*owned));
	size_t n = _charges_of(o, "owns", owned);
	time_t until = _time(o, "ownUntil", 0);
	struct entry *entry = NULL;

	if (until && n) {
		(void) books_sync(job->job_ptr);
		entry = _owning_entry(job, o);
		if (_own(entry, owned, n, kept))
			jobs_set_own(entry, until);
		else
			entry = NULL;
	}
	xfree(owned);
	return entry;
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
	struct entry *owner;
	struct job *job;
	size_t n;

	if (!job_ptr)
		return;
	job = jobs_get(job_ptr);
	job_keep(job);
	job->order_at = job_time(_time(o, "queueOrderAt", job->order_at));
	_load_run(o, job->run);
	if (json_object_object_get_ex(o, "evicted", &evicted))
		event_load(job, evicted);
	charges = xcalloc(ctld.conf->spec->nresources + 1, sizeof(*charges));
	if ((n = _charges_of(o, "charged", charges)))
		entry_take_flavors(&job->first, charges, n);
	xfree(charges);
	if ((owner = _load_owner(job, o, &(struct workload_memory) { 0 })))
		hold_load(owner, o);
	_load_could_evict(job, o);
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
	if (json_object_object_get_ex(root, "history", &part))
		history_keep(part);
	if (json_object_object_get_ex(root, "account", &part))
		account_keep(part);
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

/* ---- over a change of the configuration ---- */

struct kept_owners {
	size_t n;
	struct kept_owner {
		uint32_t job_id;
		struct json_object *owned;	/* by name: numbers change */
		struct workload_memory memory;
	} all[];
};

static void _keep_owner(struct job *job, void *arg)
{
	struct kept_owners *kept = arg;
	const struct entry *owner = job_runs(job) ? NULL : job_owner(job);
	struct json_object *could_evict = _could_evict(job);
	struct kept_owner *k;

	if (!owner && !could_evict)
		return;
	k = &kept->all[kept->n++];
	k->job_id = job->job_id;
	k->owned = json_object_new_object();
	if (could_evict)
		json_add(k->owned, "couldEvict", could_evict);
	if (!owner)
		return;
	_add_owner(k->owned, owner);
	workload_recall(owner->work, &k->memory);
}

extern struct kept_owners *owners_keep(void)
{
	struct kept_owners *kept =
		xcalloc(1, sizeof(*kept) + (ctld.njobs + 1) * sizeof(*kept->all));

	jobs_each(_keep_owner, kept);
	return kept;
}

extern void owners_restore(struct kept_owners *kept)
{
	for (size_t i = 0; kept && (i < kept->n); i++) {
		struct kept_owner *k = &kept->all[i];
		struct job *job = jobs_find(k->job_id);

		if (job && jobs_record(job)) {
			(void) _load_owner(job, k->owned, &k->memory);
			_load_could_evict(job, k->owned);
		}
		json_object_put(k->owned);
	}
	xfree(kept);
}
