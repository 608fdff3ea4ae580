/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz state - StateSaveLocation/cohort_state, as slurmctld reads it at its
 * start
 *
 * statefile/, record/count.c, record/eviction.c and tally/accounts.c as they are in the
 * plugin. Slurm's own functions come from libslurmfull. The other functions of the plugin that they
 * call are here: a few jobs, in a real engine. No other part of the plugin is
 * linked or called.
 */
#include <fcntl.h>
#include <json-c/json.h>
#include <unistd.h>

#include "state/json.h"
#include "slurm/worker.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "tally/tally.h"
#include "books/books.h"
#include "statefile/store.h"

#include "input.h"

#define JOBS 4
#define EVICTED_AT 1700000000
#define TIME_MAX (INT64_MAX / SPEC_SEC / 2)

static const char conf_text[] =
	"flavors: [{name: a}, {name: b}]\n"
	"cohorts: [{name: c}]\n"
	"clusterQueues:\n"
	"- name: q\n"
	"  cohort: c\n"
	"  match: [{account: \"*\"}]\n"
	"  resourceGroups: [{coveredResources: [cpu, gres/gpu], flavors:"
	" [{name: a, nominalQuota: \"cpu=4,gres/gpu=2\"},"
	" {name: b, nominalQuota: \"cpu=4,gres/gpu=2\"}]}]\n";

static struct {
	job_record_t record;
	struct job job;
} known[JOBS];

static char dir[] = "/tmp/fuzz-state.XXXXXX";

/* ---- functions that statefile/ calls ---- */

extern job_record_t *find_job_record(uint32_t job_id)
{
	return job_id < JOBS ? &known[job_id].record : NULL;
}

extern struct job *jobs_get(job_record_t *job_ptr)
{
	return &known[job_ptr->job_id].job;
}

extern struct job *jobs_find(uint32_t job_id)
{
	return job_id < JOBS ? &known[job_id].job : NULL;
}

extern job_record_t *jobs_record(const struct job *job)
{
	return job->job_ptr;
}

extern struct job *books_sync(job_record_t *job_ptr)
{
	return jobs_get(job_ptr);
}

extern void jobs_set_own(struct entry *entry, time_t until)
{
	require(until >= 0 && until <= TIME_MAX);
	entry->own_until = until;
}

extern void hold_dump(const struct entry *entry UNUSED,
		      struct json_object *o UNUSED)
{
}

extern void hold_load(struct entry *entry UNUSED,
		      struct json_object *o UNUSED)
{
}

extern void history_restore(struct json_object *histories UNUSED)
{
}

extern void worker_wake(struct worker *w UNUSED)
{
}

extern void worker_wake_within(struct worker *w UNUSED, int64_t ns UNUSED)
{
}

/* ---- the world, anew for each input ---- */

static void world_make(void)
{
	const struct request ask[] = { { 0, 2 }, { 1, 1 } };
	struct podset_desc podset = { .name = "main", .count = 1, .group = -1,
				      .requests = ask, .nrequests = 2 };

	if (!ctld.conf)
		ctld.conf = conf_read_text("cohort.yaml", conf_text,
					   strlen(conf_text), input_report,
					   NULL);
	require(ctld.conf);
	ctld.engine = engine_create(ctld.conf->spec);
	require(ctld.engine);
	engine_advance(ctld.engine, ns_of(1700000000));
	account_begin();
	for (uint32_t i = 0; i < JOBS; i++) {
		struct workload_desc d = { .local_queue = 1, .tasks = 1,
					   .tiebreak = i, .podsets = &podset,
					   .npodsets = 1 };

		memset(&known[i], 0, sizeof(known[i]));
		known[i].record.job_id = known[i].job.job_id = i;
		known[i].record.preempt_time = known[i].record.start_time =
			EVICTED_AT;
		known[i].job.job_ptr = &known[i].record;
		known[i].job.first.job = &known[i].job;
		known[i].job.first.work = engine_submit(ctld.engine, &d);
		require(known[i].job.first.work);
	}
}

/* An event is one that can be told: its texts are texts, and "by" is an object. */
static void event_check(struct job *job)
{
	struct json_object *event, *by;

	require(!run_of(job)->evicted || json_text_of(run_of(job)->evicted, "text"));
	event = eviction_dump(job);
	if (event) {
		require(json_object_object_get_ex(event, "by", &by)
			&& json_object_is_type(by, json_type_object));
		json_object_put(event);
	}
	eviction_revoke(job);
}

static void world_check(void)
{
	struct json_object *account;
	struct account_copy *copy;

	for (uint32_t i = 0; i < JOBS; i++) {
		struct job *job = &known[i].job;

		require(run_of(job)->turn_over >= 0 && run_of(job)->turn_over <= TIME_MAX);
		event_check(job);
		job_forget_run(job);
		xfree(job->first.flavors);
	}
	content_restore();
	engine_plan(ctld.engine, ns_of(1700000000));
	copy = account_to_save(true);
	require(copy);
	account = account_json(copy);
	require(json_object_to_json_string(account));
	json_object_put(account);
	engine_destroy(ctld.engine);
	ctld.engine = NULL;
	json_object_put(count_dump());
}

static void dir_remove(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/cohort_state", dir);
	unlink(path);
	rmdir(dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	int fd;

	if (!slurm_conf.state_save_location) {
		require(mkdtemp(dir));
		atexit(dir_remove);
		slurm_conf.state_save_location = dir;
	}
	snprintf(path, sizeof(path), "%s/cohort_state", dir);
	fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
	require(fd >= 0 && write(fd, data, size) == (ssize_t) size);
	close(fd);
	world_make();
	store_load();
	world_check();
	return 0;
}
