// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jobs [CONNECTIONS] - submits and ends allocations, as stdin says
 *
 * Allocations like those of salloc --no-shell: nothing is launched, so that a
 * thousand nodes need no machine but this one. One line, one order; so many are
 * under way at once (default 1). Each answers with a line:
 *
 *	submit JOB	ID
 *	start JOB	ID MICROSECONDS, when it has started; it goes before all others
 *	end ID		ID
 *
 * JOB is ACCOUNT PARTITIONS CPUS MINUTES MB TASKS KIND GPUS. 0 MB is the default; with TASKS
 * it is an array of that many, which can only be a batch job. KIND is plain, held, later
 * (it may start in a year), behind (the end of job 1), or het (two components that are alike; a batch job, too).
 *
 * A failure is told on stderr, and is the exit status.
 */

#include <errno.h>
#include <pthread.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 256, CONNECTIONS_MAX = 64, START_SECONDS = 120, LATER_SECONDS = 31536000 };

// As sbatch writes --gres
#if SLURM_VERSION_NUMBER >= 0x180800
#define GPUS_PER_NODE "gres/gpu:"
#else
#define GPUS_PER_NODE "gres:gpu:"
#endif

// From 26.05 on jobs are named by a step id
#if SLURM_VERSION_NUMBER >= 0x1a0500
#define ANSWERED_ID(answer) ((answer)->step_id.job_id)

static resource_allocation_response_msg_t *allocate_and_wait(job_desc_msg_t *job)
{
	return slurm_allocate_resources_blocking(job, START_SECONDS, NULL, -1);
}

static int complete(unsigned id)
{
	slurm_step_id_t job = SLURM_STEP_ID_INITIALIZER;

	job.job_id = id;
	return slurm_complete_job(&job, 0);
}
#else
#define ANSWERED_ID(answer) ((answer)->job_id)

static resource_allocation_response_msg_t *allocate_and_wait(job_desc_msg_t *job)
{
	return slurm_allocate_resources_blocking(job, START_SECONDS, NULL);
}

static int complete(unsigned id)
{
	return slurm_complete_job(id, 0);
}
#endif

// slurmctld gives those who say nothing less than 2^32, one less each
#define FIRST_OF_ALL 4294960000u

static pthread_mutex_t input_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static int failed;

struct request {
	char account[64];
	char partition[64];
	unsigned cpus;
	unsigned minutes;
	unsigned megabytes;
	unsigned tasks;
	char kind[8];
	unsigned gpus;
	char gres[24];
};

static bool request_read(struct request *request, const char *words)
{
	return sscanf(words, "%63s %63s %u %u %u %u %7s %u", request->account,
		      request->partition, &request->cpus, &request->minutes,
		      &request->megabytes, &request->tasks,
		      request->kind, &request->gpus) == 8;
}

static void request_describe(struct request *request, job_desc_msg_t *job)
{
	slurm_init_job_desc_msg(job);
	job->account = request->account;
	job->partition = request->partition;
	job->name = "bench";
	job->num_tasks = request->cpus;
	job->min_cpus = request->cpus;
	job->cpus_per_task = 1;
	job->min_nodes = 1;
	job->time_limit = request->minutes;
	job->user_id = getuid();
	job->group_id = getgid();
	job->work_dir = "/";
	if (request->megabytes)
		job->pn_min_memory = request->megabytes;
	if (request->gpus) {
		snprintf(request->gres, sizeof(request->gres), GPUS_PER_NODE "%u", request->gpus);
		job->tres_per_node = request->gres;
	}
	if (!strcmp(request->kind, "held"))
		job->priority = 0;
	if (!strcmp(request->kind, "later"))
		job->begin_time = time(NULL) + LATER_SECONDS;
	if (!strcmp(request->kind, "behind"))
		job->dependency = "afterany:1";
}

static long micros_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000000L +
	       (now.tv_nsec - start->tv_nsec) / 1000;
}

static void make_batch(job_desc_msg_t *job)
{
	static char *environment[] = { "PATH=/usr/bin:/bin", NULL };

	job->script = "#!/bin/sh\n";
	job->std_in = job->std_out = job->std_err = "/dev/null";
	job->environment = environment;
	job->env_size = 1;
}

