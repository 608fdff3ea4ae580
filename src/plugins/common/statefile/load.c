/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  load.c - the contents of the state file, into the books
 *
 *  The file may be damaged, or of another cluster: parts that make no sense are
 *  ignored.
\*****************************************************************************/
#include <json-c/json.h>
#include <sys/stat.h>

#include "statefile/load.h"

#include "state/job.h"
#include "state/json_number.h"
#include "state/pair_key.h"
#include "record/count.h"
#include "record/event.h"
#include "jobs/hold.h"
#include "jobs/jobs.h"
#include "tally/accounts.h"
#include "books/books.h"
#include "books/history.h"
#include "statefile/dump.h"

#include "value/tres.h"

/* Some 200 bytes a job */
#define BYTES_MAX (256 * 1024 * 1024)

/* Seconds that ns_of() can hold, with as much again for the sums that are made
 * of them: larger values in a damaged file are ignored. */
#define TIME_MAX (INT64_MAX / SPEC_SEC / 2)

static void _load_time(struct json_object *o, const char *key, time_t *when)
{
	int64_t number = json_number(o, key);

	if ((number > 0) && (number <= TIME_MAX))
		*when = number;
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
		    !pair_key_find(name, &charges[n].flavor,
				   &charges[n].resource))
			continue;
		charges[n].amount = json_object_get_int64(value);
		if ((charges[n].amount > 0) && (charges[n].amount <= AMOUNT_MAX))
			n++;
	}
	return n;
}

/* The entry that owned the quota: of a job in several queues, that in
 * "ownsIn" */
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

static bool _is_true(struct json_object *o, const char *key)
{
	return json_object_get_boolean(json_object_object_get(o, key));
}

static void _load_kind(struct job *job, struct json_object *o)
{
	if (_is_true(o, "nonPreemptible"))
		job_get_run(job)->kind = RUN_IS_NONPREEMPTIBLE;
	job_get_run(job)->settled = _is_true(o, "settled");
}

/* At least what is known already; most: no more than that. Otherwise: there is no such
 * number in the file. */
static void _load_count(struct json_object *o, const char *key, uint32_t most,
			uint32_t otherwise, uint32_t *count)
{
	int64_t n = otherwise;

	if (json_object_object_get(o, key))
		n = json_number(o, key);
	if ((n > *count) && (n <= most))
		*count = n;
}

/* A file of a version that did not know of evictions that don't count: all do. */
static void _load_evictions(struct json_object *o, struct evictions *evictions)
{
	_load_count(o, "evictions", UINT32_MAX / 2, 0, &evictions->count);
	_load_count(o, "lost", evictions->count, evictions->count, &evictions->lost);
	_load_count(o, "turns", UINT32_MAX / 2, 0, &evictions->turns);
}

static void _load_job(struct json_object *o)
{
	struct charge *charges;
	job_record_t *job_ptr = find_job_record(json_number(o, "id"));
	time_t until = 0, order_at;
	struct json_object *evicted;
	struct entry *entry;
	struct job *job;
	size_t n;

	if (!job_ptr)
		return;
	charges = xcalloc(ctld.conf->spec->nresources + 1, sizeof(*charges));
	job = jobs_get(job_ptr);
	job_keep(job);
	order_at = job->order_at;
	_load_time(o, "queueOrderAt", &order_at);
	job->order_at = job_time(order_at);
	_load_evictions(o, &job_get_run(job)->evictions);
	_load_time(o, "evictedIn", &job_get_run(job)->evicted_in);
	job_get_run(job)->told = _is_true(o, "told");
	_load_time(o, "turnOver", &job_get_run(job)->turn_over);
	_load_kind(job, o);
	if (json_object_object_get_ex(o, "evicted", &evicted))
		event_load(job, evicted);
	if ((n = _charges_of(o, "charged", charges)))
		entry_take_flavors(&job->first, charges, n);
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

/* NULL, or a message about what is wrong with it */
static const char *_load(struct json_object *root)
{
	struct json_object *jobs, *counters, *history, *account;

	if ((json_number(root, "version") != STATE_VERSION) ||
	    !json_object_object_get_ex(root, "jobs", &jobs) ||
	    !json_object_is_type(jobs, json_type_array))
		return "is of another version";
	for (size_t i = 0; i < json_object_array_length(jobs); i++)
		_load_job(json_object_array_get_idx(jobs, i));
	if (json_object_object_get_ex(root, "counters", &counters))
		count_load(counters);
	if (json_object_object_get_ex(root, "history", &history))
		history_keep(history);
	if (json_object_object_get_ex(root, "account", &account))
		account_keep(account);
	return NULL;
}

extern const char *load_state(int fd)
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