// 0 when there is none
static unsigned submit_array(job_desc_msg_t *job, unsigned tasks)
{
	submit_response_msg_t *answer = NULL;
	char inx[32];
	unsigned id;

	snprintf(inx, sizeof(inx), "0-%u", tasks - 1);
	job->array_inx = inx;
	make_batch(job);
	if (slurm_submit_batch_job(job, &answer) || !answer)
		return 0;
	id = ANSWERED_ID(answer);
	slurm_free_submit_response_response_msg(answer);
	return id;
}

// 0 when there is none
static unsigned submit_het(job_desc_msg_t *job)
{
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t second;
	void *components = slurm_list_create(NULL);
	unsigned id = 0;

	make_batch(job);
	second = *job;
	second.script = NULL;
	slurm_list_append(components, job);
	slurm_list_append(components, &second);
	if (!slurm_submit_batch_het_job(components, &answer) && answer)
		id = ANSWERED_ID(answer);
	slurm_list_destroy(components);
	if (!answer)
		return 0;
	slurm_free_submit_response_response_msg(answer);
	return id;
}

// 0 when there is none
static unsigned order_submit(const char *words)
{
	struct request request;
	job_desc_msg_t job;
	resource_allocation_response_msg_t *answer = NULL;
	unsigned id;

	if (!request_read(&request, words))
		return 0;
	request_describe(&request, &job);
	if (request.tasks)
		return submit_array(&job, request.tasks);
	if (!strcmp(request.kind, "het"))
		return submit_het(&job);
	if (slurm_allocate_resources(&job, &answer) || !answer)
		return 0;
	id = ANSWERED_ID(answer);
	slurm_free_resource_allocation_response_msg(answer);
	return id;
}

static unsigned order_start(const char *words, long *micros)
{
	struct request request;
	struct timespec start;
	job_desc_msg_t job;
	resource_allocation_response_msg_t *answer;
	unsigned id;

	if (!request_read(&request, words))
		return 0;
	request_describe(&request, &job);
	job.priority = FIRST_OF_ALL;
	clock_gettime(CLOCK_MONOTONIC, &start);
	answer = allocate_and_wait(&job);
	if (!answer)
		return 0;
	*micros = micros_since(&start);
	id = ANSWERED_ID(answer);
	slurm_free_resource_allocation_response_msg(answer);
	return id;
}

static unsigned order_end(const char *words)
{
	unsigned id = (unsigned)strtoul(words, NULL, 10);

	return complete(id) ? 0 : id;
}

static void order_run(const char *line)
{
	unsigned id = 0;
	long micros = -1;
	char word[16];
	int length = 0;

	if (sscanf(line, "%15s %n", word, &length) != 1)
		return;
	if (!strcmp(word, "submit"))
		id = order_submit(line + length);
	else if (!strcmp(word, "start"))
		id = order_start(line + length, &micros);
	else if (!strcmp(word, "end"))
		id = order_end(line + length);

	pthread_mutex_lock(&output_lock);
	if (!id) {
		failed = 1;
		fprintf(stderr, "jobs: %s: %s\n", line,
			slurm_strerror(errno));
	}
	if (micros < 0)
		printf("%u\n", id);
	else
		printf("%u %ld\n", id, micros);
	fflush(stdout);
	pthread_mutex_unlock(&output_lock);
}

static void *connection_run(void *unused)
{
	char line[LINE_MAX_BYTES];
	char *read;

	for (;;) {
		pthread_mutex_lock(&input_lock);
		read = fgets(line, sizeof(line), stdin);
		pthread_mutex_unlock(&input_lock);
		if (!read)
			return unused;
		line[strcspn(line, "\n")] = '\0';
		order_run(line);
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[CONNECTIONS_MAX];
	int count = argc > 1 ? atoi(argv[1]) : 1;

	if (count < 1 || count > CONNECTIONS_MAX) {
		fprintf(stderr, "jobs: 1 to %d connections\n", CONNECTIONS_MAX);
		return 2;
	}
	slurm_init(NULL);
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, connection_run, NULL))
			return 2;
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return failed;
}
